"""Fresh letters: those that answer nothing of ours, and so do not say which seat they speak for.

Their From is not proven, so nothing in a game is done by them. Whoever has a game is sent its
letter, at the seat's own address, with what they seem to have meant as one click; whoever has
several, the list; and who has none is shown how to begin. Raises a `Refusal` of a proposal alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import get_args

from godaemon.errors import Refusal, Unknown, Unreadable
from godaemon.games import commands as cmd
from godaemon.games.acquaintances import acquaintances
from godaemon.games.model import Phase
from godaemon.games.notices import Kind
from godaemon.rules.points import Size
from mailgate.handling import lesson_requests, line_results
from mailgate.handling.answer_limits import asks_to_begin
from mailgate.handling.context import LetterContext, LetterOutcome
from mailgate.handling.listed_games import by_name, last_ended, meant, open_games
from mailgate.handling.offers import KNOWN, MOST, PlainWords, known_topic
from mailgate.handling.queries import list_games, prepare_answers, send_help, send_topic
from mailgate.handling.seated import Seated
from mailgate.handling.sureness import BY_REPLY
from mailgate.handling.words import meant_now
from mailgate.language.game_lines import GameLine, game_lines
from mailgate.language.meanings import meanings
from mailgate.language.parser import ParsedCommand, ParsedText, parse_text
from mailgate.language.terms import addresses_in, names_in, terms_in
from mailgate.links import leads_elsewhere
from mailgate.tokens import without_tags

NOT_REPEATED = "I could not understand your email, so I have done nothing."
"""In place of a reason that quotes what leads elsewhere."""
_WHICH = "Which of your games do you mean?"
_TITLE = re.compile(r"(?i)\bgo game (\d{1,9})\b")
"""What the subject of a game's letters begins with."""
_SHOWS = (cmd.Show, cmd.Describe, cmd.Sgf, cmd.Kifu, cmd.Help, cmd.History, cmd.Learn)
_OWN_WORDS = (cmd.Say, cmd.Note, cmd.Relocate, cmd.Propose)
"""What holds words or addresses of its writer's own, who may be anybody."""


def find_proposal(context: LetterContext) -> ParsedText | None:
    """The one line that proposes a game among friendly words."""
    text = context.parsed.text
    if text is None or text.commands:
        return None
    subject = without_tags(context.letter.subject)
    read = [*map(_read, context.parsed.lines), *parse_text([], subject).commands]
    found = {one.command: one for one in read if one and _proposes(one)}
    return ParsedText((*found.values(),), "") if len(found) == 1 else None


def _proposes(one: ParsedCommand) -> bool:
    return isinstance(one.command, cmd.Propose)


def answer_fresh(context: LetterContext, refusal: Refusal) -> LetterOutcome | None:
    """Answer what was refused because it is about a game; None where the refusal is the answer."""
    parsed = context.parsed
    if not isinstance(refusal, Unreadable) or asks_to_begin(parsed.lines, parsed.letter.subject):
        return None
    stranger = context.limits.is_stranger(context.sender)
    games = open_games(context.games, context.sender)
    words = parsed.text and not parsed.commands
    by_reply = refusal.detail == BY_REPLY and len(games) != 1
    if stranger and not (games or words or by_reply):
        return None
    if found := context.limits.backscatter(parsed.letter, parsed.lines, context.sure):
        return LetterOutcome("ignored", detail=found)
    if by_reply:
        return _by_reply(context, refusal)
    return _of_games(context, refusal, games) if games or not stranger else _newcomer(context)


def wish_for_game(context: LetterContext) -> Unknown | None:
    """What to write, for words that wish for a game with a program or a person; None for others.

    By the number of the last game, `rematch` asks its other player once more.
    """
    parsed = context.parsed
    again = any(isinstance(one.command, cmd.Rematch) for one in parsed.commands)
    if (parsed.commands and not again) or parsed.refusal is not None:
        return None
    words = PlainWords(" ".join(parsed.lines)[:_LONGEST], meanings("\n".join(parsed.lines)))
    likely = [name for name, share in words.ranked[:MOST] if share >= KNOWN]
    likely = ["rematch"] if again else likely
    line = _game_line(context, words.text, likely)
    if not line:
        return None
    return Unknown(
        "Nothing was proposed yet. To invite them, write the line below, with whatever terms you"
        " like.",
        hints=(line,),
    )


