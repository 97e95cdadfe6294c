"""A letter read by what its sender is awaited to do: the same words mean one thing at each moment.

Pure; raises `Unreadable` alone, with one-click replies. `yes` answers an invitation, agrees to a
score that the opponent has agreed to, and is talk in the middle of a game. Words alone go to the
opponent where they can only be talk; where they may be meant for us they wait for their sender.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from godaemon.errors import Unreadable
from godaemon.games import commands as cmd
from godaemon.games.awaited import Awaited
from godaemon.games.event_notices import is_known_board
from godaemon.games.model import Game, Phase
from mailgate.address import clean_quote
from mailgate.handling.consent_answers import (
    ask_consent,
    check_terms,
    consent_choices,
    consented,
    said_by,
    takes_back_answer,
    vote,
)
from mailgate.handling.finished_games import offer_rematch
from mailgate.handling.score_words import agrees_to_score, ask_back_counting, offer_marks
from mailgate.handling.seated import Seated
from mailgate.handling.unclear_moves import (
    ask_place,
    ask_where,
    check_turn,
    offer_stones,
    unsure,
)
from mailgate.handling.void_answers import declines, void_asked
from mailgate.language.consent import grants, read_consent
from mailgate.language.opponent_words import clean_message
from mailgate.language.parser import ParsedCommand, ParsedText, is_command_line
from mailgate.language.questions import AHEAD, NOW, question_to_us, topic_named
from mailgate.language.reserved import Reservation
from mailgate.language.talk import LONGEST, is_greeting, statements, vertices
from mailgate.language.third_person import is_about, is_unwanted
from mailgate.language.vacations import absence_in
from mailgate.language.wishes import plays_again, wish_in
from mailgate.language.written_moves import TAIL, normalize
from mailgate.late_patterns import late
from mailgate.reading.automatic_mail import promises_answer
from mailgate.reading.reply_trimming import fold_space


def in_the_moment(text: ParsedText, lines: Sequence[str], at: Seated) -> ParsedText:
    """A letter's commands and words as they are meant now; raises what to ask back."""
    game = at.game
    _check_promise(text, lines, at)
    if choices := consent_choices(at):
        check_terms(text, lines, choices, at)
        return consented(text, lines, choices, at.opponent.name)
    if game.black is None:  # not begun, or never to begin: nobody is there to pass words on to
        return text
    if _speaks_to(text, lines, at):
        return ParsedText((), text.held)
    text = _refusing(text, lines, at)
    # Other terms are none of a game that is on: `ok, only this time` is a yes there.
    helps = all(isinstance(one.command, cmd.Help | cmd.Counter) for one in text.commands)
    if [one.command for one in text.commands] == [cmd.Help("godaemon")]:
        _keep_from(text.held, at)  # who asks whether they are a robot
    if helps:
        ask_place(text, lines, at)
        offer_rematch(lines, game)
        offer_to_tell(lines, at)
    if asked_of(at):
        return _granting(text, lines, at, asks=not helps)
    if (answer := _answer(text, lines, at)) is not None:
        return replace(text, commands=(said_by(lines, answer),))
    vague = cmd.Help | cmd.Counter | cmd.Play
    if text.commands and all(isinstance(one.command, vague) for one in text.commands):
        offer_marks(lines, at)
    text = _to_opponent(text, lines, at)
    talk = _as_talk(_asked_score(_for_us(text, at), game), lines, game)
    if not talk.commands and talk.message:
        offer_stones(talk.message, at)
        _ask_back(talk.message, at)
        _keep_from(talk.message, at)
        _keep_question(talk.message, at)
    return _without_gossip(talk, at)


def _check_promise(text: ParsedText, lines: Sequence[str], at: Seated) -> None:
    """Raise what to ask back for an answer that is put off: a program may say so, or a person."""
    asked = consent_choices(at) or (("yes", "no") if asked_of(at) else ())
    if asked and not text.commands and promises_answer(lines):
        raise ask_consent(lines, asked)


def _answer(text: ParsedText, lines: Sequence[str], at: Seated) -> cmd.Command | None:
    """The no to an offer of no result, or the agreement to the score, that a letter comes to."""
    if void_asked(at) and declines(text, lines):
        return cmd.No()
    agrees = agrees_to_score(text, lines, at) and not promises_answer(lines)
    return cmd.Done() if agrees else None


