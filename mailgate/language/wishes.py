"""Requests to the service by their form: `could you estimate the score?`, `a rated game please`.

Pure; raises nothing. A request is a frame (`I'd like`, `could you`, `please`) around what nobody
but us can give. What is asked of somebody by name or as `you`, and all else, is talk.
"""

from __future__ import annotations

import re

from mailgate.late_patterns import late

OPENING = (
    r"(?:(?:(?:hi|hello|hallo|hey)(?: there)?|yo|oh|dear|my dear|out of curiosity|godaemon|server"
    r"|and|but|so|well|ok|okay|um|hmm|sorry|actually|honestly|also|now|then|first|because|exactly"
    r"|roughly|i'm afraid|i am afraid|excuse me|pardon|by the way|btw|please|kindly|just"
    r"|if i may)[ ,:]+){0,9}"
)
"""How a sentence begins before it says anything: `hi`, `but please`."""
_KINDLY = (
    r"(?: (?:please|kindly|just|also|perhaps|maybe|possibly|be so (?:kind|good) (?:as to|and)))*"
)
_SOMEBODY = r"(?:i|you|it|there|this|the|my|some(?:one|body)|any(?:one|body))"
_FRAME = late(
    rf"{OPENING}(?:(?:can|could|would|will|might|may)(?:n't)? {_SOMEBODY}\b{_KINDLY}"
    r"|(?!i (?:really )?(?:like|love)d? )"  # which says what is, and asks for nothing
    r"i(?:'d|'ll| would| should| will| do)?(?: not|n't)?(?: (?:very|much|really|rather|also|just"
    r"|only|still|now))* (?:like|love|want|wish|need|prefer|hope|wonder|be (?:\w+ )?(?:grateful"
    r"|glad|happy|pleased)|do(?: not|n't) (?:want|need|like))(?:ed)?\b|i (?:cannot|can't"
    r"|can not) (?:see|read|find|open|get)\b|(?:what|who|how|where)(?:'s| is| are| am| do| does)\b"
    r"|is there (?:an?|any|some)\b|(?:want to|need|(?:please|kindly)(?! (?:ask|answer|reply))"
    r"|let me|help me|(?:show|give|(?:re-?)?send|tell|get|inform|explain|make|use|set|turn|switch"
    r"|put|draw|print|e?-?mail|publish|upload|stop|pause|freeze|change|call|delete|no more|fewer"
    r"|less|too many|too much)(?! on)(?: me| us| it)?)\b)"
)
"""How a request begins, up to what is requested."""
_PLEASE = r"(?:please|bitte|por favor|s'il (?:te|vous) plaît)"
_BEHIND = late(rf".* (?:{_PLEASE}|if i may|possible)")
"""How it ends where it is else the thing alone: `score estimate please`."""
_OTHERS = late(
    r"\b(?:you|you're|yours?|yourself|he|she|him|his|du|deine?|ihr|tu|(?<!s'il )vous|votre|usted)\b"
)
"""Who else is spoken to, or of."""
_SPELT = {
    "u": "you",
    "ur": "your",
    "r": "are",
    "pls": "please",
    "plz": "please",
    "rn": "now",
    "gimme": "give me",
    "lemme": "let me",
    "wanna": "want to",
    "wud": "would",
    "gonna": "going to",
    "idk": "i don't know",
    "im": "i'm",
    "id": "i'd",
    "whats": "what's",
    "whos": "who's",
    "wheres": "where's",
    "hows": "how's",
    "dont": "don't",
    "cant": "can't",
    "adress": "address",
    "lets": "let's",
    "ill": "i'll",
}
"""Words as people write them in haste."""
_TONGUE = (
    r"(?:english|german|deutsch|french|français|francais|spanish|español|espanol|italian|italiano"
    r"|dutch|nederlands|portuguese|português|portugues|polish|polski?u?|swedish|svenska|russian"
    r"|русском|japanese|日本語|chinese|中文|korean|한국어|czech|danish|norwegian|finnish|hungarian"
    r"|romanian|ukrainian|turkish|(?:an)?other languages?|my (?:own )?language)"
)
_PROGRAMS = r"(?:computers?|programs?|bots?|engines?|ais?|machines?|robots?)"
_YOUR_PROGRAM = late(rf"\byour (?=(?:\w+ )?{_PROGRAMS}\b)")
_THINGS = {
    thing: rf"\b(?:{words})\b"
    for thing, words in {
        "programs": rf"(?:against|vs|with(?! (?:\w+ ){{0,3}}program)) (?:(?:an?|the|some"
        rf"|any) )?(?:\w+ )?{_PROGRAMS}"
        rf"(?! (?:so|to help|that|which)\b)|{_PROGRAMS} (?:opponents?|to play)",
        "undo": r"undo|take ?back(?! (?:at|on|in) [a-z]-?\d)|(?:my|this|that|last) (?:last "
        "|previous )?move back|(?:put|placed) .*wrong",
        "cancel ifs": r"(?:cancel|delete|forget) (?:all )?(?:my )?(?:plans?|planned moves|ifs"
        r"|conditions?)",
        "if": r"conditional|in advance|plan (?:a|my|moves?|ahead)|my plans?",
        "score": r"(?:an?|the|current|actual|rough|score) estimat(?:e|ion)s?|estimate"
        r"|(?<!final )score(?! \w* ?(?:counted|worked out|calculated))|who(?: is|'s)? (?:currently "
        r"|now )?(?:ahead|winning|lead(?:s|ing)|in (?:the lead|front))"
        r"|(?:i am|am i|i'm|black is|is black|white is|is white) (?:currently |now )?(?:ahead"
        r"|behind|winning|losing|leading|in the lead)|how far (?:ahead|behind)"
        r"|(?:how|where) (?:do )?i(?: am|'m)? (?:doing|stand|getting on)"
        r"|(?:is|does|did|was|stands?) (?:it|(?:the|our|my|this) game) (?:going|stand|go|looking)"
        r"|(?:stands|goes) (?:it|the game)",
        "boards": r"letters (?:instead|for|as|rather|x)|(?:with|use|using|in|show) (?:\w+ )?letters"
        r"|coordinates|(?:symbols|signs|dots|circles) (?:for|instead|as|rather)",
        "weekends": r"weekends|weekend off",
        "vacation": r"on (?:vacation|holidays?)|(?<!on )(?:a|take|my) (?:vacation|holiday|break"
        r"|pause)|vacations?|pause[ds]?|(?:my|the|our|all) clocks?(?! (?:run|is|are|say|stand))",
        "back": r"from vacation",
        "emails": r"(?:e-?mails?|messages|mails) (?:again )?(?:at once|immediately|as they come"
        r"|right away|one by one)|(?:e-?mails?|messages?|mails|letters) (?:only|just|less|fewer)"
        r"|only (?:if|when) (?:it is|it's) my turn|my turn only|(?:fewer|less|too many|so many|off"
        r"|stop|no more) (?:\w+ )?(?:e-?mails?|messages|letters|mails)|notifications"
        r"|stop (?:writing|sending|(?:e-?)?mailing)|reminders?",
        "digest": r"digest|(?:daily|summary) e?-?mail|one (?:\w+ )?e?-?mail (?:a|per|each|every)"
        r" day|(?:daily|a) summary|once (?:a|per) day",
        "plain": r"plain(?: text)?|(?:only|just) (?:the )?text|html"
        r"|(?:no|not|don't|without|stop|hide|skip) (?:\w+ ){0,4}"
        r"(?:pictures?|images?|attachments?)",
        "timezone": r"time ?zones?",
        "name": r"my name|nickname|be called|call me",
        "rulesets": r"rule ?sets|(?:what|which) (?:\w+ )?rules (?:can|may|could|do|are)"
        r" (?:(?:i|we|you|they) (?:choose|pick|select|use|have|know|offer|support)|there|possible"
        r"|available)",
        "learn": r"tutorials?|lessons?|instructions|introduction"
        r"|(?<!chinese )(?<!japanese )(?<!korean )(?<!which )(?<!what )(?:the )?(?:game )?rules"
        r"|learn(?:ing)? (?:it|go|baduk|the game|this game)|how (?:(?:to|do|does|can|one|i|it|we"
        r"|even) )+(?:is )?play(?:s|ed)?"
        r"(?! (?:here|there|at|on|a|an|my|stones?))",
        "rating": r"my (?:rating|rank|elo|glicko)|ratings|leaderboard|(?:un)?rated|ranking",
        "public": r"public|watch (?:(?:this|our|my|the) game|it|us)|spectat\w+",
        "hidden": r"hidden",
        "note": r"notes?|(?:write|put) (?!me\b)(?:\w+ )?down|only (?:i|me)\b|for myself|privately",
        "forget me": r"(?:delete|forget|erase|remove) (?:.* )?(?:about me|my (?:data|account))",
        "history": r"(?:see|read|find|look up) (?:again )?what (?:i|we|he|she|they|was|has been)"
        r" (?:\w+ )?(?:wrote|written|said|played)|history|earlier moves|our talk|past messages"
        r"|(?:all|list of) (?:the )?moves|the moves (?:of|so far|again)|last move|(?:the|our"
        r"|this) (?:whole |entire )?game (?:so far|until now|from the (?:beginning"
        r"|start))(?: please| again)*$|move by move|(?:see|look at|go (?:through|over)|replay"
        r"|view) the (?:whole|entire|full) (?:game|thing)|(?:see|look(?: back)? at"
        r"|go over) how (?:it|this"
        r"|things|everything|the game) (?:all |has |have )*(?:went|gone|goes)",
        "branch": r"branch(?:es)?|variations?|teaching game",
        "try": r"try (?:moves?|out|something|it out|a variation)|dry run",
        "void": r"void|without a result|no result|annul",
        "withdraw": r"cancel|withdraw|call off",
        "rematch": r"rematch|revenge",
        "counter": r"other terms|change the terms|counter(?:-?offer)?",
        "export": r"export|games (?:as|in) (?:\w+ )?(?:files?|sgf)"
        r"|files? of (?:all )?(?:of )?(?:my |our )?games"
        r"|download (?:all )?my games|my data",
        "review": r"review|analysis|look back|where (?:(?:i|we|it) went|did (?:i|we|it) go) wrong"
        r"|(?:show|tell|explain|what|where|which|know|see)\b.*\b(?:my|our|his|her|the|biggest"
        r"|worst) (?:\w+ )?(?:mistakes?|blunders?|(?:losing|worst|weakest|bad) moves?)|(?:which"
        r"|what) moves? (?:\w+ )?(?:lost|cost|decided)|(?:could|should) (?:i|we|black"
        r"|white) (?:\w+ )?have (?:\w+ )?(?:played|done|won)",
        "language": rf"(?:^|.*\b(?:switch|change|it|them|this|these|that|everything|help|rules"
        r"|e?-?mails?|letters|messages|instructions|texts?|answers?|write|tutorial|lessons)\b.*)"
        rf"(?:(?:in|auf|en|into|to|po|op|på) )?{_TONGUE}(?: version)?(?: {_PLEASE})?$",
        "move me to": r"e?-?mail address|my address"
        r"|(?:switch|change|move) to (?:my (?:\w+ )?one|(?:my|another) (?:\w+ )?(?:e-?mail|account"
        r"|mailbox|address))",
        "record": r"(?:send|e?-?mail|give) (?:it |me )*(?:the|this|our|my) (?:whole |last |final "
        r"|finished |complete )?game\b(?! of)|as an? file\b|(?:publish|upload) (?:the|this|our"
        r"|my) game|sgf|record of|game record|copy of (?:the|this|our|my) game"
        r"|game (?:so far )?(?:as|like|in) an? file|(?:save|download) (?:the|this|my) game|(?:the"
        r"|this"
        r"|our) game as an? (?:\w+ )?file",
        "time": r"how (?:many days|much time|long)\b.*\b(?:left|got|(?:do|does) (?:\w+ ){1,2}have"
        r"|(?:i|he|she|they) (?:still )?have)\b",
        "new": r"(?:any|some)(?:one|body) (?:\w+ )?(?:free|available|around|ready|up) (?:to play"
        r"|for a game)|play .*\b(?:some|any)(?:one|body) (?:else|(?:(?:a|bit|little|much|who|is"
        r"|about|around|near|of|at|my) )*(?:weaker|stronger|easier|level|strength|rank|\d+ ?(?:k"
        r"|kyu|d|dan)))\b|who else|(?:recommend|suggest|find|know)(?: me)? (?:an? "
        r"|some )?(?:\w+ )?(?:opponents?|players?|partners?)\b|(?:find"
        r"|know)(?: me)? some(?:body|one) (?:to|who|for me)\b|other players|another opponent",
        "gui": r"an app|sabaki|gogui|gtp|go (?:program|software)",
        "board": r"re-?send|where (?:we|i|things) (?:are|stand)|send\b.*\b(?:it|that|this|one"
        r"|e?-?mails?|message|letter|board|position)\b.*\b(?:again|once more)|(?:the"
        r"|present|current) (?:board|position)",
    }.items()
}
"""What only we can give, by verb or topic; none of it is anything else that people wish."""


