"""Sentences for people about a seat: the state of its game and the effects of its acts."""

import re
from collections.abc import Iterable, Iterator

from godaemon.games.game_clock import GameClock
from godaemon.games.model import Game, Phase, Seat
from godaemon.games.stored_values import GameSummary
from godaemon.games.views import span_text, time_settings_text
from godaemon.rules.points import Color, Point
from godaemon.rules.position import Move
from gtp.argument_readers import ILLEGAL_MOVE, format_vertex
from gtp.board_in_words import still_open
from gtp.seat.cursor import ActEffect, SeatCursor
from gtp.seat.seat_view import SeatView

_NONE = "without a result"
_AT_A_SEAT = {
    r"`(?=(dead|alive|done|resume)\b)": "`godaemon-",
    "reply `": "send `",
    "put your plan below it": "plan when it is sent",
    "forget your plans first": "send `godaemon-if cancel` first",
}
"""Words of emails, as patterns, and the words at a seat."""


def translate_commands(sentence: str) -> str:
    """A refusal's sentence with GTP's commands instead of those in emails."""
    for pattern, here in _AT_A_SEAT.items():
        sentence = re.sub(pattern, here, sentence)
    return sentence


def result_of(game: Game) -> str:
    """The result of a finished game, such as `B+T: white's time has run out`."""
    result = game.result or "no result"
    if game.why == "adjudicated":
        return f"{_NONE if result == 'Void' else result}: as the people who run this server decided"
    if result.endswith("+T"):
        loser = Color.WHITE if result[0] == "B" else Color.BLACK
        return f"{result}: {loser.word}'s time has run out"
    return _NONE if result == "Void" else result


def no_move_reason(view: SeatView) -> str:
    """Why the seat does not choose a move itself, and the remedy."""
    if view.game.phase.over:
        return end_text(view)
    if not view.playing:
        return "play has stopped: there is no move to make"
    own, other = view.color.word, view.color.opponent.word
    if view.game.to_place and view.color is Color.BLACK:
        return place_first_text(view)
    if view.my_turn:
        return f"it is {own}'s turn, which is yours: play {own} and a point, or play {own} pass"
    return f"it is {other}'s turn: genmove {other} waits for the move"


def too_late_text(view: SeatView) -> str:
    return f"{ILLEGAL_MOVE}: {end_text(view)}"


def unsent_text(move: Move) -> str:
    """The refusal of an opponent's move on top of a pending one, and the remedy."""
    own = format_vertex(move.point)
    return f"{ILLEGAL_MOVE}: your {own} is not sent: undo it, or clear_board and replay"


def end_text(view: SeatView) -> str:
    return f"the game is over, {result_of(view.game)}"


def place_first_text(view: SeatView) -> str:
    """The next step while Black has not chosen the handicap stones."""
    number = view.game.to_place
    if not view.stones_to_place:
        return f"black places {number} handicap stones first: genmove black waits for them"
    return f"place your {number} handicap stones: set_free_handicap and their points"


def set_up_command(view: SeatView) -> str:
    """The command that sets up the stones with which the game began."""
    stones = (view.setup_stone(point) for point in view.handicap)
    return " ".join(["gogui-setup", *(f"{one.color.word[0]} {one.point}" for one in stones)])


def standing_text(game: Game) -> str:
    """What the game waits for, in a clause: a move, or an agreement to the count."""
    if game.to_move is not None:
        places = f", who places {game.to_place} handicap stones first" if game.to_place else ""
        return f"{game.to_move.word} to move{places}."
    if game.phase is Phase.SCORING:
        return "being scored."
    return f"over, {result_of(game)}."


def headline(game: Game) -> str:
    """The game's number, its number of moves, and what it waits for."""
    return f"Game {game.id}, move {game.move_number}: {standing_text(game)}"


def place_text(cursor: SeatCursor, view: SeatView) -> str:
    """The controller's place in the record; "" at the head."""
    if cursor.pending is not None:
        return f"Your move {format_vertex(cursor.pending.point)} is about to be sent."
    if cursor.chosen:
        return f"Your handicap stones {points_text(cursor.stones)} are about to be sent."
    if cursor.is_off_record(view) or len(cursor.followed_moves()) < len(view.moves):
        return f"Your program has followed {len(cursor.followed_moves())} of its moves."
    return ""