def _refusing(text: ParsedText, lines: Sequence[str], at: Seated) -> ParsedText:
    """The same with a no to whom would end the game as the words that it is: `What? No!`."""
    cries = [one.command for one in text.commands] == [cmd.Help(NOW.name)]
    if cries and void_asked(at) and read_consent(lines) is False:
        return ParsedText((), clean_message("\n".join(lines)))
    return text


def _speaks_to(text: ParsedText, lines: Sequence[str], at: Seated) -> bool:
    """True for nothing but a question, in a line that begins with the opponent's name."""
    first = statements(next(filter(fold_space, lines), ""))
    names = {at.opponent.name.casefold(), at.opponent.name.casefold().partition(" ")[0]}
    asks = text.held and all(isinstance(one.command, cmd.Help) for one in text.commands)
    named = len(first) > 1 and re.sub(_HAIL, "", first[0].text) in names
    return bool(at.opponent.mailed and asks and named)


def _to_opponent(text: ParsedText, lines: Sequence[str], at: Seated) -> ParsedText:
    """The same with a question beside a move as words, where it calls the opponent by name."""
    others = [one for one in text.commands if not isinstance(one.command, cmd.Help)]
    name = at.opponent.name.casefold().partition(" ")[0]
    asked = [one for line in lines for one in _QUESTION.findall(normalize(line[:LONGEST]))]
    called = [re.search(rf"(?:^\W*|[,;] ?){re.escape(name)}(?:,|\W*$)", one) for one in asked]
    if not (others and text.held and at.opponent.mailed and any(called)):
        return text
    return replace(text, commands=tuple(others), message=text.held, held="")


_HAIL = r"^(?:hi|hello|hey|dear|so|and|oh|well|ok) "


def _granting(text: ParsedText, lines: Sequence[str], at: Seated, *, asks: bool) -> ParsedText:
    """A letter of whom the other has asked something; `asks` tells that it asks for more itself."""
    if undo_asked(at) and [one.command for one in text.commands] == [cmd.Undo()]:
        raise ask_consent(lines, ("yes", "no"))
    yes = None if asks else read_consent(lines)
    played = [one for one in text.commands if isinstance(one.command, cmd.Play | cmd.Pass)]
    if takes_back_answer(text, lines) or (played and grants(lines)):
        raise ask_consent(lines, ("yes", "no"), tuple(one.line for one in played))
    unclear = _answers(text.message) or vertices(text.message) or _wonders(text.message)
    unclear = unclear or grants(lines)
    if yes is None and unclear and not asks and (not text.commands or grants(lines)):
        raise ask_consent(lines, ("yes", "no"))
    return text if yes is None else replace(text, commands=(said_by(lines, vote(yes)),))


def _wonders(words: str) -> bool:
    """True for a question of whoever is asked, which is not to the other player."""
    said = statements(words[:LONGEST])
    to_them = any(_TO_YOU.search(one.text) for one in said)
    return not to_them and any(one.asks and _OF_THE_WISH.search(one.text) for one in said)


_OF_THE_WISH = late(
    r"\b(?:i|me|my|mine|he|she|him|her|it|moves?|back|no|yes|agree|allow\w*|usual|customary|why)\b"
)
"""What a question is about that is about what the other player asks."""


def offer_to_tell(lines: Sequence[str], at: Seated) -> None:
    """Raise the line that says it, for words that would have the opponent told something."""
    if at.game.black is None:
        return
    first, name = next(filter(fold_space, lines), ""), at.opponent.name
    other = re.escape(name.partition(" ")[0])
    whom = f"(?:{other}|him|her|them)"
    asked = re.fullmatch(rf"(?i)(?:please )?tell {whom} (?:that )?([^?]{{4,{LONGEST}}})", first)
    told = asked[1] if asked else ""
    named = vertices(told) and len(told.split()) <= _POINTS
    ours = told.startswith("to ") or is_command_line(told) or named
    if other and told and not ours and not _GIVING_UP.search(normalize(told)):
        raise Unreadable(
            f"To tell {name} something, write it behind say, as they shall read it. I have told"
            " nobody yet.",
            hints=(f"say {told}",),
        )