def spelt_out(text: str) -> str:
    """A normalized text with the words in full that are written short in haste, or drawn out.

    >>> spelt_out("yesss"), spelt_out("noooo pls"), spelt_out("soon")
    ('yes', 'no please', 'soon')
    """
    drawn = _DRAWN_OUT.sub(lambda found: "".join(dict.fromkeys(found[0])), text)
    return " ".join(_SPELT.get(word, word) for word in drawn.split())


_DRAWN_OUT = late(r"\b(?:yes{2,}|no{3,}|ok{2,}|sure{2,}|yea+h{2,})\b")


def wish_in(statement: str, *, asks: bool = False, alone: bool = False) -> str:
    """What a normalized statement asks of us, by verb or topic; "" where it is none of ours.

    `asks` says that it is a question, of which it is not known yet to whom; `alone` that nobody
    else is there to be asked.

    >>> wish_in("could you estimate the score for me"), wish_in("i'd like letters for the stones")
    ('score', 'boards')
    >>> wish_in("could you give me your score"), wish_in("i want to win")
    ('', '')
    """
    plain = spelt_out(statement)
    clauses = _AND.split(plain)
    found = (_wish(clause, asks=asks, alone=alone) for clause in dict.fromkeys([plain, *clauses]))
    return next(filter(None, found), "")