_LONGEST = 1_000


def _game_line(context: LetterContext, text: str, likely: Sequence[str]) -> str:
    """The line that asks for the game that some words wish for; "" for none."""
    engines = context.games.engines
    others = acquaintances(context.unit, context.sender)
    terms = "".join(terms_in(text))
    known = [*(one.name for one in others), *engines.names]
    named = [*addresses_in(text), *names_in(text, known)]
    if "rematch" in likely and not named and (over := _last_played(context)):
        return f"rematch {over.game.id} {terms}".strip()
    if "programs" in likely and engines.gentlest:
        named = [engines.gentlest]
    if not named or not {"new", "programs", "rematch", "counter", "opponents"} & {*likely}:
        return ""
    size = "" if "x" in terms.split(" ")[0] else "9x9" if named[0] in engines.names else "19x19"
    return " ".join(f"new {size} {terms} vs {named[0]}".split())


def _last_played(context: LetterContext) -> Seated | None:
    """The game that was played last by somebody who has none going on."""
    if open_games(context.games, context.sender):
        return None
    ended = last_ended(context.games, context.sender)
    return ended[0] if ended and ended[0].game.phase is Phase.FINISHED else None


def _newcomer(context: LetterContext) -> LetterOutcome:
    """How to begin, or a lesson; for somebody who has no game yet."""
    words = PlainWords(" ".join(context.parsed.lines), meanings("\n".join(context.parsed.lines)))
    found = known_topic(words)
    if found is not None and found.name == "learn":
        lesson_requests.send(context, cmd.Learn())
        return LetterOutcome("accepted", detail="a lesson for a newcomer")
    asked = _asked(context)
    if _asks_only(asked, cmd.Help):
        return _helped(context, asked)
    send_help(context, found.name if found is not None and found.text else "")
    return LetterOutcome("accepted", detail="help for a newcomer")


def _by_reply(context: LetterContext, refusal: Refusal) -> LetterOutcome:
    """The list of games, a reply to which shows who writes; it says what to reply."""
    list_games(context.unread(), news=refusal.public)
    return LetterOutcome("refused", detail=refusal.detail)


def _of_games(context: LetterContext, refusal: Refusal, games: Sequence[Seated]) -> LetterOutcome:
    """The letter of the game that is meant, or the list."""
    asked = _asked(context)
    looks = _asks_only(asked, *_SHOWS)
    if looks and not games:
        games = last_ended(context.games, context.sender)
    found = _about(games, asked, context.letter.subject)
    if len(found) == 1:
        return _of_game(context, refusal, found[0], [line.said for line in asked])
    if _asks_only(asked, cmd.Help, cmd.Learn):
        return _helped(context, asked)
    if not asked and not context.parsed.refusal and send_topic(context, context.parsed.lines):
        return LetterOutcome("accepted", detail="help")
    near = [GameLine(hint, hint) for hint in refusal.hints] if context.parsed.refusal else asked
    said = {one.game.id: _possible(context, one, near)[0] for one in found}
    news = _WHICH if asked and len(found) > 1 else ""
    news = _reason(refusal) if context.parsed.refusal else news
    list_games(context.unread(), said=said, news=news, fresh=not looks)
    return LetterOutcome("refused", detail="no token, and several games")


def _helped(context: LetterContext, asked: Sequence[GameLine]) -> LetterOutcome:
    """What is asked of no game in particular."""
    text = ParsedText(tuple(read for line in asked if (read := _read(line.said))), "")
    for answer in prepare_answers(context, text):
        answer()
    return LetterOutcome("accepted", detail="help")


def _asked(context: LetterContext) -> list[GameLine]:
    """The commands of the letter, each with the game that its line names."""
    if not context.parsed.lines:
        return [GameLine(one.line, one.line) for one in context.parsed.commands]
    named = by_name(context.games, context.sender)
    return [line for line in game_lines(context.parsed.lines, named) if _command(line.said)]


def _read(said: str) -> ParsedCommand | None:
    """The one command that a line is; None for words, and for what is only nearly a command."""
    try:
        commands = parse_text([said]).commands
    except Refusal:
        return None
    return commands[0] if len(commands) == 1 else None


