"""A yes, a no, or a choice in people's words, read only where our letter asked for one.

Pure; raises nothing. Each statement is for it, against it, or neither; a yes with any doubt in the
letter, and a no that is only half one, are neither: then both are offered.
"""

from __future__ import annotations

from collections.abc import Sequence

from godaemon.games import commands as cmd
from mailgate.language.talk import LONGEST, Statement, is_greeting, statements, vertices
from mailgate.language.verb_table import LINES
from mailgate.language.wishes import spelt_out
from mailgate.late_patterns import late
from mailgate.word_sets import words_of

_LINES = 6
"""So many lines from the top are looked at: below are names and closings."""

_WISHED = (
    r"(?!.*\b(?:know|learn|lessons?|rules?|info|information|help|watch|read|understand|see|hear"
    r"|teach|taught|explain\w*|ask|think|wait|details?)\b)(?:(?: (?:to|that|it|this|very|so|much"
    r"|please|indeed|too|thanks?|thank you))*|.*\b(?:play|game|match|join|accept|begin|start|try"
    r"|challenge|go|have|give|do)\b.*)"
)
"""What makes a wish a yes: to play, or nothing more; not to know, to learn or to watch."""

_FOR = late(
    r"(?:oh |hi |hello |ah |well |but |hm+ |um |and |so |then |lol |haha |hehe |na |pues "
    r"|bueno ){0,6}(?:(?:yes|yep|yeah|yup|yea|ya|aye|affirmative|javisst|spot on|meinetwegen|sure"
    r"|okay|ok|okey|okie dokie|certainly|absolutely|definitely|agreed|gladly|happily|naturally"
    r"|right|correct|exactly|indeed|ja|jawohl|oui|si|sí|sì|sim|da|tak)(?: (?:yes|sure|please"
    r"|of course|it (?:was|is)|it'?s|that(?:'s| was| is)|i (?:did|do|will|am|would"
    r"|want(?! to (?!play\b|accept\b)))|why not|this (?:was|is)|thanks?|thank you|me|mine|gern"
    r"|gerne|bitte|thing|absolutely|let's|gladly|happily|with pleasure|really|absolutely"
    r"|i'm sure).*)?|(?:of|off) course.*|(?:yes )?(?:you|he|she|they) may"
    r"|(?:(?:of course|sure|yes) )?(?:you|he|she|they) (?:may|can) (?:take|have) (?:it|that|this"
    r"|(?:your|his|her|the) move)"
    r" back(?: (?:of course|please|this time|then))?|please do(?: (?:so|it|that|take|undo"
    r"|go ahead)\b.*)?|(?:it(?:'s| is) )?with (?:great |the greatest )?pleasure(?!.*\b(?:decline"
    r"|refuse)\b).*|my pleasure|by all means|(?:i'd|i would|we'd) be (?:very |so )?(?:happy|glad"
    r"|delighted|honou?red).*|(?:(?:i'd|i would|we'd) (?:love|like)"
    rf"|(?:would )?love to){_WISHED}"
    r"|let's (?:play(?! again)|go|do (?:it|this)|start|begin|have a game).*|why not|delighted|i do"
    r"|y|count me in(?: \w+)?|i'm in|i am in|i'm (?:up for it|game|ready|happy to)|game on"
    r"|bring it on|you're on|(?:that )?sounds (?:good|great|like fun|lovely|wonderful|fine|perfect)"
    r"|(?:yes |yep |yeah )?that(?:'?s| is) (?:the (?:one|right one)|him|her|them|right|correct)"
    r"|(?:great|good) idea|(?:yes )?(?:its|it's|(?:it|that|this) (?:was|is)) (?:me|mine|i|from me"
    r"|my (?:own )?(?:address|mail|email)).*|(?:i )?(?:(?:gladly|gratefully|happily|thankfully"
    r"|cheerfully|hereby|do|will|would like to) )*(?:accept|confirm)(?:ed)?(?: (?:it|this|the|your"
    r"|that|with|(?:invitation|challenge)(?= please$|$))\b.*)?|i agree(?: to (?:play|it|this|that"
    r"|(?:the|this|a|your) (?:game|terms|invitation|challenge)))?|challenge accepted|(?:i'm"
    r"|i am) (?:perfectly |quite |totally )?(?:fine|ok|okay|happy|cool|good|all right) with (?:it"
    r"|that|this)\b.*|(?:that |this |it )?(?:works|suits)(?: (?:fine|well|for me|me))+"
    r"|\d{1,2}(?: ?x ?\d{1,2})?(?:'s| is| sounds)(?: \w+ly)? (?:fine|ok|okay|good|great|perfect"
    r"|alright|all right)|be my guest|go on(?: then)?|i can live with (?:it|that)|(?:i )?(?:reply"
    r"|answer|say)(?: with)? yes|i did(?: (?:it|write|send|ask).*)?|happy to(?: play.*)?"
    r"|(?:be )?glad to.*|i'?ll (?:play|accept).*|(?:please )?(?:do (?:so|it|that)|go ahead"
    r"|start(?: the game)?|begin)|looking forward to .*|(?:ich bin )?einverstanden|gerne?"
    r"|sehr gerne?|natürlich|klar|na klar|selbstverständlich|abgemacht|alles klar|ist (?:ok|okay"
    r"|gut|recht)|avec (?:grand )?plaisir|bien sûr|volontiers|(?:je suis )?d'accord|entendu"
    r"|ça marche|c'est bon|ça me va|gut|ausnahmsweise|doe maar|(?:ich )?bin dabei|(?:(?:just|only"
    r"|well|ok) )*(?:this|for) once(?: then)?|(?:喜んで)?お受け(?:いた)?します|お引き受けします"
    r"|(?:(?:ok|si|sí|vale|estoy) )*de acuerdo(?: (?:en|con) todo)?|me parece bien|está bien"
    r"|va bene|sono d'accordo|(?:dat |het )?is (?:goed|prima)|tudo bem|combinado|passt(?: scho?n?)?"
    r"|pass schon|geht klar|(?:geht )?in ordnung|kein (?:problem|ding)|pas de (?:problème|souci)"
    r"|sin problema|nessun problema|geen probleem|sem problema|no (?:problem|worries)(?: at all)?"
    r"|fine|(?:it|that)(?:'s| is) (?:ok|okay|fine|all ?right)|i (?:don't|do not) mind"
    r"|(?:yes )?(?:he|she) may|どうぞ|con (?:mucho )?gusto|por supuesto|claro|vale|volentieri|certo"
    r"|con piacere|com prazer|claro que sim|graag|natuurlijk|prima|leuk|gärna|chętnie|конечно"
    r"|с удовольствием|давай|давайте|喜んで|もちろん|お願いします|承知(?:しました|いたしました)?"
    r"|(?:that's |it's |that is )?(?:fine|ok|okay|good|alright|all right) (?:by|with"
    r"|for) me(?: too)?|了解(?:です|しました)?|没问题|可以|当然|来吧|물론|좋습니다)"
)
_AGAINST = late(
    r"(?:oh |hi |hello |ah |well |sorry |actually |hm+ |wait |goodness |heavens |god |thanks but "
    r"|but |i'm afraid |lol |haha |hehe ){0,6}(?:(?:no|nope|nah|never|nein|non|nee|nej|nie"
    r"|não)(?! way i'd)(?: (?:no|thanks?|thank you|sorry|way|i|not|it|that|danke|merci|bedankt"
    r"|gracias|grazie).*)?|(?:not (?:(?:right )?now|today|this (?:week|month|year|spring|summer"
    r"|autumn|winter)|interested|me|for me|this time|at the moment|really)).*|i(?:'m"
    r"| am) (?:not (?:interested|playing|going to|able to)|too busy|busy|sorry).*|(?:i )?(?:can't"
    r"|cannot|can not|won't)(?: (?:play|accept|make it|join|now|right now|do (?:it|that)))?"
    r"|i (?:don't|do not) (?:want|wish|play|like|have (?:the )?time|know (?:you|him|her|them"
    r"|this)).*|i (?:didn't|did not|never) (?:ask|write|send|want|request|propose|invite|do) .*"
    r"|i have no (?:time|interest).*|(?:.*\bi (?:must|have to|need to) |i )(?:decline|refuse"
    r"|say no)(?: .*)?|i(?:'d| would) rather not.*|rather not.*|(?:it|that|this) (?:wasn't"
    r"|was not) (?:me|mine|i|from me|my).*|(?:decline|reject|refuse)(?: (?:it|this|the|your"
    r"|that)\b.*)?|no time.*|.*\b(?:unable|not able) to (?:accept|play|join|take part)\b.*"
    r"|.*\bhaven't (?:got )?(?:the )?time\b.*|unfortunately.*|leave me alone|leider (?!ja\b).*"
    r"|kein interesse|pas maintenant|malheureusement.*|désolé.*|lo siento.*|(?:certainly|absolutely"
    r"|definitely|surely|(?:of|off) course|please|better|rather|preferably) (?:not|do not"
    r"|don't)\b.*|i do mind.*|i(?:'d| would) (?:rather|prefer) (?:(?:you|he|she|they) (?:didn't"
    r"|don't|wouldn't)|not)\b.*|don't|n|natürlich nicht|bien sûr que non|por supuesto que no"
    r"|certo che no|ни за что|auf keinen fall|kommt nicht in frage|de ninguna manera"
    r"|(?:then )?let's (?:drop|forget|skip|leave) (?:it|that|this|the (?:idea|game|whole thing))"
    r"|pas question|nee hoor|absolutnie|ne pas|いいえ|だめ(?:です)?|不行|不可以|不同意|落子无悔"
    r"|恕我?不能.*|안 ?돼요?)"
)
_DOUBT = late(
    r"\b(?:but|if|maybe|perhaps|later|only|instead|unless|except|rather|wait|tomorrow|next"
    r"|però|ma|porém|ale|jednak|allerdings|jedoch|echter|однако|provided|providing|(?:as|so) long"
    r" as|on (?:the )?condition|on one condition|assuming"
    r"|first(?! time\b)|aber|maar|mas|men|но|oder|falls|wenn|mais|s'il|si (?:tu|il|elle|vous|me|él"
    r"|ella)|pero|se (?:mi|ti|me|lui|lei|ele|ela|il|la|non|poi)|als|jeśli|jeżeli|если|however"
    r"|although|though|or|not sure|before)\b"
)
_ONCE = late(
    r"\b(?:(?:but|just|only) ){1,3}(?:for )?(?:this )?(?:once|one|time|one time)$"
    r"|(?<=\w) this once$"
)
"""Says that the next time may be another matter, and takes nothing back."""
_WONDERS = late(
    r"(?:(?:and|so|hi|well|by the way|btw) )*(?:was|wie|warum|wieso|qué|cómo|che cosa|come|wat|hoe"
    r"|что|как|how(?! about)|why|who|what(?! (?:about|if))|when"
    r"|where|which|whose|do i|am i|ask me again|is it me|we[rn]|wann|welche\w*|quel\w*|qui|quand"
    r"|comment|quién|cuándo|wanneer|welke|chi|quando|quale|qual)\b(?!.*\b(?:mean|means|agree|if)\b)"
)
"""A question that may stand beside a yes: it wishes for nothing else than what is offered."""


