"""The units that wait for the writer: in which order they are taken, and how many at once."""

from __future__ import annotations

from concurrent.futures import Future

from godaemon.storage.work_queue import GROUP, SOME, Job, WorkQueue


def jobs(count: int, *, ahead: bool = False) -> list[Job]:
    """So many, which do nothing."""
    return [Job(lambda _: None, Future(), ahead) for _ in range(count)]


def filled(*waiting: list[Job]) -> WorkQueue:
    """A queue in which these wait, and no more will."""
    queue = WorkQueue()
    for job in (one for some in waiting for one in some):
        queue.put(job)
    queue.end()
    return queue


def taken(queue: WorkQueue) -> list[list[Job]]:
    """All groups, to the last."""
    groups = []
    while not queue.finished:
        groups.append(queue.take_group(lambda: None))
    return [group for group in groups if group]


def test_a_crowd_is_taken_by_groups() -> None:
    """In the order in which it came."""
    crowd = jobs(GROUP + 3)
    assert taken(filled(crowd)) == [crowd[:GROUP], crowd[GROUP:]]


def test_who_sits_at_a_board_has_few_beside() -> None:
    """And whoever came first still has a place: a crowd goes on, however many moves there are."""
    crowd, moves = jobs(GROUP), jobs(2, ahead=True)
    first, *others = taken(filled(crowd, moves))
    assert first == [crowd[0], *moves, *crowd[1 : SOME - 2]]
    assert [job for group in others for job in group] == crowd[SOME - 2 :]


def test_what_was_put_back_is_next() -> None:
    """Before those who came later, and before those who were put back earlier and came later."""
    crowd = jobs(2 * SOME)
    queue = filled(crowd)
    group = queue.take_group(lambda: None)
    queue.put_back(group[SOME:])
    queue.put_back(group[1:SOME])
    assert taken(queue) == [crowd[1:]]
