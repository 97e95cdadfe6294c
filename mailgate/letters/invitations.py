"""The letters of a game that has not started: confirmation, invitation, refusal ...

An invitation to a stranger has no text of the proposer's but their clean name, so that nobody can
make us send their words to strangers.
"""

from godaemon.games import events as ev
from godaemon.games.awaited_decisions import Awaited
from godaemon.games.model import Seat
from godaemon.texts.catalogue import ENGLISH, say, sentence_from_json
from mailgate.address import display_address
from mailgate.letters import blocks as b
from mailgate.letters.letter_view import LetterView
from mailgate.letters.phrases import display_name, player_name
from mailgate.letters.shared_blocks import (
    ANSWERS,
    even_chances,
    game_board,
    introduction,
    terms_blocks,
)

MAX_LINES = 20
"""Maximum number of lines of a held letter that are repeated."""


def confirm(view: LetterView) -> b.LetterBlocks:
    """Asks whether the reader wrote their own proposal, or a letter from an unknown address.

    Anybody may have written it, so the first line has no words of theirs but a name that we know.
    """
    if "held" in view.about:
        return _confirm_held_letter(view)
    spec = view.game.spec
    who = player_name(spec.invited)
    if spec.teaching or spec.invited.engine:
        key, yes = "teaching" if spec.teaching else "program", say("accept")
    elif spec.open:
        key, yes = "open", say("yes-open")
    else:
        key = "named" if spec.named else "someone"
        yes = say("yes-invite", who=who if spec.named else display_address(spec.invited.address))
    answers = b.Choices(((say("yes"), yes), (say("no"), say("no-change"))))
    notes = b.Words(b.join_sentences(say("not-you"), say("offer-expires", count=view.days)))
    blocks = (*_introduction(view), answers, *terms_blocks(view), *_greeting_words(view), notes)
    return b.LetterBlocks(say(f"asked-{key}", who=who), blocks)


def _introduction(view: LetterView) -> tuple[b.Words, ...]:
    """An introduction of this server, for a reader who may not know it."""
    return b.words("" if view.game.spec.named else say("go-by-email"))


def _confirm_held_letter(view: LetterView) -> b.LetterBlocks:
    """Asks whether a held letter is the reader's, above the board that it would act on."""
    sender, lines = view.about.get("sender", ""), view.about.get("lines", ())[:MAX_LINES]
    reason = view.about.get("why", "")
    reason = reason if reason in {"failed", "old", "off-turn"} else "unknown"
    reason = "opponent" if reason != "off-turn" and view.knows_other(sender) else reason
    question = "doubt" if reason in {"failed", "old"} else reason
    is_own, is_opponents = reason == "off-turn", reason == "opponent"
    values = {"sender": display_address(sender)}
    yes = (say("yes"), view.say(f"yes-{question}", **values))
    no = (say("no"), say("no-off-turn" if is_own else "no-held"))
    quoted = [b.Quote(say("email-says"), tuple(map(sentence_from_json, lines)))]
    quotes = quoted if len(lines) > is_own else []
    otherwise = "" if is_own or is_opponents else say("not-you")
    doubts = b.words(view.say(f"doubt-{reason}", **values), otherwise)
    choices = b.Choices((no, yes) if is_opponents else (yes, no))
    blocks = (choices, *quotes, *doubts, *game_board(view, clicks=False))
    return b.LetterBlocks(view.say(f"held-{question}", **values), blocks)


def invited(view: LetterView) -> b.LetterBlocks:
    """For the proposer: the invitation is on its way, or the challenge is open."""
    spec = view.game.spec
    who, rated = player_name(spec.invited), " rated" if spec.rated else ""
    first, waiting, back = "you-invited", "invitation-waits", "withdraw"
    if spec.open:
        first, waiting, back = "you-opened", "challenge-waits", "withdraw-open"
    blocks: tuple[b.Block, ...] = (
        *(b.Words(say(waiting, count=view.days)), *introduction(view)),
        *(b.Choices.from_keys({"withdraw": back}), *terms_blocks(view)),
        *(() if spec.open else even_chances(view, f"new {spec.size} {{}}{rated} vs {who}")),
        *_greeting_words(view),
    )
    return b.LetterBlocks(view.say(first, who=who), blocks)