_ACCEPTS = late(
    r"(?:i|we) (?:\w+ly |hereby |do |am pleased to |would like to )*accept (?:your|the|this)"
    r" (?:\w+ )?(?:challenge|invitation|offer)(?!.*\b(?:but|if|only|provided|unless|not)\b).*"
)
_BIDS = late(
    r"(?:would|could|can|will) you (?:please |kindly |be so (?:kind|good) as to )*(?:send|invite"
    r"|forward|go ahead|do|start|begin|set|pass)\b.*"
)
"""A question that asks for what is offered."""
_CLAIMS = late(
    r"(?:yes |yeah |sure |ok )?i (?:want(?: to)?|asked(?: for)?|wrote|sent|requested)"
    r"(?: (?:it|this|that))?"
)


def claims(lines: Sequence[str]) -> bool:
    """True for a letter in which somebody says that it was they who asked, and nothing else.

    >>> claims(["I asked for it. Thanks!"]), claims(["I sent it, but no"])
    (True, False)
    """
    said = [one for line in lines[:_LINES] if line.strip() for one in statements(line[:LONGEST])]
    mine = [_CLAIMS.fullmatch(one.text) is not None for one in said]
    return any(mine) and read_consent([*lines, "yes"]) is True and not any(one.asks for one in said)


