"""Words that other servers obey and this one does not: answered, and never told to the opponent.

Pure; raises nothing. `if D4 then E5` or `note: he did not see C3`, passed on as chat, would show
the opponent what was meant for us. A word is reserved where it stands as a command does: first in a
statement, alone or with arguments; in a sentence about something else it is an ordinary word.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from mailgate.address import clean_quote
from mailgate.language.arguments import read_stop
from mailgate.language.new_game import EXAMPLE
from mailgate.language.questions import Topic, question_to_us, questions_to_us, topic_named
from mailgate.language.talk import (
    LONGEST,
    Statement,
    is_greeting,
    plan_in,
    plans,
    statements,
    trial_in,
    vertices,
)
from mailgate.language.vacations import vacation_in
from mailgate.language.verb_table import VERBS
from mailgate.language.wished_settings import settings_in
from mailgate.language.wishes import spelt_out
from mailgate.language.written_moves import normalize
from mailgate.late_patterns import late
from mailgate.word_sets import words_of


@dataclass(frozen=True, slots=True)
class Reserved:
    """Words of one meaning: those that open a command, forms in sentences, and our answer."""

    words: str
    """Alternatives of a regular expression that stand first, with arguments or none."""
    answer: str
    hints: tuple[str, ...] = ()
    forms: str = r"(?!)"
    """What means the same anywhere in a statement."""
    private: bool = False
    """True where whatever follows the word is its argument."""
    setting: bool = False
    """True where a few words that follow are, whatever they are."""


_WE = (
    "(?:server|godaemon|computer|robot|bot|machine|program(?:me)?|system|admin|administrator"
    "|support|service|organi[sz]er|post office|mailer|daemon)"
)
TO_US = (
    "(?:(?:dear|hey|hi|hello|ok|okay|good (?:day|morning|evening)) (?:mr )?)?"
    f"(?:go (?:by mail )?)?{_WE}"
)
"""How people address us."""

_NOTED = "(?:notes?|thoughts?|reminders?|remarks?|comments?|memos?)"
_NOT = "(?:do not|don['’]?t|never|please not|must not|mustn['’]?t|without)"
_SLIPPING = (
    r"(?:(?:oops|ups|oh|ah|argh|damn|darn|drat|sorry|no|wait|hm+|hey|well|but|uh|oh dear|my mistake"
    r"|my bad)[ ,]*)*"
)
ASK_BACK = "To ask your opponent for your move back, write: `undo`"
"""What is answered to words that may wish for one."""
PLAN_AHEAD = "To plan a move, write a line such as `if D4 then E5`."
"""What is answered to words that may plan one."""
_AWAY, _MOVING = ("vacation 2 weeks",), ("move me to bob@example.org",)
ADDRESS = late(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_SHOWN = (
    r"(?:pictures?|images?|diagrams?|boards?|e-?mails?|mails?|links?|buttons?|numbers?|letters?"
    r"|grid|colou?rs?|clocks?|lines|rows|columns|dots)"
)
"""What our emails are made of."""
_MAIL = r"(?:e-?mails?|mails?|messages?|letters?|notifications?)"
_OFTEN = (
    rf"\b(?:your|the|these) {_MAIL} (?:\w+ )*(?:too|so) (?:often|many|frequent(?:ly)?)$"
    r"|^(?:this|these|they) (?:comes?|arrives?) (?:\w+ )+(?:a|every|per) (?:day|hour)$"
)
"""How people say that too many emails come."""
_GLYPHS = (
    r"(?:boxes|rectangles|question marks|jumble|gibberish|blurr(?:y|ed)|pixelated|nonsense"
    r"|upside down|crooked|misaligned|overlap(?:ping)?|squashed"
    r"|(?:strange|weird|funny|odd|cryptic|garbled) (?:\w+ )?(?:characters?|symbols?|signs?|marks?))"
)
"""What stands in our emails where a program cannot show them."""
_FAILS = (
    r"(?:(?:do|does|did|will|would) (?:not|never)|(?:don|doesn|didn|won|wouldn)'t|never"
    r"|no longer) (?:\w+ )?(?:show|load|display|appear|open|work|arrive|come|do (?:anything|much))"
    r"|(?:is|are|was|were|looks?|comes?|seems?)(?:n't| not)?(?: \w+)? (?:shown|loading|displayed"
    r"|working|broken|missing|wrong|blank|empty|garbled|unreadable|gibberish|nonsense|cut off"
    r"|mixed up|messed up|a mess|scrambled|lost|too (?:small|dark|light) to)|(?:got|gets|went"
    r"|goes) lost|all over the place|(?:don't|doesn't|do not|does not) line up"
)
_GONE = (
    r"(?:missing(?! an?\b)|disappeared|vanished|(?:not |n't )?(?:shown|on the board|show(?: up)?"
    r"|registered))"
)
_TROUBLE = (
    r"(?:^|\b(?:that|but|and|because|think|fear|guess) )(?:(?:click|tapp|press)ing (?:on )?)?"
    r"(?:(?:the|this|these|those|all|some|my|your)"
    rf" (?:\w+ )?{_SHOWN}\b[^,;?]{{0,30}} (?:{_FAILS})\b"
    r"|(?:the|this|these|those|all) (?:e-?mails?|buttons?|links?)\b(?!.*\byour?\b))"
    r"|\bit (?:\w+ )?(?:says|said|claims|tells me) (?:that )?"
    r"(?:it(?:'s)?|i(?:'m|'ve)?|my|the|there|no|not|black|white|[a-z]\d{1,2})\b"
    r"|\bi (?:do not|don't|cannot|can't|can not|couldn't|can (?:barely|hardly))"
    r" (?:\w+ )?(?:see|read|open|find"
    rf"|understand|get|make out)(?: (?!your\b(?! (?:last )?e?-?mail)|in\b)\w+){{0,3}} {_SHOWN}\b"
    rf"|\b(?:get|got|getting|gotten|received?)\b.*\b{_MAIL}\b.*\b(?:twice|again|double"
    r"|(?:two|three|four|several|many|\d+) times)\b"
    rf"|\b(?:your|the|these|all) {_MAIL} (?:\w+ )?(?:come|arrive|show up|reach me|are|get here)"
    r" (?:\w+ )?(?:in (?:pairs|duplicate|twos|threes)|twice|doubled?|duplicated|in double)\b"
    r"|\b(?:get|got|getting|receiv\w+)\b.*\b(?:(?:two|three|copies) of (?:everything|(?:each|every"
    r"|the same) (?:e-?mail|one|thing|message))|(?:everything|it all|each one) (?:twice|double))\b"
    r"|\bnothing (?:happen(?:s|ed)|opens?|comes up) (?:when|if|after) i (?:click|tap|press|touch"
    r"|send)\b|\b(?:it|this|that|the (?:program|system|server)) keeps? (?:on )?(?:tell|say|send|ask"
    r"|repeat|refus|reject)ing\b|\b(?:an?|the|some) (?:\w+ )?(?:bug|glitch)\b|\b(?:error|mistake"
    r"|problem|wrong)\b.{0,20}\b(?:with|in) (?:the|your|this) (?:\w+ )?"
    rf"(?:{_SHOWN}|program|system|server|count(?:ing)?|score)\b"
    r"|\bi(?:'ve)? (?:\w+ )?(?:sent|wrote|written|replied|answered|moved|played)\b.*\b(?:but|and)\b"
    r".*\b(?:nothing (?:happen(?:s|ed)|came|changed)|no (?:answer|reply|reaction|confirmation)"
    r"|(?:isn't|is not|wasn't|was not) (?:there|shown|on the board|accepted|taken))\b"
    r"|\bmy (?:\w+ )?moves? (?:is|are|has|have|does|do|did|isn't|aren't|doesn't|didn't)\b"
    rf".*\b{_GONE}\b|\b(?:stones|pieces|points|{_SHOWN})\b.*\b(?:looks?|appears?|show[ns]?|comes?"
    rf"|is|are)\b.*\b{_GLYPHS}\b|^(?!.*\byou\b).*\b(?:{_GLYPHS}|squeezed|blurred|jumbled|cut off"
    rf"|scrambled|garbled|tiny"
    r"|mixed up|messed up|all over the place|unreadable)\b.{0,12} (?:on|in) (?:my|this)"
    r" (?:\w+ )?(?:screen|phone|tablet|computer|laptop|e?-?mail|program|app|reader)\b"
    rf"|\b(?:{_GLYPHS}|box|square|icon|cross) (?:instead|where|in(?: the)? place)\b"
    r".*\b(?:stones|pieces|board|pictures?|image|diagram)\b"
    rf"|\b{_MAIL}\b.* (?:in|into|to|as) (?:the |my )?(?:spam|junk|trash)\b"
)
"""How people say that something of ours is wrong."""
_SO = r"(?:(?:so|and|but|hm+|well|hey|hi|ok|or) )*"
_BOARD = r"(?:position|board|diagram|situation|stones)"
_DISPUTED = (
    rf"^(?=.*\b{_BOARD}\b)(?!.*\bas \w+ as\b){_SO}(?:(?:why|i think|is|are|sorry) )*"
    rf"(?:this|that|it|(?:the|these) {_BOARD})\b"
    r".{0,20}\b(?:not|\w+n't|different|differs|changed|wrong)\b"
    r".*\b(?:we (?:had|left)|i (?:remember|left|saw)|yesterday|last (?:time|week|night|e?-?mail))\b"
    r"|\bmy (?:\w+ ){0,2}(?:stones?|groups?)(?: (?:on|at|in) (?:the )?\w+(?: \w+)?)?"
    rf" (?:is|are|has|have|does|do|did|was|were|\w+n't)\b.*\b{_GONE}\b"
    r"|^(?:where (?:did|have|has|is|are)|what happened to) my (?:\w+ )?(?:stones?|groups?)\b"
    r"|\bthere (?:was|used to be) (?:\w+ )?stone (?:on|at) [a-z]\d{1,2} (?:before|yesterday)\b"
    r"|^(?:what|which \w+) (?:does|did|is|has) (?:he|she|they|my opponent) (?:want|mean|ask(?:ed"
    r"|ing)?|say|said)(?: back| to take back)?(?: (?:for|now|here|from me|exactly))*$"
)
"""How people say that a board is not as they know it, or ask what has happened in a game."""
_GOT = r"(?:get|got(?:ten)?|received?)"
_NEVER = r"(?:never|(?:did|have|had)(?: still)?(?:n't| not)|still have(?:n't| not))(?: \w+)?"
_MISSED = (
    r"^(?!.*\b(?:about|wedding|birthday|until|till|in time|before|earlier|at first)\b).*\b"
    rf"(?:i {_NEVER} {_GOT} (?:.*\b{_MAIL}|anything|(?:his|her|their|any|\w+'s) (?:\w+ )?(?:move"
    r"|reply|answer))|(?:i|i've|we|\w+ \w+) (?:\w+ )?(?:deleted|lost|binned|erased|trashed"
    r"|misplaced|mislaid|removed"
    rf"|thrown? away|threw away) (?:the|your|that|an?|my|his|her|its|all) (?:\w+ ){{0,2}}{_MAIL}"
    rf"|{_MAIL}\b.*\b(?:never|not|\w+n't) (?:\w+ )?(?:reach(?:ed)? me|got (?:here|through))"
    r"|(?:nothing|no (?:new )?e?-?mails?) (?:has |have |ever )?(?:arrived|came|come|turned up"
    r"|reached me)(?! of)|(?:says|said|claims) (?:that )?(?:he|she|they)\b.*\b(?:sent|moved|played"
    r"|replied|answered)\b.*\bbut (?:nothing|there|i(?:'ve| have| see| got| never| don't| didn't"
    r"| can't| haven't)))\b"
)
"""How people say that an email of ours has not come."""
_AILS = (
    rf"\b(?:your|this|the) (?:\w+ )?(?:{_WE}|instructions?|buttons?|links?)\b.*\b(?:understand\w*"
    r"|confus\w+|wrong|useless|stupid|unclear|complicated|no sense|not make sense|english)\b"
    r"|^(?:it|this|that) (?:\w+ )?(?:(?:does|will|is|did) not|(?:does|did|wo|is)n't) work(?:ing)?\b"
    r"|\b(?:(?:does|will) not|(?:does|wo)n't) let me (?:move|play|pass|reply|answer|resign|write)\b"
    r"|\bno (?:pictures?|images?|diagrams?|boards?|links?|buttons?) in (?:your|this|that)"
    rf" (?:\w+ )?{_MAIL}\b|\bnothing (?:is happening|happens)$|\bis nothing happening$"
    rf"|^{_SO}did you (?:get|receive) (?:my (?:\w+ )?(?:moves?|pass|e?-?mails?|answer"
    r"|reply|message|letter)|[a-z]\d{1,2})$|\b(?:used|uses|wrote from|has|hacked) my (?:account"
    r"|e?-?mail|computer|address)\b|\bi (?:captured|took|caught)\b.*\bwhere (?:is|are) (?:it|they)$"
)
"""How people say that we are hard to use."""
_PERSON = r"(?:person|player|opponent|guy|man|woman|user)"
_HE = rf"(?:he|she|my opponent|(?:this|the other|that) {_PERSON})"
_THEY = rf"(?:{_HE}|they|the opponent|the other side)"
_THEM = rf"(?:him|her|them|(?:my|the) opponent|(?:this|that|the other|an?) {_PERSON})"
_ANYONE = rf"(?:{_THEM}|some(?:body|one))"
_FROM_THEM = rf"(?:of|from|by) (?:{_THEM}|the other(?: side)?)"
_HEARD = (
    r"(?:hear|heard|(?:got|had|get|have|see|seen) (?:a|any|one) (?:word|answer|reply|sign|move))"
)
_SILENCE = (
    rf"^{_SO}what(?:'s| is) (?:taking|keeping|holding) {_ANYONE}\b(?!.*\byou\b)"
    rf"|^{_SO}why (?:is|does|do|are) {_THEY} (?:\w+ )?(?:taking|take|so slow|so long|not (?:play"
    r"|mov|answer|reply))(?!.*\byou\b)"
    rf"|^{_SO}is (?!(?:it|this|that|there|she|he|any\w*)\b)\w+ still"
    r" (?:alive|there|around|playing|with us)\b(?!.*\byou\b)"
    rf"|^{_SO}(?:(?:is there|was there|there is|there's|still) )*(?:any|no|not a)"
    r" (?:signs? of life|news|word|answer|reply|response|reaction)"
    rf"(?: (?:yet|so far|at all|{_FROM_THEM}))*$|^{_SO}(?:(?:perhaps|maybe|i (?:think|guess|fear"
    rf"|suppose)|it (?:seems|looks like)) )*{_THEY}"
    r"(?:'s|'ve| has| have| must have| might have| may have| seems? to have| probably has)"
    r"(?: probably| perhaps| maybe| simply| just)* (?:forgotten (?:all )?(?:about )?(?:me|us"
    r"|(?:the|our|this) game|to (?:move|play|answer|reply))|lost interest|given up on (?:me|us"
    r"|the game)|gone (?:silent|quiet|missing))\b(?!.*\byou\b)"
    rf"|^{_SO}(?:(?:has|have|did|does|is|are) {_THEY}|(?:do you know|(?:can|could) you (?:check"
    rf"|find out|see)) (?:if|whether) {_THEY}(?:'s|'re| is| are| has| have))"
    rf" (?:\w+ ){{0,2}}(?:ok(?:ay)?$"
    r"|(?:seen?|read|received?|g[eo]t|opened)(?! (?:an?|the|his|her|their|your|out|into|rid|new)\b"
    rf"(?! (?:\w+ )?(?:{_MAIL}|moves?|notes?|game)\b))|there|alive|awake|active|gone|with us"
    r"|reply|answer(?:ed)?|replied|coming back|still (?:playing|around)|forgotten(?: me| us"
    r"| the game)?$|(?:given up|quit|dropped out|disappeared)(?: on (?:me|us"
    r"|the game))?$)\b(?!.*\byou\b)"
    rf"|^{_SO}(?:i|we)(?:'ve)? (?:\w+ )?(?:not|never|still|haven't|didn't|don't) (?:\w+ )?{_HEARD}"
    rf" (?:\w+ ){{0,2}}{_FROM_THEM}\b(?!.*\byou\b)|^(?!.*\byou\b){_SO}(?:what|who|do|does"
    rf"|will|can|would|how)\b.*\b(?:if|when|until) {_THEY} (?:\w+ )?(?:(?:never|\w+n't|not"
    rf"|no longer"
    r"|stops?|forgets?) (?:\w+ )?(?:play|mov|answer|repl|respon|writ|react|finish|comes? back)"
    r"|(?:disappears?|vanish(?:es)?|quits?|leaves?|just stops?)$)|\b(?:quiet|silent|silence) (?:on"
    r"|from|at) the other (?:side|end)$|^(?:it(?:'s| has| is)(?: been)? |already "
    r"|for )*(?:\w+ ){1,2}(?:days|weeks|months)\b.*\b(?:without|no|since) (?:an? |any |the |his "
    r"|her |their )?(?:last )?(?:word|answer|reply|move|news|sign)\b(?! (?:about|of (?!life|him|her"
    r"|them)))"
)
"""How people ask whether an opponent is there still."""
_UNREADABLE = (
    r"\b(?:(?:text|font|writing|print|letters|stones|everything(?! (?:here|outside|around))"
    rf"|{_SHOWN})\b.* (?:is|are|looks?"
    r"|comes? out)(?: \w+)? (?:(?:too|so|very) (?:small|tiny|big|large|wide|dark|light|pale|faint)"
    r"|hard to (?:see|read|tell apart))|colou?r-? ?blind)\b"
    r"|\bi can (?:hardly|barely) (?:see|read|make out) the coordinates\b"
    r"|\bi (?:can't|cannot|can not|can (?:hardly|barely)|couldn't) (?:\w+ )?(?:tell|distinguish"
    r"|keep) (?:(?:the|two|black|white|stones|colou?rs|sides|players|them|and) )+(?:from|apart)\b"
    r"|\b(?:ones|colou?rs|sides|white and black|black and white) (?:is|are)"
    r" (?:\w+ )?hard to tell apart|^(?!.*\byou\b)(?:i|here i) (?:can )?(?:only|just) (?:see"
    r"|get)\b.*\b(?:letters|dots|symbols|characters|signs|squares|boxes|code|text|numbers|lines)\b"
    r"|\b(?:make|draw|print|show|send) (?:it|them|everything) (?:\w+ ){0,2}(?:bigger|larger"
    r"|clearer)\b|\bscreen ?readers?\b|^(?!.*\b(?:we|us|next|game)\b)(?:please|can|could|would|is"
    r"|i'd|i|make|draw|show|print)\b.*\b(?:board|text|picture|letters|stones|print|font|diagram)s?"
    r" (?:\w+ ){0,2}(?:bigger|larger|smaller|clearer|darker|lighter|readable)\b"
    r"|^(?!.*\b(?:we|us|next|game|new)\b)(?:(?:please|can|could|would|is|are|i'd|i|make|draw"
    r"|show|print|send)\b.*\b)?(?:bigger|larger|clearer|darker) (?:\w+ )?(?:text|picture|letters"
    r"|stones|print|font|type|diagram|numbers|coordinates|lines)\b"
    r"|^(?:they|these|those|(?:all )?the stones|all of them|both (?:colou?rs|sides)"
    r"|black and white|white and black)(?: stones)? (?:all )?"
    r"looks? (?:\w+ )?(?:the same|alike|identical)\b"
    r"|\b(?:links?|buttons?|(?:click|tapp)ing)\b.* (?:opens?|starts?|goes|leads?)\b.*"
    r"\b(?:wrong|another|other|empty|blank|nothing)\b"
)
"""How people say that they cannot make out, or use, what we show."""
_UNSEEN = (
    rf"^(?:\w+ )?(?:pictures?|images?|diagrams?) (?:\w+ )?(?:{_FAILS})\b|"
    r"\b(?:dark|night) mode\b|^(?!.*\byou\b).*\b(?:this|the)(?: tiny| small| big)? (?:font"
    r"|(?:picture|image)s? (?:is|are|was|were|does|do|doesn't|don't|isn't|aren't"
    r"|didn't))\b(?! (?:of|by|from)\b)|\b(?:click|tap|press)(?:ing)? (?:on )?the (?:picture|image"
    r"|board|points?|links?|buttons?)\b"
    rf"|\b(?:(?:second|third|fourth|fifth|\w+th) time|twice|several times|again and"
    rf" again)\b.*\b(?:same|this) {_MAIL}\b|\bsend(?:ing)? (?:me )?everything (?:twice|double)\b"
    r"|\b(?:je ne (?:vois|peux|distingue)|no (?:veo|puedo ver)|non (?:vedo|riesco)|ich (?:sehe"
    r"|kann)|não (?:vejo|consigo)|ik (?:zie|kan)|nie widzę|не вижу)\b.*\b(?:bild(?:er)?|brett"
    r"|plateau|image|goban|tablero|imagen|scacchiera|immagine|tabuleiro|imagem|bord|plaatje"
    r"|planszy|obrazka|доск[уи]|картинк[уи])\b|\b(?:brett|bild|schrift|plateau|tablero"
    r"|bord)\b.*\b(?:größer|plus grand|más grande|più grande|groter|maior)\b|(?:盤|画像|棋盘|图片"
    r"|판|그림).{0,6}(?:見え|看不|안)"
)
"""How people say that they cannot see what we show, in a few languages."""
_OTHERS = (
    r"(?:him|his|her|their|my (?:\w+ )?(?:sister|brother|wife|husband|mother|father|mum|mom|dad|son"
    r"|daughter|(?:grand)?(?:child|children|kids?|parents)|friends?|boss|club|teacher|cousin|aunt"
    r"|uncle|partner|colleagues?|neighbou?rs?)(?:'?s)?)"
)
"""Of whom something is told that is not of the writer's own."""
_MOVES_AWAY = (
    rf"^(?=.*@[\w-]+\.\w)(?!.*\b(?:you can(?!.*\b(?:now on|future)\b)|privately|off-?list|beer"
    rf"|coffee|photos?|files?|book|recipe|{_OTHERS})\b)"
    r"(?=.*\b(?:use|using|reach|chang\w+|switch\w*|moved?|new|send|write)\b)(?=.*\b(?:e-?mails?"
    r"|address|everything|mailbox|for me|from now on|from (?:next|tomorrow|today)|in future"
    r"|instead)\b)"
    rf"|^(?=.*@[\w-]+\.\w)(?!.*\b{_OTHERS}\b).*(?:n't|\b(?:not|no longer|never|stopped))"
    r" (?:\w+ )?(?:us|read|check|look at|hav|open)(?:e|ing)? (?:at |into )?(?:this|that|my old"
    r"|the old) (?:\w+ )?(?:inbox|mailbox|account|address|e?-?mail)\b"
)
"""How people say, with an address, that theirs is another now."""
_HELPERS = r"(?:ai|a\.i\.|engine|bot|computer|(?:go )?program(?:me)?|katago|leela|software)"
_RESPONSIBLE = (
    r"(?:admin|administrator|moderator|operator|sysop|webmaster|postmaster|(?:help|support)"
    r" ?(?:desk|team|line)|human(?: being)?|real (?:human|person))"
)
_RUDE = (
    r"(?:rude|abusive|offensive|obscene|creepy|sexist|racist|(?:insult|harass|threaten|stalk|bully"
    r"|spamm?)(?:e?s|ing|ed)? me|swear(?:s|ing)? at me|nasty to me)"
)
_COMPLAINS = (
    rf"(?:^|\b(?:please|can|could|would|you|to|i|must|should) )(?:report|ban|flag|suspend|expel)"
    rf" {_ANYONE}\b|\bkick {_ANYONE} out$"
    r"|\b(?:how|where|who|whom|can i|could i|may i|i (?:want|wish|would like|need) to|i'd like to"
    rf"|to|must)\b.*\b(?:report (?:abuse|\w+ for)|(?<!nothing to )(?<!reason to )complain(?: about"
    rf" {_ANYONE})?$|complain (?:to|about {_ANYONE})\b|(?:make|file) a complaint)\b"
    rf"|^(?!.*\b(?:you|your|i'm|i am|me)\b)(?:.*\b)?(?:{_HE} (?:\w+ )?cheat(?:s|ed)|is {_HE}"
    r" (?:\w+ )?cheating|(?<!\bmy )(?<!\bthe )(?<!\bour )\b(?!(?:it|that|this|there|what|who|life)"
    r"\b)\w+(?:'s| is| was| keeps| has been) (?:\w+ )?cheating)\b"
    r"|^(?!.*\b(?:you|review\w*|stud(?:y|ied|ies)|prepar\w*|train\w*|learn\w*|analy[sz]\w*"
    r"|teach\w*)"
    rf"\b).*\b(?:{_HE}|\w+(?='s us| is us))(?:'s| is| was| has| has been| must be| may be"
    r"| might be| gets?| had| has)? (?:\w+ )?(?:us(?:es|ing|ed)|help(?:ed)? (?:by|from))"
    rf" (?:an? |some )?{_HELPERS}\b|^(?!.*\b(?:you are|you're|club|tournament|yesterday|child"
    rf"|school|work)\b).*\b{_HE}(?:'s| is| was| has been| keeps)?(?: (?!and\b)\w+){{0,2}} {_RUDE}\b"
    r"|^(?:\w+ ){0,2}who(?:'s|ever)? (?:runs|hosts|operates|owns|maintains|running|is running"
    r"|is behind|is in charge of) (?:this|that|it|you|the (?:server|service|site"
    r"|program))(?: (?:server|service|site|system|thing|program|place|bot|game))?$|\b(?:who(?:'s"
    r"| is)|where is|is there|(?:reach|contact|call|ask|tell|get)|(?:speak|talk|write) (?:to|with)"
    r"|i need) (?:me )?(?:an?|the|your|some) (?:\w+ )?"
    rf"{_RESPONSIBLE}(?: (?:please|here|of this \w+))*$"
)
"""How people complain of an opponent, or look for whoever is responsible."""
_KINDLY = r"(?:(?:please|pls|kindly|and|could you|can you|would you|will you|just) )*"
_RESERVED = (
    Reserved(
        "conditional(?: moves?)?|premove|sequence|in case|queue",
        PLAN_AHEAD,
        forms=r"^(?:(?:and|but|so|then|also|ok|well|now),? )*"
        r"(?:(?:when|after|should(?! (?:i|we)\b)|si|se|als)\b"
        r"(?=.*\b[a-z]\d{1,2}\b.*\b[a-z]\d{1,2}\b)"
        r"|i(?:(?:'ll| will| would| want to| intend to) \w+| (?:play|answer|go|reply|take|move))\b"
        r".*\b[a-z]\d{1,2}\b.*\b(?:if|when|should|in case)\b.*\b[a-z]\d{1,2}\b"
        r"|(?:if|in case|falls|wenn)\b(?! i\b(?!.*\b[a-z]\d{1,2}\b.*\b[a-z]\d{1,2}\b))"
        r"(?=.*\b[a-z]\d{1,2}\b)(?=.*(?:\bthen\b|,|->|\bi(?:'ll)?\b|\bplay\b|\bdann\b"
        r"|\b[a-z]\d{1,2}\b.*\b[a-z]\d{1,2}\b)))",
        private=True,
    ),
    Reserved(
        "notes?|private|privately|secret|hidden|hide(?! (?:it|(?:this|the|our) game)\\b)|memo"
        "|remember|reminder|remind me|diary|draft|drafts|note to (?:self|myself)|my notes?|todo"
        "|for me|fyi godaemon|psst",
        "To keep words for yourself, begin their line with `note:`; nobody else sees those.",
        forms=rf"\b(?:private|secret|personal|hidden) {_NOTED}\b|\b{_NOTED}(?: this| that| it)?"
        r" (?:to|for|by) (?:my ?self|me)\b|^(?!.*\bfile\b).*\bfor my (?:own )?(?:eyes|records?"
        r"|memory|reference|use)\b|\b(?:just|only|this is|keep|write) (?:\w+ ){0,3}for (?:myself"
        r"|me only|me alone)\b|\b(?:just|only) for me(?=$|[:,.])|^psst\b|\b(?:my"
        r"|the) (?:secret )?plan (?:is|was) to\b|^i hope\b.*\bunnoticed\b"
        rf"|\b{_NOT} (?:ever )?(?:tell|telling|show|showing|mention (?:this|it|that) to) (?!me\b"
        rf"|us\b|you\b|your\b|(?:in|on|up|at|here|well|properly|correctly|any)\b)\w+"
        rf"|\bi {_NOT} want (?!you\b)\w+ to (?:see|know|read|hear|find)\b"
        r"|\b(?:keep|stays?) (?:this|it|that)? ?(?:secret|private|to yourself|between us|from"
        r" (?:him|her|them|my opponent))\b|\b(?:he|she|they|him|her) (?:must|should|may|can)(?: not"
        r"|n['’]?t) (?:know|see|read|hear)\b|\b(?:only i|that i alone|i alone) (?:can )?(?:see"
        r"|read)\b|\bnur für mich\b|\bnicht (?:verraten|weitersagen)\b|\bpour moi seule?\b",
        private=True,
    ),
    Reserved(
        "cancel plans?|no plans?|(?:my )?plans? off",
        "To have all your plans of a game forgotten, write `cancel ifs`; what shall stay, plan"
        " again below it.",
        ("cancel ifs",),
        forms=r"\bforget what i (?:told|asked|wrote|said)\b.*\b[a-z]\d{1,2}\b"
        r"|\b(?:forget|cancel|delete|remove|drop|scrap|undo|void|withdraw)"
        r" (?:the|my|all|that|this|those|these|both)(?: (?:my|last|first|second|other))?"
        r" (?:plans?|(?:automatic|planned|prepared|conditional) (?:answers?|moves?|repl(?:y|ies)))"
        r"\b",
    ),
    Reserved(
        TO_US,
        "That seems to be meant for me, so I have told nobody.",
        ("help", "settings"),
        forms=rf"^(?:the|you,?) (?:go )?{_WE}$"
        r"|^(?:and |so |now |ps:? |p\.s\.? )*(?:(?:a|one|my|this|that)(?: last)? )?"
        r"(?:ps|question|message|word|note|request|wish|line)?(?: (?:is|was))?"
        rf"(?: meant)? ?(?:to|for) (?:you,? )?(?:the )?(?:go )?{_WE}\b"
        r"|\b(?:do not|don't|please don't|never|no need to|need not) (?:(?:pass(?: on)?|tell|show"
        r"|forward|send|relay|share) (?:this|that|it|him|her|them|my opponent|anybody|anyone"
        r"|(?:on )?the (?:following|rest|above)|(?:this|that|it|these) on|\w+ (?:this|that|see"
        r"|know))|let \w+ (?:\w+ )?(?:see|know|read|hear|find))\b|\bbetween us only\b|\b(?:fewer"
        r"|less|too many|so many) (?:of (?:these|your) )?(?:e?-?mails?|notifications)\b"
        r"|\bmy e?-?mails fewer\b"
        rf"|{_OFTEN}"
        r"|^(?!(?:how |when |where |why )?(?:did|do|have) you\b).*\bgodaemon\b|\byour (?:server"
        r"|software|system|service|website|(?:computer )?program)\b (?:is|isn't|are|was|works?"
        r"|doesn't|broken|down|slow|great|good|sucks)\b|\b(?:quit|leave|left|cancel|run|runs|like"
        r"|use) (?:this|the) service\b|^(?:this is |that is |it's )?not (?:meant )?for (?:(?:him"
        r"|her|them|my opponent)\b|(?!me\b|us\b|you\b)\w+:)|\b(?:a|any|send me"
        r"|get) reminders?\b(?! (?:to|for) m)|^stop bothering me\b|^(?!how |can i "
        r"|what ).*\bone e-?mail (?:a|per|each|every) day\b|\bmy time ?zone is \w+/|^(?:(?:and|but"
        r"|so|i think|i fear) )?my opponent (?!was\b|were\b|had\b|did\b|won\b|lost\b"
        r"|said\b|then\b|and\b|\w+ed\b)",
        private=True,
    ),
    Reserved(
        "(?!)",
        "What you have written to somebody before, they have, and I cannot take it back.",
        forms=rf"^(?!.*\b[a-z]\d{{1,2}}\b){_SO}(?:(?:please|can|could|would|you|sorry|may|i|to"
        r"|want) )*(?:delete|remove|ignore|disregard|forget|never mind|unsend|recall|withdraw"
        r"|take back|edit)\b.*\b(?:my (?:last|previous|other|earlier|first)? ?(?:message|words"
        r"|e?-?mail|note|letter|comment)s?|what i (?:just )?"
        r"(?:wrote|said|sent|told))\b",
    ),
    Reserved(
        "(?!)",
        "That seems to be meant for somebody else, so I have told nobody.",
        forms=r"^(?:fyi )?@(?!import\b)\w|^(?:(?:hi|hello|dear|hey) )?(?:mum|mom|mama|mummy|mommy"
        r"|dad|papa|daddy|grandma|grandpa|honey|darling|mutti|schatz)$",
    ),
    Reserved(
        "(?!)",
        "What you are called in new games you choose by a line such as: `name Margaret`",
        ("settings",),
        forms=r"\b(?:keep|stop) calling me\b|\bmy name (?:is not|isn't)\b|\bmy name is\b.* not\b",
    ),
    Reserved(
        "bugs?|malfunction",
        "That seems to be about my emails, so I have told nobody. The game as I have it: `show`."
        " What you can write: `help`. The board in words: `describe`. What you can choose, such as"
        " how it is drawn: `settings`",
        ("show", "help", "describe", "settings"),
        forms=rf"{_TROUBLE}|{_MISSED}|{_UNREADABLE}|{_UNSEEN}|{_AILS}",
    ),
    Reserved(
        "(?!)",
        "Whether somebody has read an email is more than I know. Whose time runs out is reminded"
        " before that, and the game ends then. How it stands: `show`",
        ("show",),
        forms=_SILENCE,
    ),
    Reserved(
        "(?!)",
        "The board follows from the moves, and I change nothing of it. What was played and said so"
        " far: `history`. The board as it is: `show`",
        ("history", "show"),
        forms=_DISPUTED,
    ),
    Reserved(
        "(?:my )?new (?:e-?mail )?address",
        "To have my emails go to another address of yours, write it behind `move me to`",
        _MOVING,
        forms=rf"^(?!.*\b{_OTHERS}\b).*\b(?:new|other|another|different) (?:e-?mail )?address\b"
        r"(?! book)|\b(?:write|send|mail|use|reach)\b.*\bmy \w+ (?:e-?mail(?: address)?|address)\b"
        rf"|\be?-?mail address (?:has |is )?chang\w+|{_MOVES_AWAY}",
        private=True,
    ),
    Reserved(
        "vacation|vacations|holidays?|pause|unpause|absence|absent|away|out of office|urlaub|hold"
        "|adjourn|sleep|weekend|weekends|day ?off|leave",
        "To stop your clocks while you are away, write for how long or until when, such as"
        " `vacation 2 weeks`",
        _AWAY,
        forms=r"\b(?:make|set|put|start|take|give) (?:me )?(?:an? |my |the )?"
        r"(?:holidays?|vacation|pause) (?:for|from|in|until|till) |(?<!on )\bvacation (?:of|for"
        r"|from|until|till|to|\d+|an?|one|two|three|next) |\b(?:stop|pause|halt|freeze"
        r"|suspend) (?:my|the|our|all) (?:clocks?|time)\b|\b(?:put|keep) (?:it|this|(?:the"
        r"|our) game|things) on (?:hold|ice)\b|\b(?:adjourn|freeze|interrupt|postpone|suspend"
        r"|pause) (?:(?:this|(?:this|the|our) game|here|play) )?(?:until|till|for|over)\b",
    ),
    Reserved(
        "undo|redo|take ?back|rückgängig machen|annule[rz]? (?:mon |le )?coup|deshacer|ångra"
        "|cofnij|ongedaan maken|отменить ход|待った|悔棋|무르기|takebacks?|retract|revert|rewind"
        "|go back|back up|cancel (?:my |the |that |this |last )*move|delete (?:my |the |that "
        "|this |last )*move|zurücknehmen|rückgängig",
        ASK_BACK,
        ("undo",),
        forms=r"\b(?:take|taking|took|have|get) (?:it|that|this|(?:my |the )?(?:last )?move|one"
        r"|d?\w\d{1,2}) back\b|\btake back\b(?! (?:at|on|in) [a-z]-?\d)|\bundo\b|\btakeback\b"
        r"|^(?:(?:oops|ups|sorry|oh|no|ah|argh|damn|(?:(?:that|it|this|last|my|one|move"
        r"|stone) )+was|must have|i made|i|a|an|the|just)[ ,]*)*(?:(?:(?:played|clicked|typed|wrote"
        r"|placed|put|went|sent|hit|pressed|chose|read|in|at|on|to|it|my|that|board"
        r"|stone) )*(?:the )?wrong (?:point|place|spot|square|move|letter|key|one|way round|number"
        r"|coordinates?|button|side|corner)|mis-?(?:typed|clicked|click|type)|typo|(?:mouse "
        r"|silly )?slip(?: of .*)?|accident|fat fingers?|(?:my )?(?:finger|mouse|hand"
        r"|thumb)s? slipped(?: .*)?)(?: by (?:accident|mistake)| again)?$|^(?:(?:oops|oh|sorry|no"
        r"|but) )*i (?:\w+ )?(?:did not|didn't) (?:\w+ )?(?:want|mean|intend) to (?:play|put|move"
        r"|send|click|do)(?: it| that| this| one)?(?: there| here)?$|^i (?:really "
        r"|actually )?meant the (?:other|opposite) (?:corner|side|point|spot|place|line)$"
        rf"|^{_SLIPPING}(?:(?:that|it|this|my (?:last )?move) was (?:\w+ )?(?:meant|supposed"
        r"|intended) (?:to (?:be|go) |for )(?:on |at |in )?(?:the )?(?:(?:\w+ )?(?:point|corner"
        r"|line|row|side|place|spot)(?! of)|(?:other|next) one$|[a-hj-t]\d{1,2}$)"
        r"|i(?:'ve)? (?:\w+ )?(?:clicked|hit|pressed|tapped|played|put it|typed|was) (?:one|a"
        r"|two) (?:\w+ )?(?:too (?:far|high|low|much)|off$|(?:point|line|row|column|step)s? (?:too"
        r"|off)))|^(?:\w+ ){0,3}(?:can|could|may|is|i|i'd|please)\b.*\b(?:(?:correct|change|fix"
        r"|redo|reverse|replace) (?:my (?:last )?move|what i (?:just )?(?:sent|played|wrote|did))"
        r"|(?:correct|change|redo|reverse) (?:it|that)$|(?:it|that|this) (?:still )?be (?:reversed"
        r"|undone|changed|corrected))\b|\bnot (?:what|where) i (?:played|wrote|sent|meant|wanted"
        r"|typed|intended)\b|\bzug\b.*\bzurück(?:nehmen|ziehen|nahme)?\b|\b(?:reprendre"
        r"|annuler) (?:mon|le|un) (?:dernier )?coup\b|\b(?:retirar|deshacer|rectificar) (?:mi|la"
        r"|una|el) (?:últim[ao] )?"
        r"(?:jugada|movimiento)\b|\britirare (?:la|una|quella) mossa\b|\bzet (?:\w+ )?terug\b",
    ),
    Reserved(
        "report(?: (?:abuse|a player|him|her|them|this))?|abuse|complain|complaint|moderator|admin"
        "|administrator|(?:call|contact) (?:the |an? )?(?:admin|administrator|moderator|operator)",
        "Whoever runs this reads what is sent to postmaster at the domain of my address. To have no"
        " more invitations from your opponent, write `block`",
        ("block",),
        forms=_COMPLAINS,
    ),
    Reserved(
        "i give up|give up|i(?:'ll| will| want to| have to)? (?:surrender|concede|capitulate)"
        "|surrender|concede|i(?:'ll| will) resign",
        "To give the game up for good, say so in one word.",
        ("resign",),
    ),
    Reserved(
        "(?:i )?claim|(?:i )?claim (?:a |the )?(?:win|victory|timeout|time)|timeout|time out"
        "|time ?s up|flag|adjudicate|adjudication|forfeit|call (?:the )?(?:referee|arbiter)"
        "|referee|arbiter",
        "Nobody need claim a win on time: a game ends by itself when a player's time has run out.",
        ("show",),
    ),
    Reserved(
        "draw|draws|offer (?:a )?draw|accept (?:the )?draw|decline (?:the )?draw|tie|jigo|remis"
        "|nulle|tablas|stalemate",
        "A game of Go is not drawn by agreement: it ends by the score, or when somebody resigns.",
        forms=r"^(?:(?:shall|should|can|could|do) we |let's |how about |i (?:offer|propose"
        r"|suggest) ).*\b(?:draw|tie)\b|^(?:would you (?:take|accept|agree to|like)|what about"
        r"|why don't we|i(?:'d| would) (?:take|accept|settle for|be (?:happy|fine) with)|we could)"
        r" (?:call(?:ing)? it )?a (?:draw|tie)\b",
    ),
    Reserved(
        "again|(?:(?:let's|shall we|can we) )?play again"
        "|noch (?:eine |ein )?(?:partie|spiel)|encore une(?: partie)?|otra(?: partida)?"
        "|un'altra(?: partita)?|nog een (?:partij|partijtje|spel)|outra(?: partida)?"
        "|jeszcze (?:raz|jedna|jedną partię)|en gång till|ett parti till|ещё (?:партию|раз)"
        "|もう一局(?:お願いします)?|再来一局|再下一盘|한 판 더|another (?:game|one)|next game",
        "For another game, send me a line that says with whom.",
        (EXAMPLE,),
    ),
    Reserved(
        "watch|observe|follow|unfollow|spectate|kibitz|(?:invite|allow) (?:observers?|spectators?"
        "|watchers?)|share|publish|public|make (?:it |this |the |our )?(?:game )?public"
        "|spectators?|observers?|let (?:other people|others|people|everybody|everyone|anybody"
        "|anyone|somebody|someone|my friends?) (?:watch|see|follow)",
        "Others may watch a game when both its players say `public`, until one says `private`. To"
        " watch a game of others, write its number, such as: `watch 34`",
        ("public", "private", "watch"),
        forms=r"\b(?:spectators?|observers?|onlookers?|kibitzers?)\b"
        r"|\b(?:let|allow|invite|may|can|could|wants?|like|wish|should|not?(?: ?(?:one|body))?)\b"
        r"[^,]*"
        r"\b(?:watch|follow|observ)(?:e|ing)?(?: (?:this|our|my|the|us|it|along|game|any ?more|now"
        r"|too|please))*$|\b(?:make|set|turn|keep|hide|open|close)\b.*\b(?:(?:this|the|our|my) game"
        r"|it|this)\b.*"
        r"\b(?:public|private|(?:from|to|for) (?:others|everybody|everyone|anybody|other people)"
        r")\b",
    ),
    Reserved(
        "branch|try(?! (?:again|next|to|me)\\b)|variation|variations|analy[sz]e|analysis|explore"
        "|what if|whatif|simulate"
        "|sandbox|hint|hints|suggest (?:a )?move|best move|evaluate",
        "I do not advise you in a running game. To see a board after moves of your own, write a"
        " line such as `try D4 E5`; for the record, which any Go program opens, reply with: `sgf`",
        ("sgf",),
        forms=r"^(?:(?:please|can|could|would|will|you|just) )*(?:give|send|show) me"
        r" (?:an?|another|some) (?:little |small )?hints?(?: please)?$|^(?:and |so "
        r"|but )*what (?:would|should) (?:you|i|one) (?:play|do|suggest|recommend)(?: here| now"
        r"| next| instead)*$|^(?:(?:and|so|but|or|hm+|do you think|would you say"
        r"|tell me if)[ ,]+)*(?:(?:is|was|would|will|isn't) (?:it |this |that )?)(?:\w+"
        r" ){0,2}[a-z]\d{1,2}(?: be)? (?:an? |the |really |too )*(?:good|bad|better|best|great"
        r"|right|wrong|smart|safe|strong|weak|big|biggest)(?: (?:move|point|idea|choice|answer|one"
        r"|here|now))*$|^(?:(?:please|let's|let me) )?try\b(?=.*\b[a-z]\d{1,2}\b.*\b[a-z]\d{1,2}\b)"
        r"|^(?=.*\b[a-z]\d{1,2}\b.*\b[a-z]\d{1,2}\b).*\bwhat (?:happens|would happen|if|comes)\b",
    ),
    Reserved(
        "history|moves|log|list moves|move list|all moves|last moves?|previous(?: move)?"
        "|(?:next(?! to| time)(?: move)?|first move)(?! ?:? [a-z]\\d)|replay|go to move|goto",
        "For all moves and what was said there is history, for all on one picture kifu, for the"
        " record sgf, and for the board after move 12: show 12",
        ("history", "kifu", "sgf"),
        forms=r"\bmoves so far\b|\bwhat (?:has been|was) played so far\b"
        r"|^(?!.*\b(?:number|phone) of\b).*\bnumbers? (?:to|on|in) the (?:\w+ )?(?:diagrams?"
        r"|boards?"
        r"|stones|pictures?|moves)\b",
    ),
    Reserved(
        "unsubscribe|no receipts?|mails (?:on|off)"
        "|(?:only )?e-?mail me (?:only )?(?:on|when)|preferences|options|config|configure|profile"
        "|account|language|lang|frequency|notify|notifications?"
        "|coordinates|theme|style|colou?rs?|font|html|subscribe"
        "|set(?! my (?:time ?zone|name)\\b)|set up|mute|unmute"
        "|(?:change|set|turn (?:on|off)) (?:my |the )?(?:language|password)",
        "I do not know that setting.",
        ("settings", "help"),
        setting=True,
    ),
    Reserved(
        "password|login|log ?in|log ?out|sign ?up|sign ?in|register|registration|subscription",
        "There is no account and no password, and nothing to pay: your email address is enough."
        " What you can write: `help`",
        ("help",),
        forms=r"\bmy password\b|\bhow much (?:does|will) (?:it|this|that) cost\b"
        r"|^(?:and |so |but )*(?:does|do|will) (?:it|this|that|i|one|we)\b.*\b(?:cost|pay|charged?"
        r"|fees?)\b|\b(?:was|wie ?viel) kostet\b|\bcombien (?:ça |cela )?coûte\b|\bcuánto cuesta\b"
        r"|\bquanto costa\b|\bwat kost\b|\bkostet (?:das|es|die)\b|\bis (?:it"
        r"|this) (?:really )?(?:for )?free\b"
        r"|\bdo i (?:have|need) to (?:pay|register|sign up|log in)\b",
    ),
    Reserved(
        "forget me|delete me|erase me",
        "What I have of you I delete once you have said yes to one question. Your games, and what"
        " else I know, I send with: `export`",
        ("forget me", "export"),
        forms=r"\b(?:delete|forget|erase|remove) (?:all|everything|anything)\b.*\b(?:about|of) me\b"
        r"|\b(?:data|information)\b.*\b(?:about|of|on) me\b|\b(?:store|stored"
        r"|collect\w*)\b.*\b(?:about|on) me\b|\b(?:quit|leave|cancel) (?:this|the|your) (?:service"
        r"|server|site)\b|\b(?:delete|erase|remove) (?:all )?(?:of )?(?:my|the"
        r"|any) (?:personal )?(?:data|details|account|profile|information)\b|\b(?:delete|erase"
        r"|remove) (?:all )?personal data\b|\b(?:close|wipe) my account\b|\bpersonal"
        r" data\b.*\b(?:erased|deleted|removed)\b"
        r"|\beverything you(?:'ve| have) (?:got )?(?:on|about) me\b",
    ),
    Reserved(
        "stop(?: here| now)?|stop (?:this |the |my |our |all |playing )*games?|stop playing|cancel"
        "|cancel (?:this |the |my )*game|abort|delete|delete (?:this |the |my )*game|quit|exit"
        "|leave|leave (?:this |the |my )*game|end(?: (?:this |the |my )*game)?"
        "|finish(?: (?:this |the |my )*game)?|close(?: (?:this |the |my )*game)?|restart|reset"
        "|start over|annul|forget it|call (?:it|this|the game|everything) off|abbrechen"
        "|spiel abbrechen|annuler|cancelar|annulla(?:re)?|annuleren|anuluj|avbryt|отмена|отменить"
        "|キャンセル|取消|취소",
        "A game is cancelled by either of you before both have moved, and later if you both say so."
        " To lose it at once: resign. To get no more emails about it: stop",
        ("cancel", "resign", "stop"),
        forms=r"\b(?:cancel|void|annul|abort|scrap|abandon) (?:this |the |our )?game(?: please"
        r"| then| now)*$|\bcall (?:this|the|our|this whole) game (?:off|void)\b|\b(?:stop|end|quit"
        r"|finish) (?:this|the|our) game\b.*\b(?:and|then|so)\b.*\b(?:new|another|again|over)\b"
        r"|^(?:can|could|shall|should|may|would|let's|why|how|what|maybe|i'd like)\b.*\b(?:stop|end"
        r"|quit|finish|close|leave)(?:ped|ed)?\b.*\b(?:no (?:winner|result|loser)|(?:nobody|no one)"
        r" (?:w[io]ns?|loses?)|without (?:an? )?(?:winner|result))\b",
    ),
    Reserved(
        "clock|clocks|time|time left|extend|add time|byo-?yomi|deadline|\\d+ days?(?: per move)?"
        "|days? per move|speed",
        "The time that you both have was agreed on with the game; show tells what is left of it."
        " While you are away, `vacation 2 weeks` stops your clocks.",
        ("show", *_AWAY),
        forms=rf"\b(?:give|grant|allow) (?:{_ANYONE}|\w+) (?:\w+ ){{0,2}}(?:more|extra|additional)"
        r" (?:\w+ )?(?:time|hours?|days?|weeks?)\b(?! (?:to|off|with))|^(?:(?:please|can|could|may"
        r"|would|i|we|he|she|they|i'd|i'll|have|get|gets|like|need|needs|want|wants|a|bit|little"
        r"|some) )*(?:more|extra|additional) time(?: please| for (?:this|my) move)*$",
    ),
    Reserved(
        "player|(?:un)?(?:rated|ranked)|rank|ranks|rankings?|ladder|leaderboard|tournaments?|stats"
        "|statistics|seek|open challenge|whois|who is online|online|users?",
        "A game is rated where both want that before it begins. The list of players has your"
        " rating, and whom to play with; games that you may take are among the challenges.",
        ("players", "challenges"),
        forms=r"\bmake (?:it|this|this game|the game|our game) (?:un)?(?:rated|ranked)\b",
    ),
    Reserved(
        "tell|msg|message|whisper|reply|forward|poke|ping|nudge|remind(?: (?:him|her|them|bob|my"
        " opponent))?|wake (?:him|her|them)(?: up)?|hurry",
        "I write to the other player when it is their turn, and again when their time runs short:"
        " `show` has how long they have. What I should tell them, write behind `say`.",
        ("show",),
        forms=r"^(?:(?:please|kindly|can|could|would|will|you) )+(?:remind|nudge|poke|ping|wake"
        r"|hurry|push|prod) (?!me\b|us\b|it\b|the\b)\w+(?: up| please| again| for me)*$"
        rf"|^{_KINDLY}(?!tell \w+ (?:he|she|they)(?:'s|'re| is| are)\b)"
        r"(?:(?:tell|remind|nudge|poke|ping|inform|ask|wake|warn|chase|prod|push"
        rf"|hurry) {_ANYONE})\b|\b(?:give|send) (?:{_ANYONE}|(?!me\b|us\b|it\b)\w+) (?:an?|another"
        rf"|one more) (?:\w+ )?(?:push|nudge|reminder|poke"
        r"|kick|prod|ping)\b"
        rf"|^{_SO}(?:(?:when|why) )?(?:has|have|hasn't|did|will|is|are) (?:he|she|they|my opponent)"
        r" (?:\w+ ){0,2}(?:moved?|play(?:ed)?|answer(?:ed)?|repl(?:y|ied)|respond(?:ed)?|still"
        r" (?:there|around))(?: (?:yet|now|already|again|at all|today))*$",
    ),
    Reserved(
        "swap|swap colou?rs|switch|switch (?:sides|colou?rs)|change (?:komi|handicap|size|rules"
        "|colou?rs?)(?: to)?|set komi|komi|handicap|rules|setup|resize|add stones?"
        "|remove(?: stones?)?",
        "The terms of a game stand once it has been proposed.",
    ),
)
_ARGUMENTS = words_of(
    """
    time timeout please pls bitte svp s'il te plaît vous por favor per favore alstublieft tack
    пожалуйста now me my mine it this that these the a an for of to on in at off game games
    move moves last and until till from by next with here days day weeks week hours hour
    months month minutes monday tuesday wednesday thursday friday saturday sunday january
    february march april may june july august september october november december one two
    three black white stone stones then win victory draw komi handicap thanks thank you bob
    bob's his her their opponent opponent's help all everything again
    """
)