def status_text(cursor: SeatCursor, view: SeatView) -> str:
    """The state of the game, in lines of a word, a colon and a text."""
    game = view.game
    spec, you = game.spec, {view.color: " (you)"}
    rated = ", rated" if spec.rated else ""
    lines = [
        f"Game: {game.id}, {spec.size}, {spec.rules} rules, komi {spec.komi:g}{rated}",
        *(f"{one.word.capitalize()}: {player_name(game, one)}{you.get(one, '')}" for one in Color),
        f"Moves: {game.move_number}{_last_move(game)}",
        f"State: {standing_text(game)}",
        *([f"Time: {left}"] if (left := clocks_text(view)) else []),
    ]
    if game.phase is Phase.SCORING or game.ended_by_count:
        lines.append(f"Dead: {points_text(game.dead) or 'none'}")
    if game.phase is Phase.SCORING:
        lines.append(f"Count: {game.score().result} by these marks")
        lines += [f"Open: {left}"] if (left := _open_points(game)) else []
        lines.append(f"Done: {_agreement(game)}")
        lines.append("Commands: godaemon-dead, godaemon-alive, godaemon-done, godaemon-resume")
    lines += request_lines(view)
    if game.estimates:
        last = game.estimates[-1]
        asker = player_name(game, last.color)
        lines.append(f"Estimate: {asker} asked for one, move {last.move_number}")
    if game.chat:
        last_words = game.chat[-1]
        writer = player_name(game, last_words.color)
        lines.append(f"Words: {writer}: {one_line(last_words.text)}")
    if where := place_text(cursor, view):
        lines.append(f"Program: {where}")
    return "\n".join(lines)


def request_lines(view: SeatView) -> Iterator[str]:
    """The players' open requests, and how to agree."""
    game = view.game
    if (asker := game.undo_asked) is view.color:
        yield "Undo: you asked to take your last move back"
    elif asker is not None:
        yield f"Undo: {asker.word} asks to take the last move back: godaemon-undo yes, or no"
    for color in game.voiding if not game.phase.over else ():
        if color is view.color:
            yield "End: you asked to end the game without a result"
        else:
            yield f"End: {color.word} asks to end the game without a result: godaemon-void agrees"


def count_line(game: Game) -> str:
    """The state of the count on one line, the most important first: status lines are short."""
    if game.phase is not Phase.SCORING:
        return headline(game)
    dead = points_text(game.dead) or "none"
    left = f"; open: {left}" if (left := _open_points(game)) else ""
    return f"{game.score().result}; {_agreement(game)}; dead: {dead}{left}"


def _open_points(game: Game) -> str:
    return still_open(game.position.board, game.dead)


def done_outcome(outcome: ActEffect) -> str:
    """Who has said done, or the result of a game that has ended."""
    game = outcome.after
    if game.phase is Phase.FINISHED:
        return f"the game is over: {game.result}"
    return _agreement(game)


def resume_outcome(outcome: ActEffect) -> str:
    last = " (for the last time: when play stops again, the board is counted by area as it stands)"
    again = f"the game is being played again: {standing_text(outcome.after)}"
    return again + (last if outcome.after.undisputed else "")


def pass_outcome(outcome: ActEffect) -> str:
    return f"you have passed. {headline(outcome.after)}"


def undo_outcome(outcome: ActEffect, cursor: SeatCursor) -> str:
    """The outcome of a request to take a move back, or of the answer to one.

    The controller has to undo only the moves on its own board, with its pending move.
    """
    before, after = outcome.before, outcome.after
    if after.undo_asked is not None:
        return "your opponent is asked"
    if after.undo_refused:
        return f"the move stands; {standing_text(after)}"
    back = before.move_number - after.move_number
    pending, steps = cursor.pending, len(cursor.steps) - after.move_number
    unsent = f" {format_vertex(pending.point)} was not sent:" if pending else ""
    often = f"undo {steps} times, then " if steps > 1 else ""
    if steps == 1:
        often = "undo, then "
    return f"{back} taken back:{unsent} {often}{standing_text(after)}"