def read_consent(lines: Sequence[str]) -> bool | None:
    """True for a yes, False for a no, None for all that is neither or both.

    >>> read_consent(["Hi Alice,", "", "Sure, let's play! Bo"])
    True
    >>> read_consent(["Sorry, no."]), read_consent(["Yes, but not on 19x19"])
    (False, None)
    """
    said = [line for line in lines if line.strip()]
    if said and is_greeting(said[0]):
        said = said[1:]
    parts = [one for line in said[:_LINES] for one in statements(line[:LONGEST])]
    votes = [vote for one in parts if (vote := _vote(one)) is not None]
    if not votes or len(set(votes)) > 1:
        return None
    return True if votes[0] and any(map(_accepts, parts)) else _unhindered(parts, lines, votes[0])


def _accepts(statement: Statement) -> bool:
    """True for a yes in so many words, whatever else a long letter has."""
    return _ACCEPTS.fullmatch(statement.text) is not None


def _unhindered(parts: Sequence[Statement], lines: Sequence[str], yes: bool) -> bool | None:  # noqa: FBT001
    """A yes or a no that nothing else in the letter makes another."""
    if not all(_settles(one, no=not yes) for one in parts):
        return None
    if any(_OTHER.search(one.text) or vertices(one.text) for one in parts):
        return None
    if any(_UNDECIDED.search(one.text) for one in parts) or taken_back(lines):
        return None
    doubted = any(_DOUBT.search(_ONCE.sub("", one.text)) for one in parts)
    first = next(index for index, one in enumerate(parts) if _vote(one) is not None)
    if yes and (doubted or first > _LATE):
        return None
    halved = any(_HALVED.search(one.text) for one in parts if _vote(one) is False)
    return None if halved else yes