def _for_us(text: ParsedText, at: Seated) -> ParsedText:
    """The same where the opponent is a program, to which nobody speaks: what is asked is for us."""
    if at.game.spec.teaching or at.opponent.mailed or not text.message:
        return text
    lines = text.message.split("\n")
    said = [one for line in lines for one in statements(line)]
    wished = (topic_named(wish_in(one.text, alone=True)) for one in said)
    topic = question_to_us(lines) or next(filter(None, wished), None)
    if topic is None or topic is NOW:
        return text
    asked = ParsedCommand(clean_quote(text.message, 200), cmd.Help(topic.name))
    return replace(text, commands=(*text.commands, asked), message="", held=text.message)


def _asked_score(text: ParsedText, game: Game) -> ParsedText:
    """The same with an estimate where nothing else was asked, and this game has them.

    Where it has none, who asks how it goes is shown how it stands.
    """
    if game.phase is Phase.PLAYING and not game.spec.estimable:
        return replace(text, commands=tuple(map(_how_it_goes, text.commands)))
    asked = [one for one in text.commands if one.command == cmd.Help("score")]
    may = game.phase is Phase.PLAYING and game.spec.estimable and is_known_board(game)
    said = [one for line in text.held.split("\n") for one in statements(line)]
    wishes = {wish_in(one.text, alone=True) for one in said if len(one.words) > 1}
    if not asked or not may or wishes - {"score"}:
        return text
    acted = (replace(one, command=cmd.AskScore()) if one in asked else one for one in text.commands)
    return replace(text, commands=tuple(acted), held="")


def _how_it_goes(one: ParsedCommand) -> ParsedCommand:
    spoken = one.command == cmd.AskScore() and len(one.line.split()) > 1
    asked = spoken or one.command == cmd.Help("score")
    return replace(one, command=cmd.Help(AHEAD.name)) if asked else one


def undo_asked(at: Seated) -> bool:
    """True where the other player has asked for a move back."""
    color = at.color
    return color is not None and at.game.undo_asked is color.opponent


def asked_of(at: Seated) -> bool:
    """True where the other player has asked for a move back, or for others to watch."""
    asked = {at.game.undo_asked, at.game.public_asked}
    return bool(asked - {None, at.color})


def _answers(words: str) -> bool:
    """True for a few words that may grant what was asked, or refuse it."""
    plain = normalize(words[:LONGEST])
    return len(plain.split()) <= _TALK and _ANSWERING.search(plain) is not None


def _as_talk(text: ParsedText, lines: Sequence[str], game: Game) -> ParsedText:
    """The same with answers that we did not ask for as words: they answer the opponent."""

    def _talk(one: ParsedCommand) -> bool:
        if isinstance(one.command, cmd.Yes | cmd.No):
            return True
        # `I agree` while nothing is counted; who says `done` then means the count, and is told.
        early = game.phase is Phase.PLAYING and isinstance(one.command, cmd.Done | cmd.Resume)
        early |= game.phase is Phase.FINISHED and isinstance(one.command, cmd.Resume)
        words = {word.strip(TAIL) for word in normalize(one.line).split(" ")}
        return early and not words & {"done", "resume"}

    left = tuple(one for one in text.commands if not _talk(one))
    if len(left) == len(text.commands):
        return text
    said = [one.line for one in text.commands if _talk(one)]
    words = clean_message("\n".join(lines)) if not left else "\n".join([*said, text.message])
    if text.kept is not None:  # with what is held back, all of it is
        return replace(text, commands=left, held=words.strip())
    return replace(text, commands=left, message=words.strip())


def _is_about_other(message: str, at: Seated) -> bool:
    """Whether words are about the opponent, who would be sent them."""
    other, mine = at.opponent, at.color
    if not other.mailed or at.game.spec.teaching:
        return False
    heard = [one.text for one in at.game.chat if one.color is not mine]
    return is_about(message, other.name, "\n".join(heard[-_HEARD:]))


_HEARD = 3
"""So many of the other's last words may be what `he` stands for."""


