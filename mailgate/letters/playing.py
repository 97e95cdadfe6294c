"""The letters of a game from its first move to its end: to players and to spectators."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from godaemon.games import events as ev
from godaemon.games.email_queue import SEATED
from godaemon.games.model import Game, Phase, Seat
from godaemon.games.notices import Kind, is_reviewable
from godaemon.games.ratings import MAX_GAMES_PER_MONTH
from godaemon.games.running_clocks import WARNING_PERIOD
from godaemon.games.special_moves import last_moves
from godaemon.games.views import time_settings_text
from godaemon.rules.points import Color
from godaemon.texts.catalogue import join_and, say
from mailgate.language.meaning_model import meanings
from mailgate.language.terms import vacation_in
from mailgate.letters import blocks as b
from mailgate.letters.board_blocks import (
    captured_stones,
    facts,
    game_diagram,
    position_at,
    position_in_words,
    score_blocks,
)
from mailgate.letters.counting import opinion_letter
from mailgate.letters.letter_data import is_count_open
from mailgate.letters.letter_view import LetterView
from mailgate.letters.phrases import after_move, color_name, conditions, move_name, rating_in_words
from mailgate.letters.shared_blocks import (
    game_board,
    game_letter,
    introduction,
    open_requests,
    result_for,
    unread_parts,
    verdict,
)
from mailgate.letters.time_phrases import moment_in_words


def started(view: LetterView) -> b.LetterBlocks:
    """For both players: the game has begun; for the first to move it is also the turn letter."""
    game = view.game
    mine = "" if view.my_turn else say("you-are", color=color_name(view.color or Color.BLACK))
    invited = view.color is game.color_of(Seat.INVITED)
    began = b.join_sentences(view.say("started" if invited else "accepted"), mine)
    limit = game.spec.time
    clocks = say("clock-explained", settings=time_settings_text(limit)) if limit else ""
    more = (*introduction(view), *_handicap(view), *unread_parts(view), *b.words(clocks))
    return game_letter(view, view.say("teaching-started") if view.teaching else began, *more)


def _handicap(view: LetterView) -> tuple[b.Words, ...]:
    spec = view.game.spec
    drawn = say("drawn-by-lot") if spec.color is None and not spec.teaching else ""
    begins = say("handicap-stands", count=spec.handicap) if spec.handicap else ""
    begins = say("begins-as-proposed") if spec.opening is not None else begins
    return b.words(drawn, say("black-places-first") if view.game.to_place else begins)


def your_turn(view: LetterView) -> b.LetterBlocks:
    planned = view.events_of(ev.Planned)
    dropped = any(view.is_mine(one.color) and not one.lines for one in planned)
    unsent = view.about.get(SEATED) and view.game.passes  # their program has shown them a pass
    more = (
        *b.words(say("plans-dropped") if dropped else ""),
        *b.words(say("pass-shown-by-program") if unsent else ""),
        *_cycle_offer(view),
    )
    return game_letter(view, moves_in_words(view), *more)


def moved(view: LetterView) -> b.LetterBlocks:
    cycle = _cycle_offer(view)
    blocks: list[b.Block] = [*view.words(), *_vacation_advice(view), *cycle, *game_board(view)]
    if view.about.get("last"):
        blocks.append(b.Words(say("last-receipt")))
        blocks.append(b.Choices.from_keys({"receipts on": "receipts-on"}))
    elif not cycle and "aside" not in view.about:
        blocks.append(b.Words(say("stop-receipts"), small=True))
    return b.LetterBlocks(b.join_sentences(moves_in_words(view), view.whose_turn()), tuple(blocks))


def _vacation_advice(view: LetterView) -> tuple[b.Words, ...]:
    """How to stop the clock, if the reader has just written that they will be away."""
    text = " ".join(one.text for one in view.events_of(ev.Said) if view.is_mine(one.color))
    will_be_away = view.game.clock and any(one.first == "vacation" for _, one in meanings(text))
    return b.words(say("stop-clocks", line=vacation_in(text)) if will_be_away else "")


def _cycle_offer(view: LetterView) -> tuple[b.Words, ...]:
    """An offer to end the game without a result, if a position occurs for the third time."""
    is_third = not view.game.voiding and view.game.position.is_long_cycle
    return b.words(view.say("third-time") if is_third else "")


def reminder(view: LetterView) -> b.LetterBlocks:
    if view.game.clock is not None:
        return game_letter(view, view.say("reminder"))
    moment = moment_in_words(view, view.data.queued_at + WARNING_PERIOD)
    return game_letter(view, view.say("reminder-without-clock", moment=moment))


def away(view: LetterView) -> b.LetterBlocks:
    """A vacation has begun automatically, just before the player would have lost on time."""
    color = view.game.clock.turn if view.game.clock else Color.BLACK
    is_reader = view.is_mine(color.word)
    first = view.say("away-began" if is_reader else "away-began-theirs")
    notes = b.words(say("away-then") if is_reader else "")
    return b.LetterBlocks(first, (*notes, *view.words(), *game_board(view)))


def resumed(view: LetterView) -> b.LetterBlocks:
    return game_letter(view, moves_in_words(view))


def void(view: LetterView) -> b.LetterBlocks:
    vote = next(view.events_of(ev.Voided), None)
    side = "you" if vote is None or view.is_mine(vote.color) else "they"
    key = "offer-void" if vote is None or vote.wanted else "keep-playing"
    return game_letter(view, view.say(f"{side}-{key}"))


def chat(view: LetterView) -> b.LetterBlocks:
    key = "note-kept" if view.teaching else "wrote-in-game"
    news = view.say(key, when=after_move(view.game.move_number))
    if view.game.phase is Phase.FINISHED:  # the board never changes again
        return b.LetterBlocks(news, (*view.words(), b.Words(facts(view), small=True)))
    if is_count_open(view.game):
        return opinion_letter(view, news)
    return game_letter(view, news, *_cycle_offer(view))


# -- moves -------------------------------------------------------------------------------------
def moves_in_words(view: LetterView) -> str:
    """The letter's moves, passes or resumption, in words."""
    if len(view.moves) > 1:
        return " ".join(_several_moves(view))
    sentence = view.say("this-is-game", when=after_move(view.game.move_number))
    for event in view.data.events:
        match event:
            case ev.Placed(stones):
                values = {"count": len(stones), "points": tuple(stones)}
                sentence = view.say_who(Color.BLACK.word, "placed-handicap", **values)
            case ev.Moved():
                sentence = one_move(view, event, view.game)
            case ev.Passed():
                next_pass = _next_pass(view) if view.game.phase is Phase.PLAYING else ""
                sentence = b.join_sentences(one_move(view, event, view.game), next_pass)
            case ev.Resumed(color):
                warning = _passes_warning(view.game)
                sentence = b.join_sentences(view.say_who(color, "play-on"), warning)
    return sentence