def _settles(statement: Statement, *, no: bool) -> bool:
    """True for a statement that leaves a yes or a no beside it as it is, as questions may not."""
    if not statement.asks:
        return True
    besides = _WONDERS.match(statement.text) or _BIDS.fullmatch(statement.text)
    return _vote(statement) is None and (no or besides is not None)


def taken_back(lines: Sequence[str]) -> bool:
    """True where a letter takes the yes or the no in it back, or only asks about it.

    >>> taken_back(["Yes... I mean no!"]), taken_back(["Yes?"]), taken_back(["Yes. Hello Bob!"])
    (True, True, False)
    """
    parts = _parts(lines)
    votes = [_vote(one) for one in parts]
    voted = list(zip(parts, votes, strict=True))
    asked = any(one.asks for one, vote in voted if vote is not None)
    turns = _DENIES if {*votes} - {None} == {False} else _TURNS
    turned = any(turns.search(one.text) for one, vote in voted if vote is not False)
    return asked or turned or {True, False} <= {*votes}


def wholehearted(lines: Sequence[str]) -> bool:
    """True where nothing beside a yes could say that it is none, as what it does is for ever.

    A name, thanks and what says once more that it is meant may stand there.

    >>> wholehearted(["Yes. Thanks for the game, I learned a lot!"]), wholehearted(["Yes, play on"])
    (True, False)
    """
    parts = _parts(lines)
    sure = any(_SURE.search(one.text) for one in parts)
    harmless = _is_no_less if sure else _is_harmless
    return not taken_back(lines) and all(map(harmless, parts))


def asks(lines: Sequence[str]) -> bool:
    """True where a letter asks anything."""
    return any(one.asks for one in _parts(lines))


def declines(lines: Sequence[str]) -> bool:
    """True for a no, with whatever words, to what is only done for a yes.

    >>> declines(["No!! I clicked the wrong mail. Don't resign."]), declines(["I changed my mind"])
    (True, True)
    >>> declines(["No, I mean yes"]), declines(["maybe"])
    (False, False)
    """
    parts = _parts(lines)
    votes = {_vote(one) for one in parts}
    kept = any(_KEEPS.search(one.text) for one in parts)
    denied = any(one.asks or _DENIES.search(one.text) for one in parts)
    return (False in votes or kept) and True not in votes and not denied