def _without_gossip(text: ParsedText, at: Seated) -> ParsedText:
    """The same with words below a move held back that are about the opponent."""
    if not text.commands or text.kept is not None or not _is_about_other(text.message, at):
        return text
    about = Reservation(clean_quote(text.message), f"it seems to be about {at.opponent.name}.")
    return replace(text, message="", held=text.message, kept=about)


def _keep_from(message: str, at: Seated) -> None:
    """Raise where words are about the opponent, who would be sent them."""
    other = at.opponent
    if _is_about_other(message, at):
        more = " To have no more invitations from them, write `block`"
        unwanted = is_unwanted(message)
        again = at.game.phase is Phase.FINISHED and plays_again(message)
        hints = ("block",) if unwanted else ("rematch",) if again else ()
        if at.game.phase is Phase.PLAYING and _LETS_WIN.search(normalize(message[:LONGEST])):
            more, hints = " To give the game up, reply resign", ("resign",)
        if not hints and any(one.asks for one in statements(message[:LONGEST])):
            more, hints = " Who plays, whose turn it is and how it stands: `show`", ("show",)
        raise Unreadable(
            f"“{clean_quote(message)}” seems to be about {other.name}, so I have told nobody."
            + (more if hints and not again else ""),
            hints=hints,
        )


def _keep_question(message: str, at: Seated) -> None:
    """Raise for a question of its writer's own, which nobody is asked: `Can I play at the edge?`.

    It is one that we could not make out, and more likely for us than for the other player.
    """
    lines = [normalize(line[:LONGEST]) for line in message.split("\n") if line.strip()]
    asked = [_asking(one) for line in lines for one in _QUESTION.findall(line)]
    other = at.opponent.name.casefold().partition(" ")[0]
    if (
        not (any(map(_OF_MINE.search, asked)) or any(map(_WONDERS.search, lines)))
        or not at.opponent.mailed
        or at.game.spec.teaching
    ):
        return
    said = _OURS.sub(" ", " ".join(lines))
    if _TO_YOU.search(said) or other in re.findall(r"\w+", said):
        return
    away = absence_in(message) if at.game.clock else ""
    stops = f"; to stop your clocks: `{away}`" if away else ""
    raise Unreadable(
        f"“{clean_quote(message)}” seems to be a question to me, so I have told nobody. What you"
        f" can ask: `help`; the game as it stands: `show`; the rules of Go: `learn`{stops}",
        hints=("help", "show", "learn", *filter(None, [away])),
    )


def _asking(sentence: str) -> str:
    """The parts of a question that ask: its end, and what begins like one before it."""
    *before, last = re.split("[,;:] ", sentence)
    return " ".join([*filter(_BEGINS.match, before), last])


_BEGINS = late(
    r"\W*(?:(?:and|but|so|or|please|tell me|i (?:\w+ )?(?:ask|know)|question|also|then) )*(?:may"
    r"|can|could|do|does|is|am|are|should|would|shall|how|what|when|where|why|which|who(?:se)?"
    r"|подскажите|скажите|объясните|(?:könnten|können|würden) sie|pourriez|pouvez"
    r"|podrían?|potreste|potete|kunt u|zou u)\b"
)
_QUESTION = late(r"(?<![^.!?。！？])[^.!?。！？]+[?？]")
"""A sentence that asks, however many commas it has."""
_OURS = late(
    r"\bthank you\b|\b(?:könnten|können|würden) sie\b|\b(?:pourriez|pouvez)-vous\b|\bkunt u\b"
    r"|\byour (?:last |latest )?(?:note|e-?mail|mail|message|letter|reminder)s?\b"
    r"|\b(?:can|could|would|will|might) you (?:please |kindly |also )*(?:tell|show|send|give|remind"
    r"|explain(?: to)?|teach|let) (?:me|us)\b"
)
"""How somebody is spoken to who may be we."""
_WONDERS = late(
    r"\bi(?:'d| would)? (?:only |just |really )?(?:like|want|wish|need) to (?:know|understand)\b"
    r"|^i wonder (?:if|whether|how|what|when|where) i\b"
)
"""Asks without a question mark."""
_OF_MINE = late(
    r"\b(?<!is it )(?:i|i'm|i'd|i've|i'll|me|my|mine|ich|mich|mein\w*|je|moi|mon|yo|mi|ik|mij|mijn"
    r"|mio|mia|miei|io|jag|min|mitt|mig|eu|meu|minha|я|мне|меня|мой|моя|ben|benim|bana|columns?"
    r"|(?:könnten|können|würden) sie|(?:pourriez|pouvez)-vous|podrían?|potreste|potete|kunt u|zou u"
    r"|подскажите|скажите|объясните|rows?|coordinates?|rules?|captur\w+|whose (?:go|turn|move)"
    r"|(?:is (?:it|that|this) )(?:allowed|legal|permitted|possible))\b|私|僕|俺|我|나는|내가|제가"
    r"|저는|제 "
)