def one_move(view: LetterView, event: ev.Moved | ev.Passed, game: Game, ready: str = "") -> str:
    """One move or pass, in a sentence; `game` is after it. A planned one has `-ready`."""
    values: dict[str, object] = {"number": game.move_number}
    key = "passed"
    if isinstance(event, ev.Moved):
        key, values["point"] = "played", event.point
    if view.teaching:
        sentence = say(f"colour-{key}", color=color_name(Color.named(event.color)), **values)
    else:
        sentence = view.say_who(event.color, key + ready, **values)
    return b.join_sentences(sentence, captured_stones(game))


def _several_moves(view: LetterView) -> Iterator[str]:
    """Each move in a sentence; all but the first were planned."""
    first = view.game.position.move_number - len(view.moves) + 1
    for number, move in enumerate(view.moves, first):
        game = replace(view.game, position=position_at(view.game.position, number))
        yield one_move(view, move, game, "-ready" if number > first else "")


def _next_pass(view: LetterView) -> str:
    """What one more pass in a row would do, by the rules of the game."""
    game, ruleset = view.game, view.game.spec.ruleset
    left = ruleset.passes - game.passes - 1
    if game.undisputed and not left:
        return say("next-pass-by-area")
    if ruleset.settles == game.position.count_passes() + 1:
        return say("next-pass-all-alive")
    if left:
        return say("next-pass-more", count=left + 1)
    return view.say_who(game.position.to_move.word, "next-pass")


