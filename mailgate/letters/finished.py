"""The email about the end of a game: its result, and the new rating. Pure."""

from godaemon.games import events as ev
from godaemon.games.notices import is_reviewable
from godaemon.games.ratings import MAX_GAMES_PER_MONTH
from godaemon.rules.points import Color
from godaemon.texts.catalogue import say
from mailgate.letters.blocks import Block, LetterBlocks, Quote, Words, join_sentences, words
from mailgate.letters.letter_view import LetterView
from mailgate.letters.phrases import rating_in_words
from mailgate.letters.shared_blocks import game_board, verdict


def finished(view: LetterView) -> LetterBlocks:
    game = view.game
    film = say("record-film") if game.move_number else ""
    ends = words(view.say("record-attached"), film, _parting(view))
    look = words(say("look-back") if is_reviewable(game) else "")
    hidden = tuple(view.remark_line(one) for one in game.remarks if one.hidden)
    shown = [Quote(say("hidden-until-now"), hidden)] if hidden else []
    above: tuple[Block, ...] = (*_rating_change(view), *view.words(), *shown)
    return LetterBlocks(_ending(view), (*above, *game_board(view, *ends, *look)), record=True)


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
        ending = join_sentences(last, say("all-alive"), area)
    ending = say("agreed-void") if any(view.events_of(ev.Voided)) else ending
    return join_sentences(ending, view.say("over", **values))


def _rating_change(view: LetterView) -> tuple[Words, ...]:
    if not view.game.spec.rated or view.teaching:
        return ()
    if view.game.result == "Void":
        return words(say("no-rating-without-result"))
    if change := view.about.get("rated"):
        before, after = change
        key = "rating-changed" if before else "rating-first"
        old = str(before[0]) if before else ""
        return words(say(key, before=old, now=rating_in_words(after)))
    return words(say("no-rating-change", moves=max(view.game.spec.size), games=MAX_GAMES_PER_MONTH))


def _parting(view: LetterView) -> str:
    if view.teaching:
        return ""
    key = "play-again" if view.facing_engine else "well-played"
    return view.say("opponent-left" if view.about.get("left") else key)
