"""Questions that are meant for us, by topic: `how do I pass?`, `what is komi?`, `help?`.

Pure; raises nothing. A question is for us where it asks about the game and not about the reader of
it: `what is komi?`, but not `what is your rank?`. The opponent does not read those.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from godaemon.rules.rulesets import RULESETS
from mailgate.language.glossary import GLOSSARY, word_of_go
from mailgate.language.learning import wishes_to_learn
from mailgate.language.talk import LONGEST, Statement, is_greeting, statements
from mailgate.language.verb_table import VERBS
from mailgate.language.wishes import OPENING, spelt_out, wish_in
from mailgate.late_patterns import late
from mailgate.word_sets import words_of


@dataclass(frozen=True, slots=True)
class Topic:
    """One topic: the words that name it, and what we say of it."""

    name: str
    words: str
    answer: str
    hints: tuple[str, ...] = ()


_PROGRAM = r"(?:computers?|programs?|bots?|engines?|ais?|machines?|robots?)"
TOPICS: tuple[Topic, ...] = (
    Topic(
        "programs",
        r"(?:play|game|match)(?: \w+){0,2} (?:against|vs|with(?! (?:\w+ ){1,2}program)) (?:an?|the"
        rf"|your|any|some) (?:\w+ )?{_PROGRAM}|{_PROGRAM} (?:opponents?|i can play|to play"
        rf" (?:against|with))|which {_PROGRAM}|(?:is|are) there (?:an?|any) {_PROGRAM}",
        "Programs play here, too, where the server has them. To begin, write: `new 9x9 vs house`."
        " It has ten levels, from `new 9x9 vs house1` to `new 9x9 vs house10`, the strongest.",
        ("new 9x9 vs house",),
    ),
    Topic(
        "godaemon",
        r"who (?:is|was|wrote|writes|sent|sends|are) (?:this|it|you|that|writing|there|me)"
        r"|why (?:am i|do i|did i) (?:get|getting|receive|receiving)|wer (?:ist (?:d(?:a|as"
        r"|ieser?)|hier)|schreibt)|this(?: is)? spam|(?:a )?(?:bot|robot|spam)|real person|human"
        r"|my (?:e?mail )?address"
        r"|is this (?:safe|real|legit|free)|who wrote",
        "I am godaemon, a program that looks after games of Go by email. Your address is known to"
        " me because you wrote to me, or because somebody has invited you; I give it to nobody but"
        " your opponent.",
        ("help",),
    ),
    Topic(
        "arrived",
        r"(?:did|has) (?:it|this) (?:go|gone|get|got|come|been) (?:through|registered|received)"
        r"|(?:did|has|have|was|were) my (?:\w+ )?(?:moves?|pass|mark|reply|answer|e?-?mail|message"
        r"|letter) (?:\w+ )?(?:(?:go|gone|get|got|come|been|make|made) (?:it|through|here|there|in)"
        r"|arrived?|reach(?:ed)? (?:you|there)|register(?:ed)?|received|accepted|taken"
        r"|count(?:ed)?)",
        "This is the game with all that has reached me. Where I can make nothing of an email, I"
        " answer that.",
        ("show",),
    ),
    Topic(
        "late",
        r"(?:lose|lost|over|forfeit|ends?|ended|happens?|what if)\b.*\b(?:time|clocks?|(?:not|never"
        r"|forget to|forgot to|cannot|\w+n't) (?:\w+ )?(?:answer|reply|move|play|respond|write)"
        r"|i forget|holidays?|away|late|without me)|(?:time|clock)\b.*\b(?:lose|lost|happens?)"
        r"|(?:reaches"
        r"|hits|at) zero",
        "Whoever's time runs out loses the game, where it has a clock: below the board of each"
        " email stands until when you have. While you are away, `vacation 2 weeks` stops your"
        " clocks.",
        ("show", "vacation 2 weeks"),
    ),
    Topic(
        "learn",
        r"tutorials?|beginners?|lessons?|learn(?:ing)?|teach(?:ing)?",
        "The rules of Go come in three short emails, each with a small board: `learn`",
        ("learn",),
    ),
    Topic(
        "games",
        r"(?:what|which|how many|my|all my|other|our) (?:games?|match(?:es)?)"
        r"(?: (?:do|am|are|have) .*)?|(?:games|matches) (?:do|am)",
        "For the list of your games, reply with: `games`",
        ("games",),
    ),
    Topic(
        "words",
        r"(?:write|talk|speak|say|send|chat|reply) (?:something |words |a message |this )?(?:to"
        r"|with) (?:my |the )?(?:opponent|him|her|them|other player)|(?:message|words|chat)"
        r"|(?:can|does|do|will) (?:\w+ ){1,2}(?:see|read|get) (?:what|everything|all)(?: that)? i"
        r"|(?:does|will|can) (?!i\b|we\b|you\b)\w+ (?:read|see) (?:it|this|that)\b",
        "What you write below a move goes to the other player. To pass on words alone, begin with"
        " say, such as: `say good luck!`",
        ("help",),
    ),
    Topic(
        "commands",
        r"commands?|options|possibilities|what (?:can i|i can) (?:\w+ )?(?:do|write|say|send|ask)"
        r"|keywords?|allowed to (?:write|say)",
        "What you can write: a point such as `D4`, `pass`, `resign`, `show`; in the score dead and"
        " alive with points, `done` and `resume`. For the whole list, reply with: `help`",
        ("pass", "help"),
    ),
    Topic(
        "accept",
        r"accept(?:ing|ed)?|decline|confirm(?:ing|ed)?|join",
        "To accept an invitation, reply with: `accept`. To decline it: `decline`. When I ask"
        " whether an email was yours, reply with: `yes` or `no`",
        ("accept", "decline"),
    ),
    Topic(
        "dead",
        r"dead|(?<!still )alive|kill(?:ed)?|mark(?:s|ing|ed)?|tot|tote|mort[eosai]?s?|muert[oa]s?"
        r"|dood|död[a]?|martwe|м[её]ртв\w+",
        "When both of you have passed, each may name dead groups by one of their stones; every mark"
        " can be taken back, and the score follows.",
        ("dead C3", "alive C3", "propose"),
    ),
    Topic(
        "rating",
        r"(?:un)?rated|ratings?|ranked|elo|glicko|(?:does|will|would) (?:it|this|that|this game"
        r"|the game|the result) count",
        "A game is rated where both want that before it begins, as by `new 19x19 vs bob rated`:"
        " below its board stands rated then. Your own rating, and those of others: `rating`",
        ("rating",),
    ),
    Topic(
        "score",
        r"winning|ahead|behind|losing|leading|in the lead|estimates?|current score",
        "This is the game as it stands. Who is ahead I tell in games against a program, and in"
        " those for which both players agreed to estimates: `score`",
        ("score",),
    ),
    Topic(
        "result",
        r"(?:won|wins?|lose|(?<!been )(?<!got )(?<!get )lost)(?! (?:the|an?|my|his|her"
        r"|their) (?!(?:game|match)$))|winner|came out (?:on top|ahead)|by how much|result"
        r"|final score|was (?:\w+ ){1,2}counted"
        r"|did it end",
        "Nobody has won before both of you have passed, and then said done to the score, or one of"
        " you resigns, or somebody's time runs out.",
        ("pass", "done", "resign"),
    ),
    Topic(
        "count",
        r"count(?:ed|ing)?|scor(?:e|ed|ing|es)|points?|territor(?:y|ies)|area"
        r"|zählen",
        "The score is counted when both of you have passed: mark the dead groups, and when the"
        " score is right both say done. Until then nobody has won.",
        ("pass", "done", "resume"),
    ),
    Topic(
        "done",
        r"done|agree|finish(?:ed)?|over(?! (?:there|here)\b)|end(?:s|ed)?|fertig|terminer|zu ende",
        "The game ends when both of you have passed and then both have said done to the score, when"
        " one of you resigns, or when somebody's time runs out.",
        ("pass", "done", "resign"),
    ),
    Topic(
        "pass",
        r"pass(?:es|ed|ing|en|er|ar|are|e|o|a)?|pas[oa]r?",
        "To pass, reply with: `pass`. When both of you have passed, play stops and the score is"
        " counted.",
        ("pass",),
    ),
    Topic(
        "resign",
        r"resign(?:s|ed|ing)?|give up|surrender|quit|aufgeben|abandonner?|rendir(?:se|me)"
        r"|arrendersi|opgeven|desistir",
        "To give the game up, reply with: `resign`",
        ("resign",),
    ),
    Topic(
        "undo",
        r"undo|take (?:it |that |my move |a move )?back(?! (?:at|on|in) [a-z]-?\d)|takeback"
        r"|(?:by|a|my) mistake|wrong move|misclick(?:ed)?|zurücknehmen",
        "To ask your opponent whether you may take your last move back, reply with: `undo`. They"
        " are asked, and answer yes or no; if they move instead, it stands.",
        ("undo",),
    ),
    Topic(
        "resume",
        r"resume|continue|play on|weiterspielen|keep playing",
        "While the score is being counted, either of you can go back to playing with: `resume`",
        ("resume",),
    ),
    Topic(
        "komi",
        r"komi",
        "Komi is what White gets because Black moves first. It is what the rules say, unless the"
        " invitation names another, and stands below the board in each email of a game.",
    ),
    Topic(
        "handicap",
        r"handicaps?|vorgabe",
        "Handicap stones are black stones that stand on the board before White's first move, so"
        " that a weaker player has an even game.",
    ),
    Topic(
        "captives",
        r"how many (?:\w+ )?(?:stones|prisoners|captives|captures)\b|(?:my|your|his|her"
        r"|their|our|black's|white's|number of) (?:prisoners|captives|captures)|(?:captured|caught"
        r"|taken) (?:so far|up to now|until now|by now|more)",
        "This is the game as it stands. How many stones each of you has taken stands below the"
        " board.",
        ("show",),
    ),
    Topic(
        "ko",
        r"(?:super)?ko|repeat(?:ed|ing)?|repetition|re(?:take|captur(?:e|ing))"
        r"|take back (?:at|on|in) [a-z]-?\d{1,2}",
        "A move may not bring an earlier position back, so after a ko is taken the other player"
        " plays elsewhere first.",
    ),
    Topic(
        "atari",
        r"atari",
        "Stones are in atari when only one free point is left beside them: who plays there next"
        " takes them, or saves them.",
        ("learn",),
    ),
    Topic(
        "rulesets",
        r"rule ?sets",
        f"The rules are named where a game is proposed: {', '.join(RULESETS)}. Such as:"
        f" `new 9x9 rules {min(RULESETS)} vs bob@example.org`",
        ("help",),
    ),
    Topic(
        "rules",
        r"rules?|regeln|règles|reglas|suicide|liberty|liberties|captur(?:e|es|ed|ing)"
        r"|prisoners?|seki|hoshi",
        "Stones with no free point beside them are taken off the board; who has surrounded more at"
        " the end wins. By which rules a game is played stands below its board; all from the"
        " beginning: `learn`",
        ("learn", "show"),
    ),
    Topic(
        "opponent",
        r"am i playing|my opponent|the opponent|playing (?:against|with)|who (?:is|has) (?:black"
        r"|white)"
        r"|who'?s (?:black|white)|against whom|gegner|play against|against (?:do|am) i",
        "Who plays stands below the board.",
        ("show",),
    ),
    Topic(
        "color",
        r"am i (?:the )?(?:black|white|playing)|farbe|couleur|colore|kleur|kolor|färg|цвет\w*"
        r"|my colou?r|which colou?r|what colou?r|i (?:black|white)|my stones|are mine|(?:stones"
        r"|ones) (?:\w+"
        r" ){0,3}i own",
        "Your colour and theirs stand below the board.",
        ("show",),
    ),
    Topic(
        "turn",
        r"(?:last|latest|previous) (?:move|stone)|move number|number of moves"
        r"|(?:quién (?:es el turno|le toca)|à qui (?:est-ce )?le tour|(?:a chi|di chi) (?:tocca"
        r"|è il turno)|wie(?:ns)? (?:is|beurt)\b.*\b(?:beurt|zet)|de quem é a vez|am zug"
        r"|an der reihe)|where (?:did|has) \w+(?: \w+)? (?:just )?(?:play|move|put)\w*"
        r"|(?:which|what) (?:stone|move|point|one) (?:did|has|was) (?:\w+ ){0,3}(?:play|move|put"
        r"|last)\w*|(?<!send )(?<!make )(?<!enter )(?:my|whose"
        r"|his|her|black's|white's|the) (?:turn|move)|to move|to play next|dran|moves? next"
        r"|is it me or (?:him|her|them)|am i waiting|who moves|who plays|(?:is it|am) (?:me|i|him"
        r"|her|them) (?:to"
        r" (?:go|play)|next|now)|who(?:'s| is| goes) next|am i up(?: now| next)?$",
        "This is the game as it stands, and whose turn it is.",
        ("show",),
    ),
    Topic(
        "time",
        r"(?:wie ?viel|combien de|cuánto|quanto|hoeveel|ile) (?:zeit|temps|tiempo|tempo|tijd"
        r"|czasu)|time limit|clocks?|time control|what happens if (?:i|he|she|they) .*\bin time"
        r"|how much (?:more |longer )?time|deadline|late|how (?:long|much longer"
        r"|many (?:more )?(?:days|hours|weeks))\b.*\b(?:left|remain(?:s|ing)?|(?:do|does"
        r"|did) (?:\w+ ){1,2}have|(?:has|have) (?:\w+ ){1,2}got|(?:can|may|must|will|do"
        r"|should) (?:i|he|she|they) (?:take|wait))|(?:time|days|hours) (?:\w+ )?(?:left"
        r"|remain(?:s|ing)?)|(?:time|clock) (?:is )?(?:up|runs? out|running out)|when (?:must"
        r"|should|do|does|will|would) (?:i|he|she|they) (?:have to |need to )?(?:move|answer|reply"
        r"|play|lose"
        r"|run out)\b.*",
        "The time that you both have stands below the board of each email, as it was then; show"
        " sends it as it is now. Whoever's time runs out loses the game.",
        ("show",),
    ),
    Topic(
        "board",
        r"board|position|last move|game (?:look|stand)|picture|diagram|where (?:are|were) we|brett"
        r"|stellung|plateau|tablero|scacchiera|bord",
        "This is the game as it stands.",
        ("show", "kifu"),
    ),
    Topic(
        "record",
        r"record|sgf|written down|move by move|list of (?:all )?(?:the )?moves|download|save (?:the"
        r"|this|my|our|a) (?:game|record|file)|kifu"
        r"|(?:send|mail|give) (?:\w+ )?(?:the|a) (?:game )?file",
        "For the record of the game, which any Go program opens, reply with: `sgf`",
        ("sgf", "kifu"),
    ),
    Topic(
        "gui",
        r"sabaki|gogui|gui|program|computer|app|go software|website|online",
        "To play with a Go program, reply with: `gui`",
        ("gui",),
    ),
    Topic(
        "watching",
        r"watch(?:ing|ers?)?|spectat\w+|observ(?:e|ers?|ing)|follow (?:this|the|our|a) game"
        r"|public(?:ly)?|onlookers?"
        r"|who (?:can|may) see|(?:see|look at) (?:my|our|this) game|kibitz\w*",
        "Others may watch this game when both of you say so: reply with `public`, and your"
        " opponent is asked. `private` ends that. For the games of others: `watch`",
        ("public", "private", "watch"),
    ),
    Topic(
        "emails",
        r"e?mails|letters|unsubscribe|notifications?|messages from you|writing to me|settings"
        r"|stop (?:this|these|getting|receiving)",
        "For one email a day with all that awaits you, at an hour of yours, reply with: `digest at"
        " 20`. To hear only when it is your move: `emails my-turn everywhere`. All that you can"
        " choose: `settings`",
        ("digest at 20", "emails my-turn everywhere", "settings"),
    ),
    Topic(
        "language",
        r"(?!)",  # `wishes.py` names it
        "I write in English only, and read the commonest words in some other languages too. What"
        " you write to your opponent may be in any. All that you can write: `help`",
        ("help",),
    ),
    Topic(
        "new",
        r"new game|start a game|begin a game|invite|challenge|another game|(?:two|three|several"
        r"|more|many|multiple) (?:\w+ )?games|(?:second|more than one) game|(?:find|is there|are"
        r" there)"
        r" (?:some|any)(?:body|one)",
        "For a new game, send for example: `new 9x9 vs bob@example.org`. Who would like to play:"
        " `players`. Games that are there to be taken: `challenges`",
        ("players", "challenges"),
    ),
    Topic(
        "duration",
        r"how long (?:does|do|will|would|is|are) (?:\w+ ){1,5}(?:take|last)\w*|how many moves",
        "A game has some 50 moves on 9x9, and some 250 on 19x19; each is played when its player"
        " writes, and how long that may take at most stands below the board.",
        ("help",),
    ),
    Topic(
        "move",
        r"(?:i|one|we|you|to|man|ich|je|yo|io|ik|eu)(?: \w+){0,3} (?:moves?(?! (?:house|home|flat"
        r"|office|away|out|in)\b)|play(?! (?:another|again)\b)|place|put|click|type|write|answer"
        r"|reply)|(?:make|send|enter|do|give) (?:a|my|the|our) (?:\w+ )?(?:move|stone)|coordinates?"
        r"|ziehe|ziehen|jouer?|jugar|juego|gioco|giocare|spelen|speel|jogo|jogar|spiele(?: ich|n)?",
        "To move, reply to the newest email of the game with the point you choose, such as: `D4`",
        ("help",),
    ),
)
"""What people ask about a game, the narrow topics first."""

_EXPLAINED = tuple(Topic(one.name, one.words, one.meaning, ("learn",)) for one in GLOSSARY)
AHEAD = Topic(
    "ahead",
    "",
    "This is the game as it stands. Who is ahead I do not tell in it, as the two of you did not"
    " agree to estimates before it began; the score is counted when both of you have passed.",
)
"""In a game without estimates, to who asks how it goes."""
_BY_NAME = {topic.name: topic for topic in (*_EXPLAINED, *TOPICS, AHEAD)}
NOW = Topic(
    "now",
    "",
    "You play by replying to my emails: what you want to do goes on the first line, such as `D4`"
    " to play there.",
    ("help", "learn"),
)
"""Where nothing in particular is asked."""

_CRY = late(
    rf"{OPENING}(?:(?:please |can you |could you |can (?:some|any)(?:body|one) |will you "
    r"|i need (?:some )?|need ){0,6}help(?: me| us| needed"
    r"| wanted)?(?: out| here| please| now| with (?:this|that|it))*|(?:and )?(?:what|now what"
    r"|what now|so what|what next)(?: now| next)?|now what|what (?:do|must|should|can|shall"
    r"|am) i (?:supposed to |have to |need to )?(?:do|write|say|send|reply|answer|type)(?: now"
    r"| next| here| then| to .*)?|what(?:'s| is| happens?) (?:next|now|going on|happening|this|that"
    r"|all this|this about)(?: about)?|(?:i'm|i am) (?:lost|stuck|confused|new(?: (?:here"
    r"|to this))?|a beginner)(?: here)?|i (?:do not|don't|didn't|did not) (?:understand|get"
    r"|know)(?: (?:it|this|that|what .*|how .*|any|anything|any of (?:it|this)|a (?:thing|word)"
    r"|at all|one bit|here))*|i have no (?:idea|clue)(?: .*)?|how (?:does|do|is|to|can|should"
    r"|would)(?: (?:it|this|that|all this|i|one|we|you|the game|thing))?(?: all)?(?: (?:work|works"
    r"|go|start|begin|play|proceed|use|do|done|supposed to work))?(?: (?:it|this|that|here|now"
    r"|by (?:e-?)?mail|a game|go|work))*|(?:who|what) are you|are you (?:a )?(?:bot|robot|program"
    r"|machine|computer|human|person|real)|is (?:this|anybody|anyone|somebody|someone) (?:there"
    r"|a bot|a program|real|spam)|is this (?:thing )?(?:on|working)"
    r"|(?:is )?(?:any|some)(?:body|one) (?:there|here|home)|hello|hallo"
    r"|hey|test|testing|was (?:nun|jetzt|soll ich (?:jetzt )?(?:tun|machen|schreiben))"
    r"|wie geht (?:das|es weiter|es)|hilfe(?: bitte)?|aidez-moi|au secours|et maintenant|que faire"
    r"|ayuda(?: por favor)?|y ahora(?: qué)?|qué hago|wat nu|hoe werkt (?:dit|het)|aiuto|e adesso"
    r"|e agora|что делать|помогите|как играть|どうすればいいですか|助けて(?:ください)?|怎么办"
    r"|怎么玩|도와주세요|ich verstehe (?:das )?nicht(?: .*)?|je suis perdue?|estoy perdid[oa]"
    r"|ich bin verwirrt|jag förstår inte|nie rozumiem|я не понимаю|わかりません|分かりません|我不懂"
    r"|我不明白|모르겠(?:어요|습니다)|je ne comprends (?:pas|rien)|no entiendo|ik begrijp het niet"
    r"|non capisco|não entendo)"
)
_ASKS = late(
    rf"{OPENING}[¿¡]?(?:against whom|with whom|how|by how|what|who|whose|where"
    r"|when|which|why|can|could|may|might|am|is|are|do|does|did|must|should|shall"
    r"|will|would|has|have|tell|explain|send|show|give|list|see|let me see|current|present|latest"
    r"|zeig|zeige|wieviel|combien|à qui|de quién|a quién|de quem|a chi|di chi|cuánto|quanto"
    r"|hoeveel|ile|montre(?:-moi)?|muéstrame|toon|mostrami|i (?:want|would like|'d like"
    r"|need) to know|i wonder|wie|was|wer|wo|welche[rsn]?|wessen|kann|darf|muss|ist|bin|comment"
    r"|qu'est-ce|que|quoi|qui|puis-je|cómo|como|qué|quién|puedo|come|chi|cosa|hoe|wie|wat|как|кто"
    r"|что)\b"
)
_OPEN = late(
    r"(?:.*\b)?[¿¡]?(?:(?:send|show|give|tell|list)(?: me| us)?(?: (?:the|my|a|current|present"
    r"|latest|all))* \w+|(?:who|what|where|which|when|whose|whom|why|how)(?: \w+)? (?:is|are|was"
    r"|were|am|do|does|did|has)|(?:against|with) whom|wer|wo|wie|wessen|welche[rsn]?|comment|qui|où"
    r"|quién|dónde|cómo|current|latest|zeige?|montre|muéstrame|toon|mostrami|who (?:wrote|won|wins"
    r"|lost|has (?:won|lost|more))|how (?:can|to|should|would|long|many|much)|what's"
    r"|what (?:happens|if)(?!.*\b[a-z]\d)|whose (?:turn|move|go)|am i|is it (?:my|me)"
    r"|who's my|can i|may i|could i|explain|do i|does it|(?:what|where"
    r"|how) (?:could|should) i|when (?:must|should|will)|did (?:i|my|we|black|white)|is (?:it"
    r"|this(?: game)?) (?:un)?rated)\b"
)
"""Openings that ask without a question mark too."""
_THEIRS = late(
    r"\b(?:you|your|yours|yourself|u|shall we|should we|can we|could we|du|dein|deine|ihr|euch|sie"
    r"|tu|vous|votre|usted|tú)\b"
)
_OTHERS = late(r"\b(?:he|she|they|him|them)\b")
_OF_BOTH = words_of("time late captives result turn")
"""What is asked of a third person, who is the other player, when it is not asked of them."""
_GENERIC = late(
    r"^(?:how do you |what (?:can|could|may) i (?:\w+ )?(?:ask|tell|write|say)\b|(?:what|which)"
    r" (?:\w+ )?do you think .*\b(?:dead|alive)|what do you (?:do|write|send|say) |(?:can|could"
    r"|would|will) you (?:please |kindly )?(?:show|tell|send|explain"
    r"|help|give) |(?:can|does|do|will) (?:\w+ ){1,2}(?:see|read|get) (?:what|everything|all)(?:"
    r" that)?"
    r" i\b|do you (?:have|keep|know) (?:a |any |the )?(?:clock|rule|record|board)|is it"
    r" (?:me|him|her|them) (?:to|next|now)\b)"
)
_US = late(
    r"how (?:do|did) you (?:get|have|know|find) my|who (?:are you|is this|wrote (?:this|that))"
    r"|what (?:are you|is this)$|who is writing|wer (?:ist da|bist du|schreibt)"
    r"|are you (?:a )?(?:bot|robot|program|machine|computer|human|(?:real )?person)|is this spam"
)
"""Questions about ourselves."""
_WHY_THEY = late(r"why (?:did|does|has|is) (?!i\b|it\b|the\b|my\b)\w+ (?:resign|pass|g[ia]v\w* up)")
"""A question of which nobody but the opponent knows the answer."""
_PUNCTUATED = 12
_POLITE = words_of("please kindly perhaps thanks sir if i may possible")
_WISH = 20
"""How many words a question has, and a request, at most."""


def question_to_us(lines: Sequence[str], *, marked: bool = False) -> Topic | None:
    """The topic that the first words of a letter ask us about; None where they do not.

    With `marked` only what has a question mark asks: words below a command, that is.

    >>> question_to_us(["how do I pass?"]).name, question_to_us(["what now"]).name
    ('pass', 'now')
    >>> question_to_us(["What is your rank?"]) is None
    True
    """
    return next(_asked(lines, _FIRST, marked=marked), (None, ""))[0]


def asked_by_newcomer(lines: Sequence[str]) -> list[Topic]:
    """What somebody asks who can mean nobody but us, whomever they call `you`.

    >>> [one.name for one in asked_by_newcomer(["Hi! Which rules do you use? What is komi?"])]
    ['rulesets', 'komi']
    """
    said = [one for line in lines[:_MORE] for one in statements(line[:LONGEST])]
    asked = (_topic(one, alone=True) for one in said)
    return [*dict.fromkeys(one for one in asked if one and one is not NOW)][:_MOST]


def questions_to_us(lines: Sequence[str], *, marked: bool = False) -> dict[Topic, str]:
    """All the topics that a letter asks us about whose first words do, each with its line.

    >>> [one.name for one in questions_to_us(["What is komi? And how do I pass?"])]
    ['komi', 'pass']
    >>> questions_to_us(["What is your rank?"])
    {}
    """
    if question_to_us(lines, marked=marked) is None:
        return {}
    found = dict(reversed([*_asked(lines, _MORE, marked=marked)]))
    several = {topic: found[topic] for topic in reversed(found) if topic is not NOW}
    return dict([*several.items()][:_MOST]) or {NOW: found[NOW]}


_FIRST, _MORE, _MOST = 3, 10, 3
"""Among how many lines a question is looked for, and further ones; and how many are answered."""


def _asked(lines: Sequence[str], most: int, *, marked: bool) -> Iterator[tuple[Topic, str]]:
    """What is asked in the first so many lines, each topic with its line."""
    said = [line for line in lines if line.strip()]
    if said and re.fullmatch(r"[?？!\s]*[?？][?？!\s]*", said[0]):
        yield NOW, said[0]
        return
    if len(said) > 1 and is_greeting(said[0]):
        said = said[1:]
    for line in said[:most]:
        said_here = statements(line[:LONGEST])
        for at, one in enumerate(said_here):
            below = said_here[at + 1 : at + 2]
            if below and below[0].asks and {*below[0].words} <= _POLITE:  # `the rules, please?`
                one = replace(one, asks=True)  # noqa: PLW2901 - it asks as well
            if marked and not (one.asks or _requests(one.text)):
                continue
            if wishes_to_learn(one.text):
                yield _BY_NAME["learn"], line
            elif found := _topic(one):
                yield found, line


def _requests(text: str) -> bool:
    """True for a request that names a thing of ours, so that no opponent is meant by it.

    >>> _requests("please send me the record so far"), _requests("please send me your record")
    (True, False)
    """
    plain = _ASIDE.sub("", spelt_out(text))
    frame = _REQUEST.match(plain)
    return bool(frame and _OF_OURS.search(plain) and not _THEIRS.search(plain[frame.end() :]))


_ASIDE = late(
    r"^(?:(?:for (?:heaven|god|goodness)(?:'s)? sake|ps|p\.? ?s|and|also|oh|btw"
    r"|by the way|one more thing)[ ,:.]+)+"
)
_REQUEST = late(
    r"(?:please |kindly |(?:can|could|would|will|may) (?:you|i|we) |i(?:'d| would) (?:like|love)"
    r"|i (?:want|need|do(?: not|n't) (?:want|need)) |(?=(?:send|mail|show|give|stop)\b))"
)
_OF_OURS = late(
    r"\b(?:sgf|(?:entire|whole|full) history|(?:the|this|our|my|game) (?:game )?(?:record"
    r"|file)(?! (?:for|of (?!(?:the|this|our) game)))|(?:plain|only|just) (?:the )?text|html"
    r"|without (?:the )?pictures?|reminders?(?! (?:to|for|of))|notifications?|(?:fewer|less|no more"
    r"|so many|too many) e-?mails?|coordinates|score estimate|estimate of the score|(?:the|current"
    r"|whole) (?:board|position)(?: again| once more| please)*$|(?:the )?(?:boards?|diagrams?"
    r"|pictures?) (?:with|in|as|without|bigger|larger|smaller)\b)"
)
"""What nobody has but us."""


def _topic(statement: Statement, *, alone: bool = False) -> Topic | None:
    """What a statement asks us about; `alone` says that nobody else is there to be asked."""
    text = _ASIDE.sub("", spelt_out(statement.text))
    if word := word_of_go(text):
        return _BY_NAME[word]
    if _CRY.fullmatch(_VERY.sub("", text)) and (statement.asks or not _ONLY_ASKED.fullmatch(text)):
        return NOW
    asks = bool(_ASKS.match(text) and (statement.asks or _OPEN.match(text)))
    wish = wish_in(text, asks=asks, alone=alone) if len(text.split()) <= _WISH else ""
    if wish or not asks or len(text.split()) > _PUNCTUATED:
        return topic_named(wish)
    if _US.search(text):
        return _BY_NAME["godaemon"]
    generic = _GENERIC.match(text)
    others = _WHY_THEY.match(text) or (_THEIRS.search(text) and not generic)
    if others and not alone:
        return None
    named = next((topic for topic in TOPICS if _named(topic, text)), None)
    of_another = _OTHERS.search(text) and not generic
    return None if of_another and named and named.name not in _OF_BOTH else named


_VERY = late(r"\b(?:really|completely|totally|absolutely|still|just|quite|very|so) ")
"""How much somebody does not understand is no matter."""
_ONLY_ASKED = late(
    r"(?:(?:hi|hello|hallo|hey|oh|please|um|so|ok|okay|well|sorry|test|testing|what|how)[ ,]*)*"
    r"(?:(?:what|who) are you)?"
)
"""What is a cry for help with a question mark only."""


def _named(topic: Topic, text: str) -> bool:
    return re.search(rf"\b(?:{topic.words})\b", text) is not None


def topic_named(word: str) -> Topic | None:
    """The topic that a word after `help` means: its name, a verb, or one of its words."""
    if word in _BY_NAME:
        return _BY_NAME[word]
    if (entry := VERBS.get(word)) is not None:
        return _BY_NAME.get(entry.verb) or Topic(entry.verb, "", entry.help, entry.examples)
    known = (*TOPICS, *_EXPLAINED)
    return next((topic for topic in known if re.fullmatch(topic.words, word)), None)


def topic_called(name: str) -> Topic:
    """A topic by its name, as a notice keeps it; `NOW` for what no table has any more."""
    return topic_named(name) or NOW