_AND = late(r" (?:and|but|so|because) ")


def plays_again(text: str) -> bool:
    """True for words of who would play once more, on whatever terms.

    >>> plays_again("another round, on 13x13?"), plays_again("it is your turn again")
    (True, False)
    """
    return _AGAIN.search(text[:1_000]) is not None


_AGAIN = late(
    r"(?i)^again(?:[?!., ]*$|[?!.,]* (?:again|but|with|on|at|please|same|(?:this|next) time)\b)"
    r"|\b(?:(?:play|game|match|round)\b.{0,99}\b(?:again|once more|some (?:day|time))|go again"
    r"|another (?:one|game|match|round)|(?:shall|should|can|could|may) we have another|(?:fancy"
    r"|up for|how about|what about|time for) another|one more|next game|run it back|same again"
    r"|rematch|revenge|revanche|revancha|rivincita|revanch|return (?:match|game)"
    r"|^(?:and )?once more(?=$|[?!.,;]| (?:but|on|with|at|please)\b)|noch ?(?:ein)?mal"
    r"|noch eine (?:partie|runde)|encore une (?:fois|partie)|otra (?:vez|partida)|de nuevo"
    r"|un'altra (?:volta|partita)|nog (?:een keer|een potje|eens)|mais uma|de novo|en gång till"
    r"|jeszcze raz|ещё (?:раз|партию)|реванш)\b|もう一局|もう一度|再来一[局盘]|한 판 더"
)


def _wish(said: str, *, asks: bool, alone: bool) -> str:
    plain = _YOUR_PROGRAM.sub("the ", said)
    frame = _FRAME.match(plain)
    framed = asks or frame is not None or _BEHIND.fullmatch(plain) is not None
    others = _OTHERS.search(plain[frame.end() :] if frame else plain)
    if not alone and (others or not framed):
        return ""
    return next((thing for thing, words in _THINGS.items() if re.search(words, plain)), "")
