"""Games asked for in words: the line that proposes one, and a yes to an email that offers it.

A yes needs a good token. Any other letter is only offered the line.
"""

from collections.abc import Sequence
from dataclasses import replace

from godaemon.errors import Refusal, Unknown
from godaemon.games import commands as cmd
from godaemon.games.model import Phase
from godaemon.games.notices import Notice
from godaemon.games.people import acquaintances
from godaemon.games.proposals import colored_lines, proposal_line
from godaemon.records.record import Record
from godaemon.texts.catalogue import join_sentences, sentence
from mailgate.handling.context import LetterContext
from mailgate.handling.decision_table import GameMoment
from mailgate.handling.parsed_letter import read_record
from mailgate.handling.plain_words import KNOWN, MAX_LINES, PlainWords, leaves_rest, wished_lines
from mailgate.handling.player_games import last_ended_game, open_games
from mailgate.language.acting_statements import (
    has_retraction,
    is_greeting,
    is_name,
    is_polite,
    read_consent,
    words_beside_yes,
)
from mailgate.language.lexicon import lexicon
from mailgate.language.meaning_model import meaning
from mailgate.language.new_game import read_terms
from mailgate.language.parser import ParsedCommand, ParsedText, parse_text
from mailgate.language.statement_splitting import Statement, sentences, statements
from mailgate.language.terms import addresses_in, leaves_terms_open, names_in, terms_in, with_size
from mailgate.tokens import strip_tags

_MAX_CHARACTERS = 1_000
_REQUESTS = {"new", "programs", "rematch", "counter", "opponents"}  # meanings that ask for a game
_ACCEPTING_COMMANDS = cmd.Yes | cmd.Agree | cmd.Send | cmd.Counter
_ACCEPTING = ("yes", "agree", "done", "send", "new", "counter")
"""Meanings of a first sentence that takes an offer."""
_CONTRADICTING = {"no", "stop", "block", "undo", "forget", "resign", "who", "help"}
"""Meanings of a sentence beside a yes that make it none."""
_MIN_PROBABILITY = 0.5  # minimum probability that a first sentence takes the offer


def read_command(line: str) -> ParsedCommand | None:
    """The one command that a line is, or None."""
    try:
        commands = parse_text([line]).commands
    except Refusal:
        return None
    return commands[0] if len(commands) == 1 else None


def find_proposal(context: LetterContext) -> ParsedText | None:
    """The only line that proposes a game in a letter without commands at its top, or None."""
    text = context.parsed.text
    if text is None or text.commands:
        return None
    subject = strip_tags(context.letter.subject)
    parsed = [*map(read_command, context.parsed.lines), *parse_text([], subject).commands]
    proposals = {one.command: one for one in parsed if one and isinstance(one.command, cmd.Propose)}
    return ParsedText((*proposals.values(),), "") if len(proposals) == 1 else None


def take_up_proposal(context: LetterContext, answered: Notice | None) -> LetterContext:
    """The letter, with the proposal that the answered email offers in place of a yes to it.

    Terms beside the yes change the proposal: `Yes please, and I'll be Black.` The line itself may
    stand among other words.
    """
    offered = _offered_proposal(context, answered)
    commands = [one.command for one in context.parsed.commands]
    if offered is None or not all(isinstance(one, _ACCEPTING_COMMANDS) for one in commands):
        return context
    lines, text = context.parsed.lines, find_proposal(context)
    words = words_beside_yes(lines) if text is None else ""
    if counters := [dict(one.terms) for one in commands if isinstance(one, cmd.Counter)]:
        text = parse_text([proposal_line(replace(offered, **counters[0]))])
    elif text is None and accepts_offer(lines) and not leaves_terms_open(" ".join(lines)):
        text = parse_text(_with_terms(offered, " ".join(lines)))
    found = text.commands[0].command if text is not None else None
    if text is None or not isinstance(found, cmd.Propose) or found.opponent != offered.opponent:
        return context
    text = replace(text, message=words)
    return replace(context, parsed=replace(context.parsed, text=text, refusal=None))


def keep_record(context: LetterContext, answered: Notice | None) -> LetterContext:
    """The letter, with the record of the letter that asked for the game which it proposes."""
    about, parsed = answered.about if answered else {}, context.parsed
    own = [one.command for one in parsed.commands if isinstance(one.command, cmd.Propose)]
    offered = {one.opponent for one in _proposals(about.get("hints", ()))}
    is_offered = not offered.isdisjoint(one.opponent for one in own)
    if "record" not in about or parsed.letter.attached or not is_offered:
        return context
    letter = replace(parsed.letter, attached=(about["record"].encode(),))
    record = read_record(replace(parsed, letter=letter))
    if not isinstance(record, Record) or [one.size for one in own] != [record.size]:
        return context
    return replace(context, parsed=replace(parsed, letter=letter, record=record))


def accepts_offer(lines: Sequence[str]) -> bool:
    """True for words that begin with a yes, and neither ask, doubt nor refuse anything.

    >>> accepts_offer(["Yes please, invite him! I'd like to be Black."])
    True
    >>> accepts_offer(["Yes, but don't write to him yet."]), accepts_offer(["Does it cost much?"])
    (False, False)
    """
    rows = [line for line in lines if line.strip() and not is_greeting(line)]
    parts = [one for row in rows for one in sentences(row) if not is_polite(one)]
    if not parts or has_retraction(lines) or len(" ".join(lines)) > _MAX_CHARACTERS:
        return False
    shares = dict(meaning(parts[0]).likely)
    says_yes = read_consent([statements(parts[0])[0].text])
    if not says_yes and sum(shares.get(name, 0.0) for name in _ACCEPTING) < _MIN_PROBABILITY:
        return False
    others = [one for part in parts for one in statements(part) if not read_consent([one.text])]
    likely = [meaning(part).likely[0] for part in parts[1:] if not is_name(part)]
    refuses = any(name in _CONTRADICTING and share >= KNOWN for name, share in likely)
    return not refuses and not any(map(_is_doubtful, others))