@dataclass(frozen=True, slots=True)
class Reservation:
    """A statement that is not passed on: its line, and what we answer to it."""

    line: str
    answer: str
    hints: tuple[str, ...] = ()


def reserved(lines: Sequence[str]) -> Reservation | None:
    """The first line that is a command of other servers; None where none is.

    >>> reserved(["if D4 then E5"]).answer[:29]
    'To plan a move, write a line '
    >>> reserved(["I had a good vacation"]) is None
    True
    """
    for line in [line for line in lines if line.strip()][:_LOOKED_AT]:
        if wished := _wished(line):
            return wished
        bare = NUMBERED.sub("", normalize(line[:LONGEST])).rstrip(" .!?;,:…")
        planned = next(filter(plans, _SENTENCES.split(line[:LONGEST])), "")
        if planned:
            return _answered(_RESERVED[0], lines, planned)
        said = statements(line[:LONGEST])
        to_them = _hails_somebody(said)
        for text in (bare, *(one.text for one in said)):
            if to_them and _YOU.search(text):
                continue
            if (found := _COMMANDS.fullmatch(text) or _FORMS.search(spelt_out(text))) is not None:
                entry = _RESERVED[int(str(found.lastgroup)[1:])]
                return _answered(entry, lines, line)
    return None


def _hails_somebody(said: Sequence[Statement]) -> bool:
    """True where a line begins by greeting somebody by name, which is none of ours."""
    first = said[0].text if len(said) > 1 else ""
    return len(first.split()) > 1 and is_greeting(first) and not re.fullmatch(TO_US, first)


