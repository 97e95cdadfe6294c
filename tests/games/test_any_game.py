"""Random games with all commands in all phases agree with a simple model of the service.

`ANY_GAME=2000 pytest tests/games/test_any_game.py` tries as many games, of a hundred steps.
"""

import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from godaemon.errors import IllegalMove, NotAllowed, NotYourTurn, Refusal, Unreadable, WrongPhase
from godaemon.games import commands as cmd
from godaemon.games import events as ev
from godaemon.games.decisions import MAX_COUNTERS
from godaemon.games.model import MAX_RESUMPTIONS, Chat, Game, Phase, Seat
from godaemon.games.notices import Kind
from godaemon.games.player_settings import Profile
from godaemon.games.running_clocks import pause_clocks
from godaemon.games.service import GameService
from godaemon.games.state import replay
from godaemon.games.uncounted_time import credit_due, days_off_event
from godaemon.games.vacations import end_vacation as back
from godaemon.games.vacations import plan_vacation
from godaemon.rules.points import Color, Point, Size
from godaemon.rules.ruleset import Resumption
from tests.games.test_service import ALICE, BOB, Service
from tests.support.examples import examples
from tests.support.game_checks import awaited_fault, remaining_time

MANY = int(os.environ.get("ANY_GAME", "0"))
SIDES = st.sampled_from([Seat.PROPOSER, Seat.INVITED])
POINTS = st.builds(Point, st.integers(0, 4), st.integers(0, 4))
WORDS = st.one_of(POINTS.map(str), st.sampled_from(["any", "pass"]))
FREE = {"chinese", "new-zealand"}
"""By their rules Black places the handicap where they like."""
CLOCKS = ("", "2d/move", "3d+12h", "1d+6h max 2d", "2d+3x12h", "1d+3/1d", "9d each")