def _ask_back(message: str, at: Seated) -> None:
    """Raise what to ask back for words that may be meant for us."""
    game = at.game
    plain = normalize(message[:1_000])
    said = [line for line in message.split("\n") if line and not is_greeting(line)]
    quoted = clean_quote((said or [message])[0])
    gives_up = ("resign",) if _GIVING_UP.search(_NOT_YET.sub(" ", plain)) else ()
    away = tuple(filter(None, [absence_in(message)])) if game.clock else ()
    if game.phase is Phase.SCORING:
        ask_back_counting(message, said, quoted, at, (*gives_up, *away))
        return
    few = len(plain.split()) <= _FEW
    no = read_consent(message.split("\n")) is False
    meant = few or (len(plain.split()) <= _TALK and _OF_VOIDING.search(plain))
    if void_asked(at) and not no and meant:
        raise Unreadable(
            f"I am not sure what “{quoted}” means, so I have done nothing. If the game shall end"
            " without a result, reply void; otherwise just play on.",
            hints=("void",),
        )
    mine = at.awaits is Awaited.TURN
    brief = few or (len(plain.split()) <= 2 * _FEW and _NOTHING_LEFT.search(plain))
    if brief and mine and game.passed and _AGREEING.search(plain):
        raise Unreadable(
            f"{at.opponent.name} has passed. If you pass, too, the score is counted; I have done"
            " nothing yet.",
            hints=("pass",),
        )
    if mine:
        ask_where(message, quoted, at)
    _ask_of_points(message, quoted, at, gives_up)


def _ask_of_points(message: str, quoted: str, at: Seated, gives_up: tuple[str, ...]) -> None:
    """The same for the points that are named, and for what is half said of a turn."""
    plain, mine = normalize(message[:1_000]), at.awaits is Awaited.TURN
    spoken = named = [vertex.upper() for vertex in vertices(message)]
    if not _INTENDS.search(plain):  # then a point with a stone on it is one that is spoken of
        named = [name for name in named if not at.stands(name)]
    passing = _PASSING.search(plain)
    passes = ("pass",) if passing and not _NOT_YET.search(plain) else ()
    if not mine:
        named = [] if _TO_YOU.search(plain) and not _CHOICE.search(plain) else named
        wish = len(plain.split()) <= _FEW or _WISHED.search(plain)
        passing, passes, gives_up = (passing, passes, gives_up) if wish else (None, (), ())
    last = [at.with_last_moves("my last move").upper()]
    back = (named and _SLIPPED.search(plain)) or (spoken == last and "?" in message)
    slips = ("undo",) if not mine and back else ()
    if named and not mine and not (slips or gives_up):
        check_turn(named, at)
    if (
        named
        or slips
        or passing
        or gives_up
        or _SLIP.fullmatch(plain)
        or not _LANGUAGE.search(plain)
    ):
        hints = (*named[:3], *passes, *gives_up) if mine else (*slips, *gives_up)
        raise unsure(quoted, hints)


