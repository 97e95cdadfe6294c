"""The writer's queue: order and group size."""

import threading

import pytest

from godaemon.storage import writer_queue
from godaemon.storage.writer_queue import MAX_GROUP, MAX_SMALL_GROUP, Job, Priority, WorkQueue


def jobs(count: int, priority: Priority = "usual") -> list[Job]:
    """A number of jobs that do nothing."""
    return [Job(lambda _: None, priority) for _ in range(count)]


def filled(*waiting: list[Job], ended: bool = True) -> WorkQueue:
    """A queue with these units; with `ended` it accepts no more."""
    queue = WorkQueue()
    for job in (one for some in waiting for one in some):
        queue.put(job)
    if ended:
        queue.end()
    return queue


def taken(queue: WorkQueue) -> list[list[Job]]:
    """All groups, to the last."""
    groups = []
    while not queue.finished:
        groups.append(queue.take_group(lambda: None))
    return [group for group in groups if group]


def test_work_is_taken_in_groups() -> None:
    """In order."""
    crowd = jobs(MAX_GROUP + 3)
    assert taken(filled(crowd)) == [crowd[:MAX_GROUP], crowd[MAX_GROUP:]]


def test_moves_from_boards_share_small_groups() -> None:
    """The oldest letter has a place in each group, however many moves wait."""
    crowd, moves = jobs(MAX_GROUP), jobs(2, "ahead")
    first, *others = taken(filled(crowd, moves))
    assert first == [crowd[0], *moves, *crowd[1 : MAX_SMALL_GROUP - 2]]
    assert [job for group in others for job in group] == crowd[MAX_SMALL_GROUP - 2 :]


def test_returned_work_comes_first() -> None:
    """In its original order."""
    crowd = jobs(2 * MAX_SMALL_GROUP)
    queue = filled(crowd)
    group = queue.take_group(lambda: None)
    queue.put_back(group[MAX_SMALL_GROUP:])
    queue.put_back(group[1:MAX_SMALL_GROUP])
    assert taken(queue) == [crowd[1:]]


@pytest.mark.parametrize("priority", ["usual", "ahead"])
def test_patient_work_waits_for_the_next(
    priority: Priority, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However urgent that is; it keeps its place in the queue."""
    monkeypatch.setattr(writer_queue, "PATIENCE", 60.0)
    patient, (other,) = jobs(2, "patient"), jobs(1, priority)
    queue = filled(patient, ended=False)
    coming = threading.Timer(0.01, queue.put, [other])
    coming.start()
    assert {*map(id, queue.take_group(lambda: None))} == {*map(id, [*patient, other])}
    coming.join()


def test_patient_work_waits_a_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not at all once the queue has ended."""
    patient = jobs(2, "patient")
    monkeypatch.setattr(writer_queue, "PATIENCE", 0.01)
    assert filled(patient, ended=False).take_group(lambda: None) == patient
    monkeypatch.setattr(writer_queue, "PATIENCE", 60.0)
    assert taken(filled(patient)) == [patient]
