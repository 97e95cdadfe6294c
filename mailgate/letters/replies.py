"""The letters that answer a question, refuse, or apologise. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import zip_longest

from godaemon.diagrams.kifu import figures
from godaemon.errors import Unreadable
from godaemon.games.awaited import Awaited, awaited
from godaemon.games.model import Game, Phase, Seat
from godaemon.games.record_pictures import span
from godaemon.games.views import record
from godaemon.records import sgn
from godaemon.rules.rulesets import RULESETS
from mailgate.language.topics import topic as topic_of
from mailgate.language.topics import topic_named
from mailgate.language.verb_table import verbs
from mailgate.letters.blocks import Block, Choices, Items, LetterBlocks, Quote, Words
from mailgate.letters.letter_view import LetterView
from mailgate.letters.phrases import ACCEPT, DECLINE, capital, conditions, listed, title, when
from mailgate.letters.possible_lines import is_possible
from mailgate.letters.shared_blocks import (
    board,
    drawn,
    how_it_stands,
    how_to_count,
    how_to_move,
    in_words,
    programs,
    verdict,
)
from mailgate.letters.time_phrases import stop_clocks

REASON_LIMIT = 600
LINES = 30
SAID = 20
"""How many messages a look back repeats."""


def refused(view: LetterView) -> LetterBlocks:
    """Why nothing was done, what would work, and the game as it is."""
    reason = " ".join(view.about.get("reason", "").split())[:REASON_LIMIT]
    if view.maybe_game is not None and (result := view.game.result):
        reason = reason.replace(f" over: {result}.", f" over: {verdict(view)}")
    hints = view.about.get("hints", ())
    told = "not passed your words on" in reason
    blocks: list[Block] = [*_replies(view, hints), *_held_words(view, told=told), *echo(view)]
    if view.maybe_game is None and "help" not in hints:
        blocks.append(Words("For what I understand, reply with: `help`", small=True))
    return _beside_game(view, reason or "I could not do what your email asks.", blocks)


def _beside_game(view: LetterView, said: str, blocks: Sequence[Block]) -> LetterBlocks:
    """What is said first, and more; with the game that the letter is about, if it is about one."""
    first = _quoted(said)
    if view.maybe_game is None:
        return LetterBlocks(first, tuple(blocks))
    turn = [Words(view.whose_turn())] if view.whose_turn() else []
    return LetterBlocks(first, (*blocks, *turn, *_present(view)))


def _quoted(said: str) -> str:
    """A first line, in which there are no links."""
    return re.sub(r"`([^`]*)`", r"“\1”", said)


def _held_words(view: LetterView, *, told: bool = False) -> Iterator[Words]:
    """How the reader's words can still be passed on, where they were held back.

    `told` says that the reader has just read that they were.
    """
    if not view.about.get("unsent"):
        return
    if view.teaching:
        yield Words("To keep your words in the record as they are, reply with: `send`")
    elif view.game.player(view.seat.other).mailed:
        first = "" if told else f"I have not passed your words on to {view.other}. "
        yield Words(f"{first}To send them as they are, reply with: `send`")


def aside(view: LetterView) -> Iterator[Block]:
    """What a letter about something else says of the rest of what its reader wrote."""
    said = view.about["aside"]
    if "reason" in said:
        yield Words(said["reason"])
        yield from _replies(view, said["hints"])
    yield from _held_words(view, told="reason" in said)


def _answered(view: LetterView, name: str) -> Iterator[Block]:
    found = topic_named(name) or topic_of("help")
    yield Words(found.text)
    yield from _replies(view, found.lines)


def _replies(view: LetterView, hints: Sequence[str]) -> Iterator[Items]:
    """What may be replied, without what the game would refuse now."""
    if items := tuple(f"Reply with: `{hint}`" for hint in hints if _possible(view, hint)):
        yield Items(items)


def _possible(view: LetterView, hint: str) -> bool:
    return view.maybe_game is None or is_possible(view.game, view.seat, hint)


def topic(view: LetterView) -> LetterBlocks:
    """What there is to say of each thing that was asked, beside the game that it is about."""
    found = topic_named(view.about["topic"]) or topic_of("help")
    blocks: tuple[Block, ...] = (
        *_invites(view, found.name),
        *_replies(view, found.lines),
        *_held_words(view),
    )
    return _beside_game(view, found.text, blocks)


def _invites(view: LetterView, asked: str) -> Iterator[Words]:
    """Who has asked for the game, to whom it is offered, and who would know who writes."""
    game = view.maybe_game
    invited = (
        game is not None and game.phase is Phase.PROPOSED and game.side(view.seat) is Seat.INVITED
    )
    if invited and asked in ("who", "help"):
        yield Words(f"{view.other} has asked me to invite you to this game.")


def echo(view: LetterView) -> Iterator[Quote]:
    """The lines of the letter that is answered, each with what came of it."""
    lines, results = (view.about.get(name, ())[:LINES] for name in ("lines", "results"))
    each = zip_longest(lines, results, fillvalue="")
    if lines:
        said = (f"{line}   ({what})" if what else line for line, what in each)
        yield Quote("You wrote:", tuple(said))


def _present(view: LetterView) -> tuple[Block, ...]:
    """The game as it is, and what can be replied to it."""
    return (*_answers(view), *board(view))


def _answers(view: LetterView) -> Iterator[Choices]:
    """What can be replied before the game has started."""
    game = view.game
    if game.phase is not Phase.PROPOSED:
        return
    waits = awaited(game, view.seat)
    if waits is Awaited.INVITATION:
        yield Choices((ACCEPT, DECLINE))
    elif waits is Awaited.CONFIRMATION:
        yield Choices((("yes", "go on with it"), ("no", "nothing happens, and I forget about it")))
    else:
        what = "challenge" if game.spec.open else "terms" if game.counters else "invitation"
        yield Choices((("withdraw", f"take the {what} back"),))


def show(view: LetterView) -> LetterBlocks:
    """The board, as it is or as it was."""
    game = view.game
    number = view.about.get("move")
    if isinstance(number, int):
        return _past(view, number)
    if view.about.get("words_only"):
        return LetterBlocks(_passed_on(view), (*view.words(), *_besides(view), *_present(view)))
    if game.black is None:
        return LetterBlocks(
            f"Game {game.id} has not started. {_proposal(game)}".strip(), _present(view)
        )
    first = f"This is game {game.id} {when(game.move_number)}. {how_it_stands(view)}"
    return LetterBlocks(first, board(view))


def _besides(view: LetterView) -> Iterator[Words]:
    """How to stop one's clock, for who says that they will be away; or to play once more."""
    if view.about.get("again"):
        yield Words("For another game on the same terms, colours exchanged, reply with: `rematch`")
    elif view.about.get("back"):
        yield Words("Your clocks stand, as you are away. To let them run, reply with: `back`")
    else:
        yield from stop_clocks(view.about.get("away", ""))