_KEEPS = late(
    r"\b(?:changed? my mind|never ?mind|(?:don't|do not|not) (?:want to )?(?:resign|give up"
    r"|forget me|delete me)|keep (?:on )?playing)\b|^not (?:yet|now)$"
)
"""Says that all is to stay as it is."""


def _parts(lines: Sequence[str]) -> list[Statement]:
    """The statements of the lines that a yes or a no is looked for in."""
    said = [line for line in lines if line.strip()]
    return [one for line in said[:_LINES] for one in statements(line[:LONGEST])]


def _is_no_less(statement: Statement) -> bool:
    """True for a statement that does not make a yes beside it any less of one."""
    text = _SAID_AGAIN.sub("", statement.text).strip()
    return not (statement.asks or _AGAIN.search(text))


def _is_harmless(statement: Statement) -> bool:
    text = _SAID_AGAIN.sub("", statement.text).strip()
    if not _is_no_less(statement):
        return False
    return len(text.split()) <= _NAME or _KIND.search(text) is not None or _means_it(text)


def _means_it(text: str) -> bool:
    """True for what only says that a yes is meant, behind one or without."""
    first, _, rest = text.partition(" ")
    said = rest if first in _PLAIN_YES else text
    return not said or _MEANS_IT.fullmatch(said) is not None


def beside_consent(lines: Sequence[str]) -> str:
    """What a letter says beside a greeting, and a yes or a no.

    >>> beside_consent(["Yes. Thank you Bob, you played well.", "Yes please!"])
    'Thank you Bob, you played well.'
    """
    return "\n".join(filter(None, (_beside(line) for line in lines if not is_greeting(line))))


def grants(lines: Sequence[str]) -> bool:
    """True where anything in a letter is a yes, whatever else it says.

    >>> grants(["No problem, D16"]), grants(["D16. Sorry!"])
    (True, False)
    """
    return any(_vote(one) for one in _parts(lines))


def answers_at_all(lines: Sequence[str]) -> bool:
    """True where a letter holds a yes, or is a no."""
    return grants(lines) or read_consent(lines) is not None


def behind_no(lines: Sequence[str]) -> list[str]:
    """What a letter goes on with after a plain no; nothing for one that does not begin with it.

    >>> behind_no(["Hi Bob,", "no, I play D16", "Bye"]), behind_no(["Not yet"])
    ([' I play D16', 'Bye'], [])
    """
    said = [line for line in lines if line.strip() and not is_greeting(line)]
    first = next(iter(statements(said[0][:LONGEST])), None) if said else None
    if first is None or _vote(first) is not False or len(first.words) > _COURTESY:
        return []
    return [said[0][first.end :], *said[1:]]


def affirms(lines: Sequence[str]) -> bool:
    """True for a yes and nothing but what says once more that it is meant: to resign, say.

    >>> affirms(["Yes, I want to resign"]), affirms(["Yes, I did not want to resign"])
    (True, False)
    """
    said = [one.text for line in lines[:_LINES] for one in statements(line[:LONGEST])]
    meant = all(map(_means_it, said)) or any(map(_SURE.search, said))
    return bool(said) and said[0].split()[0] in _PLAIN_YES and meant


_PLAIN_YES = words_of("yes yeah yep yup sure ok okay ja oui si sí da tak")


def _beside(line: str) -> str:
    """What a line says from the first statement on that is neither."""
    parts = statements(line[:LONGEST])
    said = [one for one in parts if _vote(one) is None and not _MEANS_IT.fullmatch(one.text)]
    return line[said[0].start :].strip() if any(len(one.words) > _COURTESY for one in said) else ""