def _is_doubtful(statement: Statement) -> bool:
    """True for a statement that asks or doubts, unless it is a wish for terms."""
    known, text = lexicon(), statement.text
    for phrase in (one for one in known.polite if "-" in one):
        text = text.replace(phrase.replace("-", " "), "")  # `s'il vous plaît`
    doubts = known.doubts_in(Statement(text, 0, 0, asks=False).words)
    return statement.asks or bool(doubts - known.wishes if terms_in(text) else doubts)


def _offered_proposal(
    context: LetterContext, answered: Notice | None, *, alone: bool = True
) -> cmd.Propose | None:
    """The one proposal that an email to the sender offers, by default `alone`, or None.

    Lines that differ in the colour offer the proposal without a colour.
    """
    if answered is None or answered.game or answered.to.casefold() != context.sender.casefold():
        return None
    hints = answered.about.get("hints", ())
    found = _proposals(hints)
    terms = {*found} if len(found) == 1 else {replace(one, color=None) for one in found}
    return terms.pop() if len(terms) == 1 and (len(found) == len(hints) or not alone) else None


def _proposals(lines: Sequence[str]) -> list[cmd.Propose]:
    """The proposals among some lines."""
    commands = [one.command for one in map(read_command, lines) if one]
    return [one for one in commands if isinstance(one, cmd.Propose)]


def _with_terms(proposal: cmd.Propose, text: str) -> list[str]:
    """The lines that propose a game with the terms in a text, two for a colour of nobody."""
    terms = [dict(read_terms(one)) for one in terms_in(text)] or [{}]
    return [proposal_line(replace(proposal, **one)) for one in terms]


def suggest_game(context: LetterContext) -> Unknown | None:
    """The refusal with the line that proposes a game, if the words ask for one; else None."""
    parsed = context.parsed
    offered = _offered_proposal(context, context.answered_notice, alone=False)
    rematch = parsed.has_command(cmd.Rematch)
    if (parsed.commands and not rematch) or parsed.refusal is not None:
        return None
    words = PlainWords.from_text("\n".join(parsed.lines), context.games.engines.easiest)
    ranked = words.ranked_meanings[:MAX_LINES]
    likely = {"rematch"} if rematch else {name for name, share in ranked if share >= KNOWN}
    requests = [name for name, _ in ranked if name in _REQUESTS]
    if sum(share for name, share in ranked if name in _REQUESTS) >= KNOWN:
        likely |= {*requests[:1]}
    text = " ".join(parsed.lines)[:_MAX_CHARACTERS]
    terms = terms_in(text)
    lines = [*filter(None, (_proposing_line(context, text, likely, one) for one in terms or [""]))]
    says_yes = any(read_consent([one.text]) for one in statements(text))
    accepts = terms or says_yes or not likely or likely.intersection(_ACCEPTING)
    if not lines and offered and accepts:
        lines = _with_terms(offered, text)
    if not lines:
        return None
    wished = wished_lines(words, GameMoment.NONE, None)
    others = [one for name, one in wished.items() if name not in _REQUESTS]
    against = lines[0].rpartition(" ")[2]
    reason: str = sentence("which-color" if lines[1:] else "nothing-proposed-yet")
    for asked in _proposals(lines):
        if asked.handicap and asked.color is None:
            reason, lines = sentence("whose-stones"), [*colored_lines(asked)]
    if others:
        reason = join_sentences(*([reason] if lines[1:] else []), sentence("several-wishes"))
    elif against in context.games.engines.names:
        reason = sentence("program-offered", program=against)
    if not others and leaves_rest(words, {*_REQUESTS, *wished, *(_ACCEPTING if offered else ())}):
        reason = join_sentences(reason, sentence("rest-unread"))
    return Unknown(reason, hints=(*lines, *others)[:MAX_LINES])


def _proposing_line(context: LetterContext, text: str, likely: set[str], terms: str) -> str:
    engines = context.games.engines
    others = acquaintances(context.unit, context.sender)
    known_names = [*(one.name for one in others), *engines.names]
    opponents = [*addresses_in(text), *names_in(text, known_names)]
    if "rematch" in likely and not opponents and not open_games(context.games, context.sender):
        for view in last_ended_game(context.games, context.sender):
            if view.game.phase is Phase.FINISHED:
                return f"rematch {view.game.id} {terms}".strip()
    if "programs" in likely and engines.easiest:
        opponents = [engines.easiest]
    invites = addresses_in(text) and not likely & {"stop", "block", "forget"}
    stranger = context.limits.is_stranger(context.sender)
    if not opponents or not (_REQUESTS & likely or (invites and stranger)):
        return ""
    size = "9x9" if opponents[0] in engines.names else "19x19"
    if isinstance(record := context.parsed.record, Record):
        size = str(record.size)
    return f"new {with_size(terms, size)} vs {opponents[0]}"