def _passed_on(view: LetterView) -> str:
    """Where the reader's words went, and what is still awaited of them."""
    game, last = view.game, " I confirm no more words today." if view.about.get("last") else ""
    went = f"I passed your words on to {view.other}"
    if view.teaching:
        went = "I kept your words in the record"
    elif not game.player(view.seat.other).mailed:
        went = f"{view.other} is a program and reads no words, so yours are in the record alone"
    if game.phase is Phase.SCORING and view.color not in game.agreed:
        return f"{went}. The score still waits for you to agree to it.{last}"
    if view.my_turn:
        return f"{went}; there was no move among them, and it is still your move.{last}"
    return f"{went}. {view.whose_turn()}".strip() + last


def _proposal(game: Game) -> str:
    if game.phase.over:
        return f"It was {game.phase.value}."
    return "It waits for the invitation to be accepted." if game.confirmed else ""


def _past(view: LetterView, number: int) -> LetterBlocks:
    """An earlier position; whoever answers this letter with a move is told that it is old."""
    game = view.game
    position = game.position.copy()
    while position.move_number > number:
        position.undo()
    then = replace(game, position=position)
    words = (
        "This is a look back and not the game as it is now: to move, please answer the newest"
        " email of the game. For the present board, reply with: `show`"
    )
    if view.about.get("game_too"):
        words += f". For your game number {number}, reply with: `show game {number}`"
    facts = Words(capital(conditions(game)), small=True)
    return LetterBlocks(
        f"Game {game.id} as it stood {when(number)}. {_whose_turn_then(view, then)}".strip(),
        (Words(words), *_said(view, number), in_words(view, then), drawn(position), facts),
        counted=False,
    )