def _passes_warning(game: Game) -> str:
    """A warning if passes in a row mean more than usual, because play was stopped before."""
    settles = game.spec.ruleset.settles
    if game.undisputed:
        return say("last-resumption")
    return say("passes-end-it", count=settles - game.position.count_passes()) if settles else ""


# -- moves taken back --------------------------------------------------------------------------
def undo(view: LetterView) -> b.LetterBlocks:
    game, asker = view.game, view.game.undo_asked
    moves = _numbered_moves(last_moves(game, 1), game.move_number - 1)
    is_opponents = asker is not None and not view.is_mine(asker.word)
    news = view.say("undo-asks" if is_opponents else "undo-asked", moves=moves)
    for event in view.data.events:
        match event:
            case ev.UndoRefused(color):
                news = view.say_who(color, "refuse-undo", moves=moves)
            case ev.Undone(color, back):
                moves = _numbered_moves(back, game.move_number)
                news = view.say_who(Color.named(color).opponent.word, "let-take-back", moves=moves)
                if view.teaching or view.facing_engine:
                    news = say("taken-back", moves=moves)
    return game_letter(view, news)


def _numbered_moves(moves: Sequence[str], before: int) -> str:
    """The moves by their numbers: `D4 (move 5) and E5 (move 6)`."""
    if not moves:
        return say("the-handicap-stones")
    numbered = enumerate(map(move_name, moves), before + 1)
    return join_and([say("move-numbered", move=one, number=number) for number, one in numbered])


def lapsed_undo(view: LetterView) -> tuple[b.Words, ...]:
    """For the player who asked for an undo, if the other has moved instead of answering."""
    back = view.about.get("lapsed")
    names = {"": say("the-handicap-stones"), "pass": say("passing")}
    return b.words("" if back is None else view.say("undo-lapsed", moves=names.get(back, back)))


# -- the end of a game ----------------------------------------------------------------------
def finished(view: LetterView) -> b.LetterBlocks:
    game = view.game
    film = say("record-film") if game.move_number else ""
    parting = "play-again" if view.facing_engine else "well-played"
    parting = view.say("opponent-left" if view.about.get("left") else parting)
    ends = b.words(view.say("record-attached"), film, "" if view.teaching else parting)
    look = b.words(say("look-back") if is_reviewable(game) else "")
    hidden = tuple(view.remark_line(one) for one in game.remarks if one.hidden)
    shown = [b.Quote(say("hidden-until-now"), hidden)] if hidden else []
    above: tuple[b.Block, ...] = (*_rating_change(view), *view.words(), *shown)
    return b.LetterBlocks(_ending(view), (*above, *game_board(view, *ends, *look)), record=True)


def _ending(view: LetterView) -> str:
    game, values = view.game, {"verdict": verdict(view)}
    reason = next((event.why for event in view.events_of(ev.Finished)), "").replace(" ", "-")
    if reason in {"time", "cancelled"}:
        turn = game.clock.turn if game.clock else Color.BLACK
        return view.say_who(turn.word, f"over-{reason}", game=game.id, **values)
    if reason:
        return view.say(f"over-{reason}", **values)
    loser = next((event.color for event in view.events_of(ev.Resigned)), None)
    ending = view.say_who(loser, "resigned") if loser else ""
    if color := view.last_to_pass:  # of the passes in a row that settle a game
        area = say("by-area-as-it-stands") if game.undisputed else ""
        last = view.say_who(color, "passed", number=game.move_number)
        ending = b.join_sentences(last, say("all-alive"), area)
    ending = say("agreed-void") if any(view.events_of(ev.Voided)) else ending
    return b.join_sentences(ending, view.say("over", **values))