_POINTS = 3
"""So few words with a point among them may be a move."""
_FEW = 8
"""So few words may be a wish; in more, of whom nothing is awaited, there is talk."""
_TALK = 25
"""More words than that are talk, whatever is in them."""
_GIVING_UP = late(
    r"\b(?:resign(?:s|ed|ing)?|give(?:s|n)? up|giving up|surrender(?:ing)?|concede[ds]?|you(?:'ve"
    r"| have)? w[io]n(?! some\b)|i(?:'ve| have)? lost(?! (?:track|count|touch|sight|power|(?:the|my"
    r"|your|his|her|that|an?|some|two|three|four|\d+) (?!games?\b|match\b)\w))|hopeless|capitulate"
    r"|gebe (?:ich )?auf|aufgeben|abandonne[rz]?|abandono|rindo|arrendo|сдаюсь|white flag|i lose"
    r"|you can have (?:the|this) (?:win|game|victory)|i(?:'d| had) better stop here|can(?:'t"
    r"|not) win|throw(?:ing)? in the towel|you got me|i(?:'m| am) (?:done for|beaten)|no way to win"
    r"|(?:let|give) (?:him|her|them|\w+) (?:have )?(?:the|this) (?:win|game|victory|points?)"
    r"|no (?:point|sense|use) (?:in )?(?:going|continuing|playing) on|(?:this|everything"
    r"|the game) (?:is|looks) (?:all |clearly )?lost(?! (?!now\b|for me\b)\w)|i(?:'ll"
    r"| will)? (?:stop|end it) here(?! \w)|(?:do not|don't) (?:want to|feel like) (?:play(?:ing)?"
    r"|go(?:ing)? on|continu(?:e|ing))(?: this(?: game)?)?(?: any ?more| any longer)|i(?:'d"
    r"| would)? (?:want|like)(?: to (?:get|be))? out(?! (?!now|please|of (?:this|the|our) game)\w)"
    r"|(?:done|through|finished) with (?:this|the|our) game|enough of (?:this|the|our) game"
    r"|not in the mood (?:to play|for (?:(?:this|the|our|a|any|another) )?(?:game|go|playing|it)\b)"
    r"|count me out|i(?:'m| am) out(?! (?!now\b|then\b|of (?:this|the|our) game\b)\w)|i(?:'d"
    r"| would)? (?:like to |want to |have to |must )?quit(?! \w))\b|投了|认输|負けました|まけました"
    r"|^ありません|졌습니다|\U0001f3f3"
)
_OF_VOIDING = late(
    r"\b(?:void|cancel\w*|annul\w*|(?:no|without an?) (?:winner|result)|(?:doesn't|does not|won't"
    r"|shouldn't|will not|not) count|call (?:it|this|the game) off|abandon\w*|start (?:again|over)"
    r"|if|ok(?:ay)?|fine|all ?right|agree\w*|continue|rather|yes|play(?:ing)? on)\b"
)
"""What is said of a game that shall end without a result."""
_AGREEING = late(
    r"^(?:(?:ok|okay|yes|yeah|fine|sure|well|good|then|and) )*(?:me (?:too|neither)|same(?: here)?"
    r"|so (?:do|am) i|ok|okay|yes|agreed|i agree|i accept|accepted|fine|sure|(?:(?:i|we|i'm|we're"
    r"|it's|it|the game|i am|i think|is|are|all) )*(?:finished|done|over|complete|ended)|(?:let's"
    r"|let us|we can|then let's) (?:count|score|see)|time to (?:count|score)|count|auch|ich auch"
    r"|einverstanden|fertig|(?:dann )?zählen(?: wir)?|moi aussi|moi de même|restons-en|d'accord"
    r"|fini|yo también|de acuerdo"
    r"|anch'io|finito|ik ook|akkoord|klaar|eu também|ja też|я тоже)\b|同意|我也是|私も|저도"
)
"""Says, after the other's pass, that there is nothing left to play."""
_NOTHING_LEFT = late(r"\b(?:nothing|nowhere|no more|finished|done|over)\b")
_LETS_WIN = late(
    r"\b(?:(?!nobody|who|neither)\w+ (?:wins?(?! (?:if|when|the|by|a|an)\b)|has won|won(?! (?:the"
    r" last|a|an|two|three|by|if)\b))|(?:had|have) enough of (?:this|it)|i'm off)\b"
)
"""Says of the other that they have won, which may end the game or not."""
_NOT_YET = late(
    r"(?:\bnot|\bnever|n't)(?: \w+){0,3}? (?:pass(?:ing)?|resign\w*|giv(?:e|ing) up|surrender\w*)\b"
)
"""Says that its writer does not give up, or does not pass."""
_PASSING = late(
    r"\b(?:(?:let|give) (?:my|this) turn (?:go|pass|away|up)|pass(?:es|ed|ing)?|skip(?:s|ped"
    r"|ping)?(?! the (?:rest|others?)\b)|not (?:put|place|play) (?:anything|a stone|any stone)"
    r"|let (?:him|her|them|\w+) go again|sit (?:this|the) (?:one|turn|round|move) out|salto (?:il"
    r"|el|mi|o) turno|pass?o il turno|sla (?:\w+ )?(?:beurt )?over|hoppar över|pauzuję|pasuję"
    r"|пропускаю|пас|pas geçiyorum|passe[rn]?|paso|passo|pas(?:s?ar|sare)|(?:nothing"
    r"|nowhere)(?: (?:left|more|else)(?: for me)? to (?:do|go)|.{0,20} to play)|no (?:more|other"
    r"|good) moves?)\b|パス|停一手|弃权|虚手|패스|한 수 쉬"
)