def _whose_turn_then(view: LetterView, game: Game) -> str:
    if game.to_move is None:
        return "Play had stopped." if game.phase is Phase.SCORING else ""
    if view.teaching:
        return f"{title(game.to_move)} was to move."
    other = f"{view.other} ({title(game.to_move)}) was"
    return f"{'You were' if view.mine(game.to_move.word) else other} to move."


def _said(view: LetterView, number: int) -> Iterator[Quote]:
    """The last words of both players up to then, each with the move at which it was said."""
    lines = tuple(
        view.remark(said)
        for said in [one for one in view.game.chat if one.move_number <= number][-SAID:]
    )
    if lines:
        yield Quote("What had been said:", lines)


def sgf(view: LetterView) -> LetterBlocks:
    """The record, attached."""
    game = view.game
    first = f"The record of game {game.id} is attached as game-{game.id}.sgf."
    return LetterBlocks(
        f"{first} {how_it_stands(view)}".strip(),
        (
            Words("Any Go program opens it; the words of both players are in it."),
            *board(view, *_on_one_line(game)),
        ),
        record=True,
    )


def _on_one_line(game: Game) -> Iterator[Quote]:
    """The moves in Simple Go Notation, for who would keep them in a note or send them on."""
    if game.move_number:
        with suppress(Unreadable):  # it has no words for a game that began from a position set up
            written = sgn.write(record(game))
            yield Quote("The moves on one line, in Simple Go Notation:", (written,))


def kifu(view: LetterView) -> LetterBlocks:
    """The game as a picture, or a part of it, in the place of the board; text has all its moves."""
    game = view.game
    asked = view.about.get("moves", "")
    first, last = span(asked, game.move_number)
    parts = figures(game.spec.size, first, last)
    which = f"Moves {first} to {last}" if asked else "All moves"
    many = f" in {len(parts)} figures" if len(parts) > 1 else ""
    shown = f"{which} of game {game.id} are on one picture{many}, game-{game.id}.png."
    return LetterBlocks(
        f"{shown} {how_it_stands(view)}".strip(),
        board(
            view,
            Words(
                "Each stone has the number of its move; moves where a number stands already are"
                " told below the figure."
            ),
            *_other_figures(parts, game.move_number),
            Words("For a file that Go programs open, reply with: `sgf`"),
            *_on_one_line(game),
        ),
        kifu=True,
    )


def _other_figures(parts: list[tuple[int, int]], moves: int) -> Iterator[Words]:
    """How to ask for one figure of several, or for the whole game."""
    if len(parts) > 1:
        first, last = parts[-1]
        yield Words(f"For one figure alone, reply with its moves, such as: `kifu {first}-{last}`")
    elif parts != [(1, moves)]:
        yield Words("For the whole game, reply with: `kifu`")


def trouble(view: LetterView) -> LetterBlocks:
    """Our own fault."""
    return LetterBlocks(
        view.about.get("why")
        or "Something went wrong here while I was reading your email; this is no fault of yours.",
        (
            Words(
                "Your email is kept safe, and nothing is lost. The people who run this server can"
                " see what happened, and your email is taken up again when the fault is mended."
            ),
            Words("You need not send it again."),
        ),
    )


def help_letter(view: LetterView) -> LetterBlocks:
    """What is of use now; all that can be written; or what there is to say of one word."""
    word = view.about.get("topic")
    if word and word != "all":
        return topic(view)
    return _everything(view) if word else _short_help(view)