_YOU = late(r"\byou\b")


def _wished(line: str) -> Reservation | None:
    """A line that says in a sentence what there is a command for, with that command."""
    whole = normalize(line[:LONGEST])
    if (setting := _nearly_a_setting(whole)) is not None:
        return Reservation(line, _AT_THE_TOP, setting)
    if wished := settings_in(line):
        written = " and, on a line of its own, ".join(f"`{one}`" for one in wished)
        return Reservation(line, f"To set that, write {written}", wished)
    if any(len(one.words) > _FEW and read_stop(one.text) for one in statements(line[:LONGEST])):
        return Reservation(line, _STOPPING, ("stop", "stop all"))
    if _STOPS_CLOCKS.search(whole) and (away := vacation_in(line)):
        return Reservation(line, f"To stop your clocks while you are away, write `{away}`", (away,))
    if trial := trial_in(NUMBERED.sub("", whole)):
        return Reservation(line, f"To see the board after these moves, write `{trial}`", (trial,))
    return None


_STOPS_CLOCKS = late(
    r"\b(?:can|could|may|please|will|would|shall|should|does)\b.*\bclocks?\b.*\b(?:stop|pause|wait"
    r"|stand)"
)


def all_reserved(lines: Sequence[str], *, marked: bool = False) -> Reservation | None:
    """The same with the answers to all else that is asked of us, in other sentences.

    `marked` is as in `question_to_us`.

    >>> all_reserved(["Can I take my move back? And how do I pass?"]).hints
    ('undo', 'pass')
    """
    first = reserved(lines)
    if first is None:
        return None
    sentences = (one for line in lines[:_LOOKED_AT] for one in _SENTENCES.split(line[:LONGEST]))
    others = [*filter(None, (reserved([one]) for one in sentences))]
    others += [
        Reservation(line, one.answer, one.hints)
        for one, line in questions_to_us(lines, marked=marked).items()
    ]
    found = [first]
    for more in others:
        if len(found) < _MOST and not any(_verbs(more) & _verbs(one) for one in found):
            found.append(more)
    answers = (one.answer.rstrip(".") for one in found)
    hints = dict.fromkeys(hint for one in found for hint in one.hints)
    return Reservation(first.line, ". ".join(answers), tuple(hints)) if found[1:] else first