_MEANS_IT = late(
    r"(?:(?:i|i'm|am|it|is|was|that|that's|this|really|quite|very|absolutely|do|did|want|mean|to"
    r"|please|me|mine|my|own|sure|certain|serious|right|correct|resign|give|up|go|ahead|send|sent"
    r"|wrote|asked|for|so|indeed|it's|das|war|ich|bitte|abschicken|schicken|senden|the|game"
    r"|invitation|email|mail|letter|play)(?: |$))+"
)
"""Says once more that the yes is meant: `I am sure`, `I want to resign`."""
_SAID_AGAIN = late(r"\b(?:forget|delete|erase|remove) (?:me|us|it all|all(?: of it)?|everything)\b")
"""What a yes to being forgotten repeats."""
_SURE = late(r"\b(?:i'?m|i am) (?:\w+ )?(?:sure|certain|serious)\b|\byes really\b|\bi mean it\b")
"""Says that a yes has been thought about."""
_AGAIN = late(
    r"n't\b|\b(?:no|not|never|none|nothing|cannot|but|though|however|unless|if|only|sorry|oops"
    r"|wrong|mistake\w*|keep|kept|continu\w*|go on|going on|carry on|play(?:ing)? on|let|still"
    r"|stay\w*|back|again|undo|wait|forget|cancel\w*|instead|actually|rather|joking|kidding"
    r"|accident\w*|turn|move|didnt|dont|later|first|before|until)\b"
)
"""What may say that a yes is none, or to something else."""
_KIND = late(
    r"\b(?:thank\w*|thx|merci|danke|gracias|grazie|bedankt|obrigad[oa]|congrat\w*|well played"
    r"|(?:good|great|nice) game|lesson|cheers|bravo"
    r"|learn\w*|enjoy\w*|pleasure|fun|honou?r\w*|wishes|regards|luck|next time)\b"
)
_NAME = 3
"""So few words may be a name, or a closing with one."""
_TURNS = late(
    r"\b(?:(?:i )?mean(?:t|s)? (?:no|yes)|never ?mind|scratch that|forget (?:it|that|about it)"
    r"|(?:just |only )?(?:kidding|joking)|by mistake|a mistake|cancel (?:it|that|this)"
    r"|(?:that|it|this)(?:'s| is) (?:not|spam)|not (?:ok|okay|really|yet)|once i"
    r"|on second thoughts?)\b|^not$|^but yes\b|^no way i'd\b"
    r"|^(?:yes|sure|ok|okay|(?:of|off) course)\b"
    r"(?!.*\b(?:no (?:problem|worries|need|rush|hurry)|why not|not? at all)\b)"
    r".*(?:n't|\b(?:not|never|cannot|refuse|decline)\b)(?! (?:mind|wait|worry))"
)
"""What makes a yes or a no something else: `I mean no`, `never mind`, `of course I don't`."""
_DENIES = late(
    r"\b(?:(?:i )?mean(?:t|s)? yes|scratch that|(?:just |only )?(?:kidding|joking)"
    r"|on second thoughts?)\b|^but yes\b"
)
"""What does so behind a no, which `that was a mistake` does not."""
_COURTESY = 2
"""So few words beside a yes or a no say nothing: `thank you`, `kind regards`."""
_OTHER = late(
    r"@|\b(?:pass|resign|resume|undo|dead|alive|scores?|rematch|count(?! me)|komi|agree with"
    r"|done (?:thinking|with))\b"
)
"""Words about a game that goes on, which a yes or a no to something else may hold."""
_HALVED = late(
    r"\b(?:but|though|however)\b(?!.*(?:n't|\b(?:no|not|never|cannot|decline|refuse|unable)\b))"
    r"|\b(?:unless|if|yes|i accept|yet)\b"
)
"""What takes half of a no back in the same breath: `I cannot play fast but I accept`."""
_UNDECIDED = late(
    r"\b(?:(?:let me|i(?:'ll| will| must| have to| need to)|want to) (?:\w+ )?(?:think|sleep on"
    r"|see)|think about it|not sure|undecided|(?:until|by) (?:tonight|tomorrow))\b"
)
"""Neither a yes nor a no yet, whatever stands beside it."""
_LATE = 3
"""A yes that comes after so many other statements may be about something else."""