class AnyGame(RuleBasedStateMachine):
    """Both players send random commands while time passes.

    The model knows the permitted commands, and nothing of Go; its clock follows the log alone.
    """

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
        self.confirmed, self.counters = False, 0
        self.undo_asked: Color | None = None
        self.undo_refused = False
        self.voiding = set[Color]()
        self.stretch = 0
        """The moves before this stretch of play."""
        if agreed:
            self.yes(Seat.PROPOSER)
            self.yes(Seat.INVITED)

    # -- the means -----------------------------------------------------------------------------
    @property
    def game(self) -> Game:
        return self.service.gateway.game()

    def send(self, side: Seat, *commands: cmd.Action) -> tuple[ev.Event, ...] | type[Refusal]:
        """Send commands; their events, or the kind of refusal, which changes nothing."""
        before = self.game
        try:
            found = self.service.act(
                side, *commands, caller=ALICE if side is Seat.PROPOSER else BOB
            )
        except Refusal as refusal:
            assert self.game == before
            return type(refusal)
        return tuple(one for one in found.events if not isinstance(one, ev.Credited))

    def mine(self, side: Seat) -> Color:
        """The colour of a side; a player of both acts for the side to move."""
        found = self.game.position.to_move if self.alone else self.game.color_of(side)
        assert found is not None
        return found

    @property
    def mover(self) -> Seat:
        mine = self.mine(Seat.PROPOSER) is self.game.to_move
        return Seat.PROPOSER if mine else Seat.INVITED

    @property
    def placing(self) -> bool:
        """True if Black has yet to place the handicap stones."""
        game = self.game
        return bool(game.phase is Phase.PLAYING and self.stones and not game.position.handicap)

    def refused(self, side: Seat) -> type[Refusal] | None:
        """Why a side may not move, whatever the move."""
        game = self.game
        if game.phase is not Phase.PLAYING:
            return WrongPhase
        return None if game.to_move is self.mine(side) else NotYourTurn

    def moved(self) -> None:
        self.undo_asked, self.undo_refused = None, False
        self.voiding.clear()

    # -- before the start ----------------------------------------------------------------------
    def _answers(self, side: Seat) -> bool:
        """True if the side is to answer the proposal."""
        if not self.confirmed:
            return self.alone or side is Seat.PROPOSER
        return (side is Seat.PROPOSER) == bool(self.counters % 2)

    @rule(side=SIDES)
    def yes(self, side: Seat) -> None:
        """To the proposal, or to an undo."""
        before = self.game
        came = self.send(side, cmd.Yes())
        if before.phase is Phase.PROPOSED:
            if not self._answers(side):
                assert came is WrongPhase
            elif self.confirmed:
                assert isinstance(came, tuple)
                assert isinstance(came[0], ev.Started)
            else:
                assert isinstance(came, tuple)
                assert came[0] == ev.Confirmed()
                assert (self.game.phase is Phase.PLAYING) is self.alone
                self.confirmed = True
        elif not before.phase.over and self.undo_asked not in {None, self.mine(side)}:
            self._taken_back(before, came)
        else:
            assert came is WrongPhase

    @rule(side=SIDES, sure=st.integers(0, 3))
    def no(self, side: Seat, sure: int) -> None:
        """Answer a proposal or an undo; rarely a proposal, as that ends it."""
        before = self.game
        if before.phase is Phase.PROPOSED:
            if not sure:
                assert isinstance(self.send(side, cmd.No()), tuple)
                assert self.game.phase in {Phase.DECLINED, Phase.WITHDRAWN}
            return
        came = self.send(side, cmd.No())
        if not before.phase.over and self.undo_asked not in {None, self.mine(side)}:
            assert came == (ev.UndoRefused(self.mine(side).word),)
            self.undo_asked, self.undo_refused = None, True
        elif not before.phase.over and self.mine(side).opponent in self.voiding:
            assert came == (ev.Voided(self.mine(side).word, wanted=False),)
            self.voiding.clear()
        else:
            assert came is WrongPhase

    @rule(side=SIDES, komi=st.integers(1, 40))
    def counter(self, side: Seat, komi: int) -> None:
        """Counter-offers are limited in number."""
        phase, same = self.game.phase, self.game.spec.komi == komi / 2
        came = self.send(side, cmd.Counter((("komi", komi / 2),)))
        if phase is not Phase.PROPOSED or not self.confirmed or not self._answers(side):
            assert came is WrongPhase
        elif self.counters == MAX_COUNTERS:
            assert came is NotAllowed
        elif same:
            assert isinstance(came, type)
        else:
            assert isinstance(came, tuple)
            self.counters += 1

    @rule(side=SIDES, sure=st.integers(0, 9))
    def withdraw(self, side: Seat, sure: int) -> None:
        """A proposal, a game of no two moves, or a game if the other agrees."""
        if sure:
            return
        before = self.game
        came = self.send(side, cmd.Withdraw())
        if before.phase is Phase.PROPOSED:
            if self.alone or side is Seat.PROPOSER:
                assert came == (ev.Withdrawn(),)
            else:  # their own terms, or none of theirs
                own = self.counters % 2
                assert came == ((ev.Declined(side="invited"),) if own else NotAllowed)
        elif before.phase.over:
            assert came is WrongPhase
        elif before.phase is Phase.PLAYING and before.move_number < 2:
            assert self.game.result == "Void"
        else:
            self._voided(side, before, came)

    # -- in play -------------------------------------------------------------------------------
    @rule(side=SIDES, point=POINTS)
    def play(self, side: Seat, point: Point) -> None:
        """A stone; and what was planned for it."""
        self._move(side, cmd.Play(point), str(point))

    @precondition(lambda self: self.game.phase is Phase.PLAYING)
    @rule(point=POINTS, pass_=st.booleans())
    def play_in_turn(self, point: Point, pass_: bool) -> None:
        """By whose turn it is."""
        self._move(self.mover, *((cmd.Pass(), "pass") if pass_ else (cmd.Play(point), str(point))))

    @rule(side=SIDES, points=st.lists(POINTS, max_size=4, unique=True))
    def place(self, side: Seat, points: list[Point]) -> None:
        """The handicap stones, where Black likes: so small a board has no star points."""
        before = self.game
        refused = self.refused(side) if before.black else WrongPhase
        if refused is None and not self.placing:
            refused = WrongPhase
        if refused is None and len(points) != self.stones:
            refused = Unreadable
        came = self.send(side, cmd.Place(tuple(points)))
        if refused is not None:
            assert came is refused
            return
        assert came == (ev.Placed(tuple(map(str, points))),)
        assert set(self.game.position.handicap) == set(points)
        assert self.game.to_move is Color.WHITE
        self.moved()

    @precondition(lambda self: hasattr(self, "service") and self.placing)
    @rule()
    def place_in_turn(self) -> None:
        """As Black does, sooner or later."""
        self.place(self.mover, [Point(at, at) for at in range(self.stones)])

    def _move(self, side: Seat, command: cmd.Play | cmd.Pass, word: str) -> None:
        before = self.game
        refused = self.refused(side) if before.black else WrongPhase
        if refused is None and self.placing:
            refused = WrongPhase
        mine = self.mine(side) if before.black else Color.BLACK
        if refused is None and isinstance(command, cmd.Play):
            refused = None if before.position.is_legal(mine, command.point) else IllegalMove
        came = self.send(side, command)
        if refused is not None:
            assert came is refused
            return
        assert isinstance(came, tuple)
        self.moved()
        made = [one for one in came if isinstance(one, ev.Moved | ev.Passed)]
        assert made[0].color == mine.word
        assert {one.color for one in made[1::2]} <= {mine.opponent.word}
        self._follows_plans(before, [_word(one) for one in made])

    def _follows_plans(self, before: Game, words: list[str]) -> None:
        """Each automatic answer follows its move in a line of its player's plan."""
        color = Color[before.to_move.name] if before.to_move else Color.BLACK
        for at in range(1, len(words)):
            answerer = color.opponent if at % 2 else color
            pairs = {
                line[spot : spot + 2]
                for line in before.plans.get(answerer, ())
                for spot in range(len(line) - 1)
            }
            assert {(words[at - 1], words[at]), ("any", words[at])} & pairs
        planned = [line for line in before.plans.get(color.opponent, ()) if line[0] == words[0]]
        if planned and len(words) == 1 and self.game.phase is Phase.PLAYING:
            pytest.fail(f"{planned} was not played after {words}")

    @precondition(lambda self: self.game.phase is Phase.PLAYING)
    @rule()
    def stop_play(self) -> None:
        for _ in range(3):
            if self.game.to_move is not None:
                self._move(self.mover, cmd.Pass(), "pass")

    def _taken_back(self, before: Game, came: object) -> None:
        """The last move is gone; where there was none, the handicap stones are."""
        assert isinstance(came, tuple)
        assert isinstance(came[0], ev.Undone)
        if before.move_number > self.stretch:
            assert self.game.move_number == before.move_number - 1
        else:
            assert self.placing
        self.moved()

    @rule(side=SIDES)
    def undo(self, side: Seat) -> None:
        """One's own last move, if it is the last in this stretch of play; or the handicap."""
        before, color = self.game, self.mine(side) if self.game.black else Color.BLACK
        made = [move.color for move in before.position.moves[self.stretch :]]
        handicap = self.stones and not self.placing and not self.stretch and not made
        came = self.send(side, cmd.Undo())
        if before.phase is not Phase.PLAYING:
            assert came is WrongPhase
        elif self.alone and made:
            self._taken_back(before, came)
        elif color not in made and not (handicap and color is Color.BLACK):
            assert came is WrongPhase
        elif made and made[-1] is not color:
            assert came is NotYourTurn
        elif self.undo_refused:
            assert came is NotAllowed
        else:
            assert came == (() if self.undo_asked is color else (ev.UndoAsked(color.word),))
            self.undo_asked = color

    @rule(
        side=SIDES, line=st.lists(WORDS, min_size=2, max_size=4).filter(lambda one: len(one) != 3)
    )
    def plan(self, side: Seat, line: list[str]) -> None:
        """Plan moves off turn; nobody is told."""
        before, queued = self.game, len(self.service.gateway.outbox)
        placing = self.placing
        came = self.send(side, cmd.If(tuple(line)))
        if self.alone or placing or before.phase is not Phase.PLAYING:
            assert came is WrongPhase
        elif before.to_move is self.mine(side):
            assert came is NotYourTurn
        elif "any" in line[1::2]:
            assert came is Unreadable
        other = before.player(side.other).address
        notices = [one for one in self.service.gateway.outbox[queued:] if one.notice.to == other]
        assert self.alone or not notices
        if isinstance(came, tuple):
            assert self.game.revisions == before.revisions
            assert self.game.plans.get(self.mine(side), ()) or not came

    @rule(side=SIDES)
    def forget_plans(self, side: Seat) -> None:
        came = self.send(side, cmd.CancelIfs())
        if isinstance(came, tuple):
            assert not self.game.plans.get(self.mine(side))

    @rule(side=SIDES, hidden=st.booleans())
    def note(self, side: Seat, hidden: bool) -> None:
        """Words for oneself: nobody else has them, unless hidden ones once it is over."""
        before = self.game
        came = self.send(side, cmd.Note("mine", hidden))
        if before.black is None:
            assert came is NotAllowed
            return
        assert isinstance(came, tuple)
        theirs = self.game.notes_for(self.mine(side).opponent)
        seen = [one for one in theirs if one.color is self.mine(side)]
        assert self.alone or all(one.hidden and self.game.phase.over for one in seen)

    @rule(side=SIDES)
    def say(self, side: Seat) -> None:
        """Words for the other, at any time from the start on: they change nothing else."""
        before, queued = self.game, len(self.service.gateway.outbox)
        came = self.send(side, cmd.Say("well"))
        if before.black is None:
            assert came is NotAllowed
            return
        color = self.mine(side)
        assert came == (ev.Said(color.word, "well"),)
        assert self.game.chat == (*before.chat, Chat(color, before.move_number, "well"))
        assert self.game.revisions == before.revisions
        (notice,) = self.service.gateway.outbox[queued:]
        assert (notice.notice.kind, notice.notice.to) == (
            Kind.CHAT,
            before.player(side.other).address,
        )

    @rule(side=SIDES, sure=st.integers(0, 9))
    def resign(self, side: Seat, sure: int) -> None:
        if sure:
            return
        before, mine = self.game, self.mine(side) if self.game.black else Color.BLACK
        came = self.send(side, cmd.Resign())
        if before.phase in {Phase.PLAYING, Phase.SCORING}:
            assert self.game.result == ("W+R" if mine is Color.BLACK else "B+R")
        else:
            assert came is WrongPhase

    @rule(side=SIDES)
    def void(self, side: Seat) -> None:
        """No result, if both say so at one position."""
        before = self.game
        self._voided(side, before, self.send(side, cmd.Void()))

    def _voided(self, side: Seat, before: Game, came: object) -> None:
        if before.phase not in {Phase.PLAYING, Phase.SCORING}:
            assert came is WrongPhase
            return
        self.voiding.add(self.mine(side))
        assert (self.game.result == "Void") is (self.alone or len(self.voiding) == 2)

    # -- the count -----------------------------------------------------------------------------
    @precondition(lambda self: self.game.phase is Phase.SCORING)
    @rule(side=SIDES, point=POINTS, dead=st.booleans(), extent=st.sampled_from(list(cmd.Extent)))
    def mark(self, side: Seat, point: Point, dead: bool, extent: cmd.Extent) -> None:
        """A mark that changes something cancels agreements."""
        before = self.game
        came = self.send(side, cmd.Mark((point,), dead, extent))
        if isinstance(came, tuple) and came:
            assert not self.game.agreed
            assert self.game.dead != before.dead

    @rule(side=SIDES, sure=st.booleans())
    def done(self, side: Seat, sure: bool) -> None:
        """The second ends the game."""
        before = self.game
        if before.phase is not Phase.SCORING:
            assert self.send(side, cmd.Done()) is WrongPhase
        elif sure or self.mine(side).opponent not in before.agreed:
            self.send(side, cmd.Done())
            ended = self.alone or self.mine(side).opponent in before.agreed
            assert (self.game.phase is Phase.FINISHED) is ended

    @rule(side=SIDES)
    def resume(self, side: Seat) -> None:
        """Back to playing, three times at the most."""
        before, mine = self.game, self.mine(side) if self.game.black else Color.BLACK
        came = self.send(side, cmd.Resume())
        if before.phase is not Phase.SCORING:
            assert came is WrongPhase
            return
        assert before.resumptions < MAX_RESUMPTIONS
        if before.spec.ruleset.resumption is not Resumption.ALTERNATE:
            assert self.game.to_move is mine.opponent
        self.stretch = self.game.move_number
        self.undo_asked, self.undo_refused = None, False

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


def _word(event: ev.Moved | ev.Passed) -> str:
    return event.point if isinstance(event, ev.Moved) else "pass"


AnyGame.TestCase.settings = settings(
    max_examples=MANY or examples(15), stateful_step_count=100 if MANY else 25
)
TestAnyGame = AnyGame.TestCase