_TO_YOU = late(r"\b(?:you|your|yours|you're|du|dein|deine|ihr|tu|ton|vous|votre|usted|tus?)\b")
_WISHED = late(
    r"\b(?:i|i'll|i'm|i'd)(?: (?:am|will|must|should|would|want|like|have|to|guess|think|just"
    r"|better|rather|going|then|now)){0,4} (?:(?:pass|resign|surrender|concede|quit)(?:ing|ting)?"
    r"|giv(?:e|ing) up)\b(?! (?:my|the|by|on|through|an?|your|it|him|her|them)\b)"
)
"""Says of its writer that they pass or give up, among whatever other words."""
_ANSWERING = late(
    r"^(?:no|nope|nah|never|yes|yep|yeah|sure|vale|bueno|na gut|meinetwegen|d'accord|bon|va bene"
    r"|prima|goed|jasne|ладно|хорошо)\b|^(?:he|she|they) can(?!not)\b|\b(?:stone|move) (?:placed"
    r"|played) is a (?:stone|move)\b|\bi don't do that\b|\brather (?:you|he|she|they) (?:did|do"
    r"|would)|^(?:oh |well |that's |it's |haha? )*(?:fine|ok|okay|sure|alright|all right)\b|\b(?:so"
    r"|but|then) (?:no|yes)$|\b(?:no (?:problem|worries|objections?)|is played|go (?:for it|ahead"
    r"|on)|my guest|stands?|as it is|(?:let|leave|keep)\b.{0,60}\b(?:it|that|be|move)"
    r"|touch(?:ed)?[- ]move|a move is a move|no take ?backs?|(?:this|one) time|(?:this|just) once"
    r"|happens to|rather not|allow|permit|refuse|object|deny|(?:don't|do not|would|wouldn't) mind"
    r"|take (?:it|that) back|forgiven|too late|granted|exception)\b"
)
"""Words in which people answer a wish, and others as well."""
_INTENDS = late(
    r"\bi(?:'d (?:go|play|take|like)|'ll| will| want| play| go| take| move)\b|\bmy move\b"
    r"|^[a-z]\d{1,2}\b"
    r"(?! (?:was|is|were|has|had|looks?|looked|seems?|seemed|hurts?|made|makes|really|surprised)\b)"
)
"""Says of its writer that they make a move, or begins with a point as a move does."""
_CHOICE = late(r"\b[a-z]\d{1,2} (?:or|oder|ou|o|of|eller|lub|или) [a-z]\d{1,2}\b")
"""A point to be chosen: nothing to tell another player before it is."""
_SLIPPED = late(
    r"\b(?:meant|mistakes?|typos?|wrong|oops|meinte|falsch|vertippt|verklickt|versehen|fehler"
    r"|erreurs?|trompée?|voulais|error|equivoqué|equivocado|quería|sbagliato|volevo|vergist"
    r"|verkeerde?|bedoelde|errei|queria|fel|menade|pomyłk\w+|chciał\w+|ошиб\w+)\b"
)
"""Says, with a point, that another was meant."""
_SLIP = late(r"(?=[a-z]+\d)(?:[a-z]{1,6}\d{1,6}){1,2}")
"""Letters and digits in one word and nothing beside it: a point, mistyped."""
_LANGUAGE = late(
    r"[^\W\d_]{2,}|^k$|[\u2600-\u27bf\U0001f000-\U0001faff\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]"
)
"""What has any word in it at all."""