def spoken_takes(lines: Sequence[str], challenges: Sequence[int]) -> list[str]:
    """The lines of an answer to a list of challenges, with what takes one as it is to be written.

    Which one must be said where there are several. Below the first only a number makes a line one:
    there the words for the other player begin.

    >>> spoken_takes(["Hi!", "I'll take it", "I like to play"], [12])
    ['Hi!', 'take 12', 'I like to play']
    >>> spoken_takes(["I'd like 12."], [12, 13]), spoken_takes(["Yes please"], [12, 13])
    (['take 12'], ['take'])
    """
    only = f" {challenges[0]}" if len(challenges) == 1 else ""
    found, takes = list[str](), False
    for at, line in enumerate(lines):
        numbers = _taking(line)
        if numbers is not None and (numbers or not takes):
            found.append(f"take {numbers[0]}" if len(numbers) == 1 else f"take{only}")
            takes = True
        elif line.strip() and not is_greeting(line):
            return [*found, *lines[at:]]
        else:
            found.append(line)
    return found


def _taking(line: str) -> list[str] | None:
    """The numbers in a line that takes a challenge, in whatever words; None for any other."""
    said = statements(line[:LONGEST])
    words = [word.lstrip("#") for one in said for word in one.words]
    numbers = list(dict.fromkeys(word for word in words if word.isdecimal()))
    others = {*words} - {*numbers}
    if any(one.asks for one in said):
        return None
    plainly = others <= _TAKES | _ABOUT_IT and (numbers or others & _TAKES)
    return numbers if plainly or read_consent([line]) else None


def chosen(lines: Sequence[str]) -> int | None:
    """The place of the one that is chosen of several, from 0 (-1 for the last); None for no choice.

    >>> chosen(["The second one, please."]), chosen(["das erste bitte"]), chosen(["the last move"])
    (1, 0, None)
    """
    said = [one for line in lines if line.strip() for one in statements(line[:LONGEST])]
    found = [match for one in said if (match := _CHOSEN.fullmatch(one.text)) is not None]
    others = [one for one in said if not _CHOSEN.fullmatch(one.text)]
    if len(found) != 1 or any(one.asks or len(one.words) > _NAME for one in others):
        return None
    return _PLACES[found[0].lastgroup or ""]


_PLACES = {"last": -1, "first": 0, "second": 1, "third": 2}
_CHOSEN = late(
    r"(?:(?:yes|ok|well|then|i|i'll|i'd|take|mean|meant|want|like|choose|prefer|go|with|make|it|ja"
    r"|oui|sí|ich|nehme|meine|je|prends) )*(?:(?:the|das|die|den|der|le|la|el|lo|il|de|het|o|a|det"
    r") )?(?:(?P<last>last|latter|letzte\w*|derni\w+|[uú]ltim\w+|laatste|sista|ostatni\w*"
    r"|последн\w+)|(?P<first>first|1st|former|erste\w*|premi\w+|primer\w*|prim[oa]|eerste|första"
    r"|pierwsz\w+|перв\w+)|(?P<second>second|2nd|zweite\w*|deuxième|second[eoa]|segund[oa]|tweede"
    r"|andra|drug\w+|втор\w+)|(?P<third>third|3rd|dritte\w*|troisième|tercer\w*|terceir[oa]"
    r"|terz[oa]|derde|tredje|trzeci\w*|трет\w+))(?: (?:one|ones|line|option|of (?:them|those|these"
    r"|the two)))?(?: (?:please|bitte|s'il te plaît|por favor|thanks|thank you))*"
)


def takes_up(lines: Sequence[str], offered: str = "") -> bool:
    """True for a yes, and nothing beside it, to what somebody was asked whether they mean it.

    What was `offered` may be said again, and no other point. That words are to be sent, too, is
    `sends_words`.

    >>> takes_up(["Yes, that's what I meant."]), takes_up(["ja genau"]), takes_up(["that's it?"])
    (True, True, False)
    >>> takes_up(["Yes, mark those as dead"], "dead G2"), takes_up(["Yes, G3"], "dead G2")
    (True, False)
    """
    said = [one for line in lines if line.strip() for one in statements(line[:LONGEST])]
    said = [one for one in said if not _SENDS_WORDS.fullmatch(one.text)]
    words = {word for one in said for word in one.words}
    again = {*offered.casefold().split(), *_SAME.get(offered.casefold().partition(" ")[0], ())}
    plain = words <= _ASSENTS | _TO_IT | again and words & _ASSENTS
    if plain and not any(one.asks for one in said):
        return True
    return read_consent(lines) is True and wholehearted(lines)