def _short_help(view: LetterView) -> LetterBlocks:
    """A dozen lines for where the reader stands."""
    game = view.maybe_game
    if game is None:
        ours = sorted(programs(view), key=lambda row: not row[0].endswith(" house"))[:1]
        rows = (*_BEGINNING[:1], *ours, *_BEGINNING[1:], _ALL)
        answers = (topic_of(name).text for name in view.about.get("more", ()))
        first, *others = *answers, _TO_BEGIN
        return LetterBlocks(_quoted(first), (*map(Words, others), Choices(rows)))
    if game.phase.over:
        heading, rows = "This game is over. What you can write about it, and what else:", _AFTER
    elif game.phase is Phase.SCORING:
        heading, rows = "You are counting. What you can write now:", _COUNTING
    else:
        heading, rows = "What you can write in a game, one thing a line:", _PLAYING
    return LetterBlocks(heading, (*_awaited(view), Choices((*rows, _ALL), label="Write:")))


_TO_BEGIN = "You play Go by answering my emails. To begin, reply with one of these lines:"
_ALL = ("help all", "Everything else, word by word; help komi explains one word.")
_BEGINNING = (
    ("learn", "The rules of Go in three short emails, and then a first game."),
    ("new 9x9 vs bob@example.org", "A game with somebody: I invite them once you say yes."),
    ("new 13x13 open", "A game for whoever likes to take it; challenges lists what others offer."),
    ("watch", "Lists the games of others that you may watch."),
    ("games", "Lists yours, each with its board."),
    ("settings", "Which emails you get, and how they look."),
)
_PLAYING = (
    ("D4", "Plays a stone; words below it go to your opponent."),
    ("pass", "Plays no stone; after two passes you count."),
    ("undo", "Asks your opponent for your last move back."),
    ("if D4 then E5", "Plans your answer to a move; nobody else sees it."),
    ("note he is weak here", "Keeps words for yourself alone."),
    ("say good luck!", "Passes on words without a move."),
    ("try D4 E5", "Shows the board after some moves; nothing is played."),
    ("history", "What was played and said."),
    ("score", "Who is ahead, where both of you agreed to that."),
    ("vacation 4 days", "Stops your clocks in all games; back ends it."),
    ("emails my-turn", "Fewer emails; settings shows all of that."),
    ("resign", "Gives the game up."),
)
_COUNTING = (
    ("dead Q16 C3", "Marks groups dead: one stone of each is enough."),
    ("alive Q16", "Takes that back."),
    ("propose", "My opinion on what is dead; nothing is marked by it."),
    ("done", "Agrees to the score as it is shown; when both have, the game ends."),
    ("resume", "Goes back to playing."),
    ("say good luck!", "Passes on words."),
)
_AFTER = (
    ("review", "Which moves lost most, and what was better."),
    ("rematch", "Another game with the same player, colours exchanged."),
    ("sgf", "The game as a file for Go programs; kifu is a picture of it."),
    ("history", "What was played and said."),
    ("games", "Your other games, and how to begin one."),
)


def _everything(view: LetterView) -> LetterBlocks:
    """All that can be written, from the one table of the language."""
    new = verbs()["new"]
    arguments = new.arguments.replace("|", " or ")
    rows = (*((entry.examples[0], entry.help) for entry in verbs().values()), *programs(view))
    return LetterBlocks(
        f"You play Go by answering my emails. To begin, reply with: `{new.examples[0]}`",
        (
            Words("New to Go? For its rules in three short emails, reply with: `learn`"),
            Words(
                "I ask you to confirm that, invite the other player, and write to you both when the"
                " game starts. From then on each move is a short reply, such as: `D4`"
            ),
            Words(
                "What you want goes on the first lines of your email, one thing a line; the first"
                " line that is none of the following begins your words to your opponent. What is"
                " quoted from older emails is not read."
            ),
            *_awaited(view),
            Choices(rows, label="Write:"),
            Words(f"A new game is described in words of any order: {arguments}"),
            Words(f"Rules that I know: {listed(tuple(RULESETS))}."),
        ),
    )


def _awaited(view: LetterView) -> Iterator[Block]:
    """What the game that the help was asked about waits for."""
    if view.maybe_game is None or view.game.phase.over:
        return
    if view.game.phase is Phase.SCORING:
        yield replace(how_to_count(view), clicks="")  # no board to click on
    elif view.my_turn:
        yield how_to_move(view)
    else:
        yield from _answers(view)
