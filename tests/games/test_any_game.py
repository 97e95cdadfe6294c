"""Random games with all commands in all phases: what always holds, whatever the players do.

`ANY_GAME=2000 pytest tests/games/test_any_game.py` tries as many games, of a hundred steps.
"""

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from godaemon.errors import NotAllowed, Refusal
from godaemon.games import commands as cmd
from godaemon.games import events as ev
from godaemon.games.model import MAX_RESUMPTIONS, Game, Phase, Remark, Seat
from godaemon.games.notices import Kind
from godaemon.games.player_settings import Profile
from godaemon.games.running_clocks import pause_clocks
from godaemon.games.service import GameService
from godaemon.games.state import replay
from godaemon.games.uncounted_time import credit_due, days_off_event
from godaemon.games.vacations import end_vacation as back
from godaemon.games.vacations import plan_vacation
from godaemon.rules.points import Color, Point, Size
from tests.games.test_service import ALICE, BOB, Service
from tests.support.examples import examples
from tests.support.game_checks import awaited_fault, remaining_time

MANY = int(os.environ.get("ANY_GAME", "0"))
SIDES = st.sampled_from([Seat.PROPOSER, Seat.INVITED])
POINTS = st.builds(Point, st.integers(0, 4), st.integers(0, 4))
WORDS = st.one_of(POINTS.map(str), st.sampled_from(["any", "pass"]))
COMMANDS = st.one_of(
    st.sampled_from([cmd.Yes(), cmd.Undo(), cmd.Void(), cmd.CancelIfs(), cmd.Resume()]),
    st.builds(cmd.Play, POINTS),
    st.builds(cmd.Place, st.lists(POINTS, max_size=4, unique=True).map(tuple)),
    st.integers(1, 40).map(lambda komi: cmd.Counter((("komi", komi / 2),))),
    st.builds(
        cmd.Mark, POINTS.map(lambda at: (at,)), st.booleans(), st.sampled_from(list(cmd.Extent))
    ),
)
FREE = {"chinese", "new-zealand"}
"""By their rules Black places the handicap where they like."""
CLOCKS = ("", "2d/move", "3d+12h", "1d+6h max 2d", "2d+3x12h", "1d+3/1d", "9d each")