def _verbs(answer: Reservation) -> set[str]:
    """What tells an answer from others: the verbs that it offers, or its words."""
    return {hint.split()[0] for hint in answer.hints} or {answer.answer}


_MOST = 3
"""So many things are answered at once."""
_SENTENCES = late(r"(?<=[.!?:])\s+")


def _answered(entry: Reserved, lines: Sequence[str], line: str) -> Reservation:
    """What is answered to a line: where it names a plan, or a time, what to write in its place."""
    written, answer = "", entry.answer
    if entry is _RESERVED[0]:
        written = plan_in(line) or plan_in(re.split(r"[.!] ", line, maxsplit=1)[-1])
    elif entry is _RESERVED[1]:
        written = f"note: {clean_quote(line, _NOTE)}"
    elif entry.hints == ("sgf",) and len(named := vertices(line)) > 1:
        written = " ".join(["try", *map(str.upper, named)])
    elif entry.words == TO_US and (topic := _topic_of(line)) is not None:
        return Reservation(line, topic.answer, topic.hints)
    elif entry.hints == _MOVING and (address := ADDRESS.search(line)):
        written = f"move me to {address[0]}"
    elif entry.hints == _AWAY:
        written = vacation_in(line) or vacation_in(" ".join(lines))
        answer = f"To stop your clocks while you are away, write `{written}`" if written else answer
    return Reservation(line, answer, (written,) if written else entry.hints)