def _greeting_words(view: LetterView) -> tuple[b.Block, ...]:
    """The proposer's words, if they were passed on; else the time when they will be."""
    spec = view.game.spec
    if not spec.words or spec.teaching or spec.invited.engine:
        return ()
    if spec.named:
        return view.quote_texts(view.say("passed-on"), [spec.words]) if view.game.confirmed else ()
    key = "words-wait-open" if spec.open else "words-wait"
    return b.words(say(key, who=player_name(spec.invited)))


def invitation(view: LetterView) -> b.LetterBlocks:
    """For the invited player, who may never have heard of us."""
    spec = view.game.spec
    proposer, address = spec.proposer, display_address(spec.proposer.address)
    name = display_name(proposer.name) if proposer.name else ""
    who = say("in-brackets", said=name, more=address) if name else address
    first = say("invites-you", who=who)
    if spec.named:
        first = say("invites-you-known", who=player_name(proposer))
    learn = {"learn": "learn-first"} if view.about.get("newcomer") else {}
    ignored = b.Words(say("can-ignore", line=_counter_example(view), count=view.days))
    english = view.data.reader.language in ("", ENGLISH)
    greeting = [spec.words] if spec.named and spec.words else []
    blocks: tuple[b.Block, ...] = (
        *_introduction(view),
        *view.quote_texts(view.say("they-wrote"), greeting),
        *introduction(view),
        *(b.Choices.from_keys(ANSWERS[Awaited.INVITATION] | learn), *terms_blocks(view)),
        *even_chances(view, "accept but {}"),
        *(ignored, *b.words("" if english else say("in-english"))),
        b.Words(say("can-block", who=player_name(proposer)), small=True),
    )
    return b.LetterBlocks(first, blocks)


def _counter_example(view: LetterView) -> str:
    """An example of a counter-offer; it must differ from the current terms."""
    return f"accept but komi {6.5 if view.game.spec.komi == 0.5 else 0.5}"


def countered(view: LetterView) -> b.LetterBlocks:
    """A counter-offer: a confirmation for its author, a question for the other player."""
    is_own = view.game.side(view.seat) is view.game.offering_side
    answers = ANSWERS[Awaited.INVITATION] | {_counter_example(view): "counter-again"}
    choices = b.Choices.from_keys({"withdraw": "withdraw-terms"} if is_own else answers)
    first = view.say("you-counter" if is_own else "they-counter")
    return b.LetterBlocks(first, (*view.words(), *introduction(view), choices, *terms_blocks(view)))


def declined(view: LetterView) -> b.LetterBlocks:
    """For both players: an invitation or a counter-offer was declined or taken back."""
    side = next((event.side for event in view.events_of(ev.Declined)), "invited")
    own, back = view.game.side(view.seat).word == side, view.game.offering_side.word == side
    key = "withdrew" if back else "declined"
    return b.LetterBlocks(view.say(f"{'you' if own else 'they'}-{key}"), view.words())


def withdrawn(view: LetterView) -> b.LetterBlocks:
    return _ended_letter(view, "you-withdrew", "invitation-withdrawn")


def expired(view: LetterView) -> b.LetterBlocks:
    key = "not-taken" if view.game.spec.open else "not-answered"
    return _ended_letter(view, key, "invitation-expired")


def _ended_letter(view: LetterView, own_key: str, other_key: str) -> b.LetterBlocks:
    if view.game.side(view.seat) is Seat.PROPOSER:
        return b.LetterBlocks(view.say(own_key, count=view.days), ())
    return b.LetterBlocks(b.join_sentences(view.say(other_key), say("no-answer-needed")), ())
