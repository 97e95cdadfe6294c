"""The words that other servers obey and this one does not, as one table, with our answers.

Pure; raises nothing. `reserved` finds them in a letter, and `complaints` has how people say that
something is wrong.
"""

from __future__ import annotations

from dataclasses import dataclass

from mailgate.language.complaints import (
    AILS,
    ANYONE,
    COMPLAINS,
    DISPUTED,
    MISSED,
    MOVES_AWAY,
    OFTEN,
    OTHERS,
    SILENCE,
    SO,
    TROUBLE,
    UNREADABLE,
    UNSEEN,
    WE,
)
from mailgate.language.new_game import EXAMPLE
from mailgate.late_patterns import late


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


TO_US = (
    "(?:(?:dear|hey|hi|hello|ok|okay|good (?:day|morning|evening)) (?:mr )?)?"
    f"(?:go (?:by mail )?)?{WE}"
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
AWAY, MOVING = ("vacation 2 weeks",), ("move me to bob@example.org",)
ADDRESS = late(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+")
_KINDLY = r"(?:(?:please|pls|kindly|and|could you|can you|would you|will you|just) )*"
RESERVED = (
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
        forms=rf"^(?:the|you,?) (?:go )?{WE}$"
        r"|^(?:and |so |now |ps:? |p\.s\.? )*(?:(?:a|one|my|this|that)(?: last)? )?"
        r"(?:ps|question|message|word|note|request|wish|line)?(?: (?:is|was))?"
        rf"(?: meant)? ?(?:to|for) (?:you,? )?(?:the )?(?:go )?{WE}\b"
        r"|\b(?:do not|don't|please don't|never|no need to|need not) (?:(?:pass(?: on)?|tell|show"
        r"|forward|send|relay|share) (?:this|that|it|him|her|them|my opponent|anybody|anyone"
        r"|(?:on )?the (?:following|rest|above)|(?:this|that|it|these) on|\w+ (?:this|that|see"
        r"|know))|let \w+ (?:\w+ )?(?:see|know|read|hear|find))\b|\bbetween us only\b|\b(?:fewer"
        r"|less|too many|so many) (?:of (?:these|your) )?(?:e?-?mails?|notifications)\b"
        r"|\bmy e?-?mails fewer\b"
        rf"|{OFTEN}"
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
        forms=rf"^(?!.*\b[a-z]\d{{1,2}}\b){SO}(?:(?:please|can|could|would|you|sorry|may|i|to"
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
        forms=rf"{TROUBLE}|{MISSED}|{UNREADABLE}|{UNSEEN}|{AILS}",
    ),
    Reserved(
        "(?!)",
        "Whether somebody has read an email is more than I know. Whose time runs out is reminded"
        " before that, and the game ends then. How it stands: `show`",
        ("show",),
        forms=SILENCE,
    ),
    Reserved(
        "(?!)",
        "The board follows from the moves, and I change nothing of it. What was played and said so"
        " far: `history`. The board as it is: `show`",
        ("history", "show"),
        forms=DISPUTED,
    ),
    Reserved(
        "(?:my )?new (?:e-?mail )?address",
        "To have my emails go to another address of yours, write it behind `move me to`",
        MOVING,
        forms=rf"^(?!.*\b{OTHERS}\b).*\b(?:new|other|another|different) (?:e-?mail )?address\b"
        r"(?! book)|\b(?:write|send|mail|use|reach)\b.*\bmy \w+ (?:e-?mail(?: address)?|address)\b"
        rf"|\be?-?mail address (?:has |is )?chang\w+|{MOVES_AWAY}",
        private=True,
    ),
    Reserved(
        "vacation|vacations|holidays?|pause|unpause|absence|absent|away|out of office|urlaub|hold"
        "|adjourn|sleep|weekend|weekends|day ?off|leave",
        "To stop your clocks while you are away, write for how long or until when, such as"
        " `vacation 2 weeks`",
        AWAY,
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
        forms=r"(?<!you can )(?<!you may )(?<!he can )(?<!she can )(?<!he may )(?<!she may )"
        r"\b(?:take|taking|took|have|get) (?:it|(?:that|this)(?: one)?|(?:my |the )?(?:last )?move"
        r"|one|d?\w\d{1,2}) back\b|\btake back\b(?! (?:at|on|in) [a-z]-?\d)|\bundo\b|\btakeback\b"
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
        forms=COMPLAINS,
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
        "There is no account and no password, nothing to install and nothing to pay: your email"
        " address is enough. What you can write: `help`",
        ("help",),
        forms=r"\bmy password\b|\b(?:how much|what) (?:does|will) (?:it|this|that|a game) cost\b"
        r"|^(?!.*\bpoints?\b)(?:and |so |but )*(?:does|do|will) (?:it|this|that|i|one"
        r"|we)\b.*\b(?:cost|pay|charged?|fees?)\b|\b(?:was|wie ?viel) kostet\b|\bcombien (?:ça "
        r"|cela )?coûte\b|\bcuánto cuesta\b|\bquanto costa\b|\bwat kost\b|\bkostet (?:das|es|die)\b"
        r"|\bis (?:it|this) (?:really )?(?:for )?free\b"
        r"|\bdo (?:i|we) (?:have|need) (?:to )?(?:pay|register|sign up|log in|install|download|an"
        r" app"
        r"|a (?:\w+ )?(?:program|app|account)|software|special software)\b",
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
        r" data\b.*\b(?:erased|deleted|removed)\b|\b(?:take|remove|delete) (?:me|my (?:name|address"
        r"|e-?mail(?: address)?)) (?:off|from|out of)\b"
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
        r"| then| now)*$|\bcall (?:it|(?:this|the|our|this whole) (?:game|one)) (?:off|void)\b"
        r"|\b(?:stop|end|quit|finish) (?:this|the|our) game\b.*\b(?:and|then|so)\b.*\b(?:new"
        r"|another|again|over)\b|^(?:can|could|shall|should|may|would|let's|why|how|what|maybe"
        r"|i'd like)\b.*\b(?:stop|end|quit|finish|close|leave)(?:ped|ed)?\b.*\b(?:no (?:winner"
        r"|result|loser)|(?:nobody|no one)"
        r" (?:w[io]ns?|loses?)|without (?:an? )?(?:winner|result))\b",
    ),
    Reserved(
        "clock|clocks|time|time left|extend|add time|byo-?yomi|deadline|\\d+ days?(?: per move)?"
        "|days? per move|speed",
        "The time that you both have was agreed on with the game; show tells what is left of it."
        " While you are away, `vacation 2 weeks` stops your clocks.",
        ("show", *AWAY),
        forms=rf"\b(?:give|grant|allow) (?:{ANYONE}|\w+) (?:\w+ ){{0,2}}(?:more|extra|additional)"
        r" (?:\w+ )?(?:time|hours?|days?|weeks?)\b(?! (?:to|off|with))|^(?:(?:please|can|can't"
        r"|could|couldn't|may|would|i|we|he|she|they|i'd|i'll|have|get|gets|like|need|needs|want"
        r"|wants|a|bit|little|some) )*(?:more|extra|additional) (?:time|days|hours)(?: please"
        r"| for (?:this|my)"
        r" move)*$",
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
        rf"|hurry) {ANYONE})\b|\b(?:give|send) (?:{ANYONE}|(?!me\b|us\b|it\b)\w+) (?:an?|another"
        rf"|one more) (?:\w+ )?(?:push|nudge|reminder|poke"
        r"|kick|prod|ping)\b"
        rf"|^{SO}(?:(?:when|why) )?(?:has|have|hasn't|did|will|is|are) (?:he|she|they|my opponent)"
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
"""One entry a meaning: where several hold, the first."""