class AnyGame(RuleBasedStateMachine):
    """Both players send random commands while time passes; the clock follows the log alone."""

    @initialize(
        time=st.sampled_from(CLOCKS),
        rules=st.sampled_from(["japanese", "chinese", "aga", "new-zealand"]),
        color=st.sampled_from([Color.BLACK, Color.WHITE, None]),
        stones=st.sampled_from([0, 0, 2, 3]),
        alone=st.sampled_from([False, False, False, True]),
        agreed=st.booleans(),
    )
    def begin(
        self, time: str, rules: str, color: Color | None, stones: int, alone: bool, agreed: bool
    ) -> None:
        """Propose a game; a teaching game to oneself."""
        self.service = Service()
        opponent, stones = ALICE if alone else BOB, stones if rules in FREE else 0
        wanted = cmd.Propose(opponent.address, Size(5, 5), rules=rules, color=color, time=time)
        self.service.propose(replace(wanted, handicap=stones))
        self.alone, self.stones = alone, stones
        if agreed:
            self.send(Seat.PROPOSER, cmd.Yes())
            self.send(Seat.INVITED, cmd.Yes())

    # -- the means -----------------------------------------------------------------------------
    @property
    def game(self) -> Game:
        return self.service.gateway.game()

    def send(self, side: Seat, command: cmd.Action) -> Sequence[ev.Event] | None:
        """Send a command; its events, or None after a refusal, which changes nothing."""
        before = self.game
        try:
            found = self.service.act(side, command, caller=ALICE if side is Seat.PROPOSER else BOB)
        except Refusal:
            assert self.game == before
            return None
        events = [one for one in found.events if not isinstance(one, ev.Credited)]
        assert not before.phase.over or all(isinstance(one, ev.Said | ev.Noted) for one in events)
        made = [one for one in events if isinstance(one, ev.Moved | ev.Passed)]
        if made:
            mine = self.mine(side, before)
            assert (before.to_move, made[0].color) == (mine, mine.word)
        if events and isinstance(events[0], ev.Marked):
            assert not self.game.agreed
            assert self.game.dead != before.dead
        assert self.game.resumptions <= MAX_RESUMPTIONS
        return events

    def mine(self, side: Seat, before: Game | None = None) -> Color:
        """The colour of a side; a player of both acts for the side to move."""
        game = before or self.game
        found = game.position.to_move if self.alone else game.color_of(side)
        assert found is not None
        return found

    @property
    def mover(self) -> Seat:
        mine = self.mine(Seat.PROPOSER) is self.game.to_move
        return Seat.PROPOSER if mine else Seat.INVITED

    # -- commands ------------------------------------------------------------------------------
    @rule(side=SIDES, command=COMMANDS)
    def command(self, side: Seat, command: cmd.Action) -> None:
        """Anything that ends no game."""
        self.send(side, command)

    @rule(
        side=SIDES,
        command=st.sampled_from([cmd.No(), cmd.Withdraw(), cmd.Resign(), cmd.Done()]),
        sure=st.integers(0, 5),
    )
    def end(self, side: Seat, command: cmd.Action, sure: int) -> None:
        """What ends a game, seldom."""
        if not sure:
            self.send(side, command)

    @precondition(lambda self: self.game.phase is Phase.PLAYING)
    @rule(point=POINTS, pass_=st.booleans())
    def play_in_turn(self, point: Point, pass_: bool) -> None:
        """By whose turn it is; Black places the handicap first."""
        if self.stones and not self.game.position.handicap:
            self.send(self.mover, cmd.Place(tuple(Point(at, at) for at in range(self.stones))))
        before, command = self.game, cmd.Pass() if pass_ else cmd.Play(point)
        legal = pass_ or before.position.is_legal(self.mine(self.mover), point)
        assert (self.send(self.mover, command) is not None) is legal

    @precondition(lambda self: self.game.phase is Phase.PLAYING)
    @rule()
    def stop_play(self) -> None:
        for _ in range(3):
            if self.game.to_move is not None:
                self.send(self.mover, cmd.Pass())

    @rule(
        side=SIDES, line=st.lists(WORDS, min_size=2, max_size=4).filter(lambda one: len(one) != 3)
    )
    def plan(self, side: Seat, line: list[str]) -> None:
        """Plan moves off turn; nobody is told."""
        before, queued = self.game, len(self.service.gateway.outbox)
        events = self.send(side, cmd.If(tuple(line)))
        other = before.player(side.other).address
        notices = [one for one in self.service.gateway.outbox[queued:] if one.notice.to == other]
        assert self.alone or not notices
        if events is not None:
            assert self.game.revisions == before.revisions

    @rule(side=SIDES, hidden=st.booleans())
    def note(self, side: Seat, hidden: bool) -> None:
        """Words for oneself: nobody else has them, unless hidden ones once it is over."""
        if self.send(side, cmd.Note("mine", hidden)) is not None:
            theirs = self.game.notes_for(self.mine(side).opponent)
            seen = [one for one in theirs if one.color is self.mine(side)]
            assert self.alone or all(one.hidden and self.game.phase.over for one in seen)

    @rule(side=SIDES)
    def say(self, side: Seat) -> None:
        """Words for the other, at any time from the start on: they change nothing else."""
        before, queued = self.game, len(self.service.gateway.outbox)
        events = self.send(side, cmd.Say("well"))
        assert (events is None) is (before.black is None)
        if events is not None:
            said = Remark(self.mine(side), before.move_number, "well")
            assert self.game.chat == (*before.chat, said)
            assert self.game.revisions == before.revisions
            (due,) = self.service.gateway.outbox[queued:]
            to = before.player(side.other).address
            assert (due.notice.kind, due.notice.to) == (Kind.CHAT, to)

    # -- time ----------------------------------------------------------------------------------
    @rule(hours=st.sampled_from([0.5, 5, 13, 30, 80]), sent=st.booleans())
    def wait(self, hours: float, sent: bool) -> None:
        """Time passes, with or without sent emails; alarms ring."""
        gateway = self.service.gateway
        if sent:
            gateway.send()
        before = self.game
        gateway.wait(hours=hours)
        while gateway.handle_due_alarms():
            pass
        after = self.game
        if after.phase.over and not before.phase.over:
            clock = before.clock
            assert clock is not None
            assert clock.deadline is not None
            assert clock.deadline <= gateway.now
            loser = clock.turn
            begun = before.move_number >= 2
            assert after.result == (
                f"{'W' if loser is Color.BLACK else 'B'}+T" if begun else "Void"
            )

    @rule(hours=st.sampled_from([2, 20]))
    def outage(self, hours: float) -> None:
        """During an outage no time runs."""
        gateway, before = self.service.gateway, self.game
        gateway.outages.append((gateway.now, gateway.now + timedelta(hours=hours)))
        gateway.wait(hours=hours)
        while gateway.handle_due_alarms():
            pass
        if (
            before.clock
            and before.clock.deadline
            and before.clock.deadline > gateway.outages[-1][0]
        ):
            assert self.game.phase is before.phase

    @rule(side=SIDES, days=st.sampled_from([0, 1, 6, 40]))
    def go_away(self, side: Seat, days: int) -> None:
        """For some days, or back again (0)."""
        now = self.service.gateway.now

        def _away(profile: Profile) -> Profile:
            begin = now + timedelta(days=days % 3)
            return (
                plan_vacation(profile, begin, begin + timedelta(days=days), now)
                if days
                else back(profile, now)
            )

        with suppress(NotAllowed):
            self._change_profile(side, _away)

    @rule(side=SIDES, off=st.booleans())
    def weekends(self, side: Seat, off: bool) -> None:
        """They are off, or count."""
        self._change_profile(
            side, lambda profile: replace(profile, weekends_off=off, zone="Pacific/Chatham")
        )

    @rule(side=SIDES, off=st.booleans(), ahead=st.sampled_from([2, 6, 40]))
    def set_clock_ahead(self, side: Seat, off: bool, ahead: int) -> None:
        """The clock is ahead, a player changes days off, and it is set back: nobody loses a day.

        The time of an earlier outage may be credited meanwhile.
        """
        gateway, before = self.service.gateway, self.game
        true = gateway.now
        queued = self.service.run(lambda games: credit_due(games.unit, games.lost, before, true))
        gateway.outages.append((true, true + timedelta(days=ahead)))
        gateway.wait(days=ahead)
        while gateway.handle_due_alarms():
            pass
        self.weekends(side, off)
        gateway.now = true
        gateway.outages.pop()
        gateway.handle_all_alarms()
        after = self.game
        if before.clock is None or before.clock.deadline is None or before.clock.deadline <= true:
            return
        assert after.clock is not None
        assert after.phase is before.phase
        used = before.clock.used_at(true)
        given = timedelta(seconds=queued.seconds) if queued else timedelta()
        assert after.clock.used_at(true) in {used, used - given}

        def missing_events(games: GameService) -> list[ev.Paused | None]:
            return [days_off_event(games.unit, after, seat, true) for seat in after.seats]

        assert not any(self.service.run(missing_events))

    def _change_profile(self, side: Seat, change: Callable[[Profile], Profile]) -> None:
        address = self.game.player(side).address

        def _work(games: GameService) -> None:
            players = games.unit.players
            players.set_profile(address, change(players.profile(address)))
            pause_clocks(games, address)

        self.service.run(_work)

    # -- what always holds ---------------------------------------------------------------------
    @precondition(lambda self: hasattr(self, "service"))
    @invariant()
    def somebody_is_awaited(self) -> None:
        """Exactly one player is awaited, or nobody after the end."""
        assert awaited_fault(self.game) == ""

    @precondition(lambda self: hasattr(self, "service"))
    @invariant()
    def as_replayed(self) -> None:
        """The log replays to the state, summaries have the alarm, and clocks match simple ones."""
        state, game = self.service.gateway.writer.state, self.game
        log = state.logs[1]
        assert replay(1, log) == game
        (row,) = self.service.run(lambda games: list(games.unit.games.summaries()))
        assert (row.phase, row.result, row.move_number) == (
            game.phase,
            game.result,
            game.move_number,
        )
        if game.clock is not None:
            moments = (game.clock.soonest_deadline, game.clock.next_alarm)
            assert (row.deadline, row.alarm) == moments
            assert game.clock.left == remaining_time(1, log)


AnyGame.TestCase.settings = settings(
    max_examples=MANY or examples(15), stateful_step_count=100 if MANY else 25
)
TestAnyGame = AnyGame.TestCase