def begins_with_yes(lines: Sequence[str]) -> bool:
    """True for a letter whose first word is one of assent, whatever comes behind it.

    >>> begins_with_yes(["Ja, ich passe"]), begins_with_yes(["No, yes"])
    (True, False)
    """
    said = [one for line in lines[:1] for one in statements(line[:LONGEST])]
    return bool(said) and said[0].words[0] in _ASSENTS


def sends_words(lines: Sequence[str]) -> bool:
    """True where a yes asks that words be passed on, too, which were held back.

    >>> sends_words(["Yes please, and do send my words as well."]), sends_words(["Yes, E5"])
    (True, False)
    """
    said = [one for line in lines if line.strip() for one in statements(line[:LONGEST])]
    return any(_SENDS_WORDS.fullmatch(one.text) for one in said)


_SENDS_WORDS = late(
    r"(?:and |also |please |then |do |just |bitte |und )*(?:send|pass on|pass|forward|deliver"
    r"|tell (?:him|her|them)|schick\w*|weiterleiten) (?:on )?(?:(?:him|her|them) )?(?:my|the|these"
    r"|those|that|it|it all|die|meine) ?(?:words?|message|greetings?|rest|lines?|note|worte"
    r"|nachricht)?(?: \w+){0,6}"
)
"""How somebody asks that words go out as well."""
_SAME = {
    "dead": words_of("mark marked tot tote muerta muerto mort morte dood"),
    "alive": words_of("mark lebt lebend vivo viva"),
    "pass": words_of("passe passing paso"),
    "resume": words_of("play on playing go continue weiter"),
    "rematch": words_of("another game again noch mal nochmal arrange for us"),
    "new": words_of("invite him her them game play"),
    "vacation": words_of("holiday stop clock clocks my away"),
    "undo": words_of("take back ask him her"),
}
"""Other words for what a line does, by its verb."""


_ASSENTS = words_of(
    """
    yes yeah yep yup yea aye sure ok okay right correct exactly precisely indeed absolutely please
    ja jawohl genau richtig stimmt klar bitte oui exactement si sí sì exacto correcto esatto giusto
    sim isso exato da tak dokładnie да точно именно juist klopt precies precis stämmer evet
    はい 是 是的 对 對 네 예
    """
)
"""Words of a yes."""
_TO_IT = words_of(
    """
    that's that this it it's its is was what i i'd i've mean meant want wanted like would do did so
    one thanks thank you thx of course very much the my move line go ahead and oh hi das ist war
    meine meinte ich wollte es so danke c'est ça cela voulais dire merci je eso es lo que quería
    quise decir gracias è questo volevo grazie era queria dizer obrigado obrigada dat bedoelde ik
    bedankt mark them those these two both like as dann halt also weiterschicken
    weiterleiten schicken abschicken an het det menade jag tack это спасибо
    """
)
"""Words that say what a yes is to, or thank for the question."""


_TAKES = words_of(
    """
    take takes taking play join accept choose pick have want like love yes yeah yep sure ok okay
    gladly me mine ja oui sí si sim da tak nehme nimm prends tomo prendo
    """
)
"""Words with which somebody takes what is offered."""
_ABOUT_IT = words_of(
    """
    i i'll i'd i'm i've will would am to it this that one the a with against for in on go get
    please pls thanks thx number nr game challenge offer my and let's happy glad great then ich
    je bitte merci danke
    """
)


def _vote(statement: Statement) -> bool | None:
    """True for a statement that is a yes, False for a no."""
    said = spelt_out(statement.text)
    text = _ONCE.sub("", said).strip() or said
    entry = LINES.get(text)
    command = entry.read("") if entry is not None else None
    if isinstance(command, cmd.Yes):
        return True
    if isinstance(command, cmd.No) or _AGAINST.fullmatch(text):
        return False
    return True if _FOR.fullmatch(text) else None