def _command(said: str) -> cmd.Command | None:
    found = _read(said)
    return found.command if found else None


def _asks_only(asked: Sequence[GameLine], *kinds: type) -> bool:
    return bool(asked) and all(isinstance(_command(line.said), kinds) for line in asked)


def _about(games: Sequence[Seated], asked: Sequence[GameLine], subject: str) -> list[Seated]:
    """The games that a letter can be about: those it names, or those that wait for such words."""
    known = {one.game.id: one for one in games}
    titled = {int(number) for number in _TITLE.findall(subject[:300])}
    named = ({line.game for line in asked} & set(known)) or (titled & set(known))
    waits = {number: one.awaits for number, one in known.items()}
    first = _command(asked[0].said) if asked else None
    return [known[number] for number in named or meant(waits, first) if number in known]


def _of_game(
    context: LetterContext, refusal: Refusal, at: Seated, said: Sequence[str]
) -> LetterOutcome:
    """The letter of one game, to the seat's own address, within the limits of that one too."""
    game, word, to = at.game, at.word, at.holder
    if context.enough(to=to):
        return LetterOutcome("ignored", game.id, word, "too many", put_off=True)
    try:
        said = _now(context, at, said)
    except Refusal as back:
        if game.phase is not Phase.PROPOSED:  # there the letter itself asks for a yes or a no
            context.owe(Kind.REFUSED, at, to=to, about=_refused(back))
            return LetterOutcome("refused", game.id, word, "asked back")
    possible, why = _possible(context, at, [GameLine(line, line) for line in said])
    shows = [show for line in possible if isinstance(show := _command(line), _SHOWS)]
    if said and len(shows) == len(said):
        text = ParsedText(tuple(map(ParsedCommand, said, shows)), "")
        for answer in prepare_answers(context, text, at):
            answer()
        return LetterOutcome("accepted", game.id, word, "shown")
    if not possible and why and why.detail == BY_REPLY:
        return _by_reply(context, why)
    if not possible and (why or context.parsed.refusal):
        about = _refused(why or _read_again(context, refusal, game.spec.size))
        context.owe(Kind.REFUSED, at, to=to, about=about)
    else:
        context.unread().owe(Kind.SHOW, at, to=to, about={"meant": possible})
    return LetterOutcome("refused", game.id, word, "no token")


def _now(context: LetterContext, at: Seated, said: Sequence[str]) -> Sequence[str]:
    """What a letter asks by what the game awaits of its writer; raises what to ask back."""
    text, lines = context.parsed.text, context.parsed.lines
    if text is None or not lines or len(said) != len(text.commands):
        return said
    now = meant_now(context, text, at)
    return said if now.commands == text.commands else [*map(line_results.plainly, now.commands)]


def _possible(
    context: LetterContext, at: Seated, asked: Sequence[GameLine]
) -> tuple[list[str], Refusal | None]:
    """The lines that could be done in a game now; and why the first that could not, could not.

    What a forged letter says is repeated as far as it is a command, and leads nowhere else.
    """
    found, why = list[str](), None
    for line in asked:
        read = _read(line.said)
        if read is None or isinstance(read.command, _OWN_WORDS) or leads_elsewhere(line.said):
            continue
        try:
            line_results.check_colors([read], at)
            if isinstance(read.command, get_args(cmd.Action)):
                context.games.decide(at.game.id, at.seat, [read.command], context.caller)
            else:
                prepare_answers(context, ParsedText((read,), ""), at)
        except Refusal as refusal:
            why = why or refusal
            continue
        found.append(line_results.plainly(read))
    return found, why


def _read_again(context: LetterContext, refusal: Refusal, size: Size) -> Refusal:
    """Why a letter cannot be read, in points of the board that it is about."""
    try:
        parse_text(context.parsed.lines, without_tags(context.letter.subject), size=size)
    except Refusal as found:
        return found
    return refusal


def _refused(refusal: Refusal) -> dict[str, object]:
    return {"reason": _reason(refusal), "code": refusal.code, "hints": list(refusal.hints)}


def _reason(refusal: Refusal) -> str:
    return NOT_REPEATED if leads_elsewhere(refusal.public) else refusal.public