def _topic_of(line: str) -> Topic | None:
    """What a line is about that is for us: what it asks, or how many emails come."""
    return question_to_us([line]) or (topic_named("emails") if _TOO_MANY.search(line) else None)


_TOO_MANY = late(
    rf"(?i)\b(?:fewer|less|(?:too|so) many)\b.*\b(?:e?-?mails?|notifications)\b|{_OFTEN}"
)
_NOTE = 150
"""So many characters of words are offered as a note, to be sent by a click."""


def _nearly_a_setting(whole: str) -> tuple[str, ...] | None:
    """What to write in place of a line that begins as a setting does; None for any other line."""
    verb, *words = [word.strip(".,:;!?()") for word in whole.split()] or [""]
    if verb not in _SETTINGS or len(words) > _FEW or _POINTING & {*words}:
        return None
    named = " ".join([verb, *(word[:1].upper() + word[1:] for word in words)])
    return (named,) if verb == "name" and words else VERBS[verb].examples


_SETTINGS = ("name", "timezone", "tz", "digest", "emails", "receipts", "reviews", "players")
"""Verbs of what one sets, with which sentences to somebody else hardly ever begin."""
_POINTING = words_of("this that it one these those them your")
"""Words that follow where it is a sentence all the same: `Digest that!`."""
_FEW = 2
_STOPPING = "To get no more emails about this game, write `stop`; for none at all, `stop all`"
_AT_THE_TOP = "That reads like something to set, which goes on the first lines of an email."
NUMBERED = late(r"^(?:game #?\d{1,9} ?[:)]?|#?\d{1,9} ?[:)]) ?")
"""The number of a game, as lines of an answer to a list begin."""
_LOOKED_AT = 20


def _command(entry: Reserved) -> str:
    rest = r"(?:[ :=-]+.*)?" if entry.private else rf"(?:[ :=-]+{_ARGUMENT}){{0,6}}"
    if entry.setting:
        rest = r"(?:[ :=-]+\S+){0,3}"
    return rf"(?:{entry.words}){rest}"


_WISH = r"(?:(?:please|can i|could i|may i|i want to|i'd like to|i would like to|how do i) )?"
_ARGUMENT = (
    rf"[\"'“(]*(?:{'|'.join(sorted(_ARGUMENTS))}|[a-z]?\d{{1,4}}(?:\.\d)?|\d+[dwhm])[.,:!?\"'”)]*"
)
_COMMANDS = late(
    _WISH + f"(?:{'|'.join(f'(?P<r{at}>{_command(one)})' for at, one in enumerate(_RESERVED))})"
)
_FORMS = late("|".join(f"(?P<r{at}>{one.forms})" for at, one in enumerate(_RESERVED)))