def _rating_change(view: LetterView) -> tuple[b.Words, ...]:
    if not view.game.spec.rated or view.teaching:
        return ()
    if view.game.result == "Void":
        return b.words(say("no-rating-without-result"))
    if change := view.about.get("rated"):
        before, after = change
        key = "rating-changed" if before else "rating-first"
        old = str(before[0]) if before else ""
        return b.words(say(key, before=old, now=rating_in_words(after)))
    least = max(view.game.spec.size)
    return b.words(say("no-rating-change", moves=least, games=MAX_GAMES_PER_MONTH))


# -- to the players ----------------------------------------------------------------------------
def public(view: LetterView) -> b.LetterBlocks:
    game, me = view.game, view.color
    if game.public:
        return game_letter(view, view.say("public-now"), b.Words(say("public-seen")))
    if Kind.PUBLIC in open_requests(view):
        return game_letter(view, view.say("public-asked"))
    if me is not None and game.watchable.get(me):
        return game_letter(view, view.say("public-asking"), b.Words(say("public-waiting")))
    key = "you-keep-private" if me in game.watchable else "they-keep-private"
    return game_letter(view, view.say("private-now"), b.Words(view.say(key)))


# -- to spectators -----------------------------------------------------------------------------
def watch(view: LetterView) -> b.LetterBlocks:
    """The present game and the moves since the last letter; or why there are no more letters."""
    game = view.game
    if False in game.watchable.values():
        return b.LetterBlocks(view.say("watched-private"), ())
    summary = b.words(_moves_since_last(view))
    counted = score_blocks(game) if game.ended_by_count else ()
    now = say("watched-counting") if game.phase is Phase.SCORING else view.whose_turn()
    board = (*position_in_words(view, game), game_diagram(game), *counted)
    blocks = (*summary, *board, *_watch_small_print(view))
    return b.LetterBlocks(b.join_sentences(_watch_news(view), now), blocks)


def _watch_news(view: LetterView) -> str:
    game = view.game
    if view.about.get("begins"):
        return view.say("watching-daily" if view.about.get("daily") else "watching")
    news = view.say("this-is-game", when=after_move(game.move_number))
    for event in view.data.events[-1:]:
        match event:
            case ev.Finished(result):
                news = view.say("watched-over", verdict=result_for(view, result))
            case ev.Moved() | ev.Passed():
                news = one_move(view, event, game)
            case ev.Placed(stones):
                placed = {"count": len(stones), "points": say("comma").join(stones)}
                news = say("they-placed-handicap", who=view.name_of(Color.BLACK), **placed)
            case ev.Undone(_, moves):
                back = join_and([*map(move_name, moves)]) if moves else say("the-handicap-stones")
                news = say("taken-back", moves=back)
            case ev.Resumed(word):
                news = say("they-play-on", who=view.name_of(Color.named(word)))
    return news


def _moves_since_last(view: LetterView) -> str:
    """The moves since the last letter, if there are several; else ""."""
    if len(view.moves) < 2 or any(view.events_of(ev.Undone)):
        return ""
    last = view.game.move_number
    moves = say("comma").join(map(_move_in_words, view.moves))
    return say("moves-since", first=last - len(view.moves) + 1, last=last, moves=moves)


def _move_in_words(one: ev.Moved | ev.Passed) -> str:
    played = one.point if isinstance(one, ev.Moved) else say("pass")
    return say("a-move", color=color_name(Color.named(one.color)), point=played)


def _watch_small_print(view: LetterView) -> tuple[b.Words, ...]:
    """Which game it is, and how to get fewer emails about it."""
    game = view.game
    who = view.both_colors() if game.black else ""
    facts = say("game-facts", number=game.id, conditions=conditions(game))
    out = say("ways-out-daily" if view.about.get("daily") else "ways-out")
    return (*b.words(who, facts, small=True), *b.words("" if game.phase.over else out, small=True))