def end_outcome(outcome: ActEffect) -> str:
    """The outcome of resigning, or of asking for an end without a result."""
    game = outcome.after
    if game.phase is Phase.FINISHED:
        return f"the game is over: {result_of(game)}"
    return "the game ends without a result when your opponent asks for that too"


def games_list(headlines: Iterable[GameSummary], address: str) -> str:
    """A player's games, one per line: number, size, players, and what each waits for."""
    return "\n".join(_game_line(headline, address.casefold()) for headline in headlines)


def points_text(stones: Iterable[Point]) -> str:
    """The sorted points, separated by blanks."""
    return " ".join(map(str, sorted(stones)))


def one_line(text: str) -> str:
    return " ".join(text.split())


def _game_line(headline: GameSummary, address: str) -> str:
    black = _name_or_address(headline.black_name, headline.black)
    white = _name_or_address(headline.white_name, headline.white)
    seats = {"black": headline.black, "white": headline.white}
    mine = [color for color, holder in seats.items() if holder.casefold() == address]
    waits = f"{headline.to_move} to move" if headline.to_move else headline.phase.value
    if headline.to_move in mine:
        waits = "your move"
    end = f", {headline.result}" if headline.result else ""
    players = f"{black} (black) against {white} (white)"
    return (
        f"{headline.id} {headline.size} {headline.rules}, {players},"
        f" move {headline.move_number}: {waits}{end}"
    )


def _name_or_address(name: str, address: str) -> str:
    """A player's name, else the local part of their address."""
    return one_line(name) or address.partition("@")[0]


def player_name(game: Game, color: Color) -> str:
    """A player's name, else the colour."""
    return one_line(game.player(Seat.of(color)).name) or color.word


def _last_move(game: Game) -> str:
    last = game.position.last
    return f", the last by {last.color.word}: {format_vertex(last.point)}" if last else ""


def _agreement(game: Game) -> str:
    done = [color.word for color in Color if color in game.agreed]
    if not done:
        return "nobody has said done"
    waiting = next(color.word for color in Color if color not in game.agreed)
    return f"{done[0]} has said done, {waiting} has not"


# -- the game's clocks; a controller's do not count (godaemon/README.md, "The cursor") ------------
def clocks_text(view: SeatView) -> str:
    """Both sides' remaining time, in a clause; "" without clocks and after the end."""
    clock = view.game.clock
    if clock is None or view.game.phase.over:
        return ""
    return ", ".join(f"{color.word} {_time_left(view, clock, color)}" for color in Color)


def clock_lines(view: SeatView) -> str:
    """The time settings and each side's remaining time, line by line."""
    clock, settings = view.game.clock, view.game.spec.time
    lines = [f"Time: {time_settings_text(settings)}"]
    if clock is not None:
        lines += [
            f"{one.word.capitalize()}: {_time_left(view, clock, one, exact=True)}" for one in Color
        ]
        if clock.deadline and clock.email_sent and not (view.game.phase.over or view.paused):
            lines.append(f"Until: {clock.deadline:%Y-%m-%d %H:%M} UTC")
    return "\n".join(lines)


def _time_left(view: SeatView, clock: GameClock, color: Color, *, exact: bool = False) -> str:
    time, state = clock.remaining(color, view.now), _clock_state(view, clock, color)
    if not exact:
        return span_text(time) + (state and f" ({state})")
    return f"{span_text(time)} ({int(time.total_seconds())} seconds)" + (state and f", {state}")


def _clock_state(view: SeatView, clock: GameClock, color: Color) -> str:
    """The state of a side's clock; "" on the other side's turn and after the end."""
    if view.game.phase.over:
        return ""
    if view.paused:
        return f"paused, like all clocks: {view.paused}"
    back = clock.days_off_of(color).skip_time_off(view.now)
    if back > view.now:
        return f"paused until {back:%Y-%m-%d %H:%M} UTC"
    if color is not clock.turn:
        return ""
    if clock.since is not None and clock.since > view.now:
        return "paused until the email about this turn has gone out"
    return "running" if clock.since else "paused"
