"""A new game that somebody wishes for in words of their own, as the line that proposes it.

Pure; raises nothing. The line is offered and never acted on. With whom is said by an address, by
the name of somebody who is known, by kinship, or by calling it a computer; what is told of games
that were, or of other people's, is no wish.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from mailgate.language.new_game import EXAMPLE
from mailgate.language.reserved_words import ADDRESS
from mailgate.language.wished_terms import wished_terms
from mailgate.language.wishes import spelt_out
from mailgate.language.written_moves import normalize
from mailgate.late_patterns import late


def wished_game(text: str) -> str:
    """The proposal that a sentence wishes for: `I'd like to play with bob@example.org`; or "".

    >>> wished_game("Please invite bob@example.org to a rated 9x9 game with two handicap stones")
    'new 9x9 handicap 2 rated vs bob@example.org'
    >>> wished_game("9x9 bob@example.org"), wished_game("I played bob@example.org last week")
    ('new 9x9 vs bob@example.org', '')
    """
    found = ADDRESS.search(text)
    if not found:
        return EXAMPLE if _WISH.fullmatch(text.casefold().strip(" .!?")) else ""
    beside = text.replace(found[0], " ")
    line = _line(beside, found[0])
    told = (
        _LOOKS_ON.search(beside)
        or _MOVES_AWAY.search(beside)
        or (_TOLD.search(beside) and not _WANTS.search(beside))
    )
    wishes = _PLAYS.search(beside) or _SIZE.match((*wished_terms(beside), "")[0])
    return line if wishes and not told else ""


def wished_games(text: str) -> tuple[str, ...]:
    """The same for each of the addresses that are named, of which one or all may be meant.

    >>> wished_games("Invite bob@example.org, well, no: invite my nephew, al@example.org")
    ('new 19x19 vs bob@example.org', 'new 19x19 vs al@example.org')
    """
    line, named = wished_game(text), list(dict.fromkeys(ADDRESS.findall(text)))
    if not (line and named):
        return (line,) if line else ()
    return tuple(line.replace(named[0], one) for one in named[:_MOST])


_MOST = 4
"""So many addresses are offered."""


def wished_against(text: str, program: str = "", names: Iterable[str] = ()) -> str:
    """The same for a game against a program, one of some people, or a relative; "" for none.

    >>> wished_against("Can I play a bot? 13x13", "gnugo"), wished_against("I lost to a bot", "bo")
    ('new 13x13 vs gnugo', '')
    >>> wished_against("let me play against carol", names=["Carol"])
    'new 19x19 vs Carol'
    >>> wished_against("new game with my brother"), wished_against("my brother has a new game")
    ('new 19x19 vs brother@example.org', '')
    """
    for sentence in re.split(r"[.!?\n]+", text[:1_000]) if "@" not in text else ():
        plain = spelt_out(normalize(sentence))
        frame = _FRAME.match(plain)
        if frame is None or not _PLAYS.search(plain) or _TALK.search(plain[frame.end() :]):
            continue
        if program and _PROGRAM.search(plain):
            return _line(text, program, "9x9")
        for name in filter(None, names):
            called = {normalize(name), normalize(name).split()[0]}
            if re.search(rf"{_AGAINST}(?:{'|'.join(map(re.escape, called))})\b", plain):
                return _line(text, name)
        if (found := _KIN.search(plain)) and re.search(_GAMES, plain):
            return _line(text, f"{found[1]}@example.org")
    return ""


def _line(text: str, opponent: str, usual: str = "19x19") -> str:
    """The line with all the terms that are understood."""
    terms = (*wished_terms(text), "")[0]
    size = "" if _SIZE.match(terms) else usual
    return " ".join(f"new {size} {terms} vs {opponent}".split())


_SIZE = late(r"\d+x")
_GAMES = (
    r"\b(?:games?|match|round|rematch|\d{1,2} ?[x×*] ?\d{1,2}|(?:play|of) go|spiel|partie|jeu"
    r"|partida|juego|partita|spel|potje|parti|parti[aę]|gr[aę]|игр[ау]|парти[юя]|jogo)\b|対局|一局"
    r"|对局|一盘|대국"
)
"""What is wished for, in the languages of which we know a few words."""
_PLAYS = late(
    rf"(?i){_GAMES}|\b(?:play|try (?:out )?(?:the|your|an?)|invite|challenge|opponent|start"
    rf"|begin (?:a|one|another)|against|vs|spielen?|gegen|jou(?:er"
    r"|ons)|contre|jugar|contra|giocare|contro|spelen|tegen|jogar|défier|herausfordern|fordere"
    r"|desafiar|sfidare|uitdagen|utmana|spela|mot|zagrać|przeciw\w*"
    r"|играть|сыграть|против)\b|打ち|下棋"
)
_LOOKS_ON = late(
    r"(?i)\b(?:(?:watch|follow(?! along)|observe?|spectat|look on)\w*|(?:look|see)(?: at)? (?:our"
    r"|this|it))\b"
)
_MOVES_AWAY = late(
    r"(?i)\b(?:new|changed?|other|another|different) (?:my )?(?:e-?mail(?: address)?|address"
    r"|mailbox)\b|\bmove (?:my|the|our|all) (?:\w+ )?games?\b"
)
"""Says that the address is the writer's own new one."""
_TOLD = late(
    r"(?i)\b(?:(?:played|lost|won|beat(?:en)?|yesterday|last (?:night|week|month|year|time)|ago"
    r"|reach(?:ed)?|write to (?:me|him|her|them)|gestern|gespielt|hier|joué|ayer|jugué|ieri"
    r"|gisteren|gespeeld)\b|(?:my|his|her|our|their) (?:new )?(?:e-?mail|address))"
)
"""Says what was, or how somebody can be written to."""
_WANTS = late(
    r"(?i)\b(?:(?:i|we)(?:'d| would| should)?(?: (?:very much|really|so much|dearly|only"
    r"|just))* (?:like|love|want|wish)|please|let me|let's|(?:can|could|may) (?:i|we|you)|(?:new"
    r"|another) game|invite|challenge|möchte|ich will|neue[sn]?|voudrais|aimerais|nouvelle|quiero"
    r"|quisiera|nueva|vorrei|nuova|wil|nieuwe?|quero|vill|chcę|nową|хочу|новую)\b"
)
_FRAME = late(
    r"(?:(?:hi|hello|hey|dear \w+|good \w+|ok|okay|so|and|but|then|now|next|please|thanks|thank you"
    r"|well|maybe|perhaps|also|bitte|por favor)[ ,]+){0,9}(?:(?:i|we)(?:'d| would"
    r"| should)?(?: (?:\w+ly|also|now|just|much|rather|next))* (?:like|love|want|wish|prefer"
    r"|challenge|invite)(?! to (?:\w+ )?(?:know|learn|see|hear|read|ask|tell|watch|thank|say|be"
    r"|win))\b|(?:can|could|may|might|shall) (?:i|we)\b|(?:can|could|would"
    r"|will) you (?:please )?(?:start|set up|arrange|begin|propose|make|invite|challenge)\b"
    r"|let me\b|is (?:it possible|there a way)|how (?:do|can|could) i\b|how about|what about|let's"
    r"|(?:play(?! \w*(?:ly|well|fair|on)\b)|start|begin|invite|challenge|propose|arrange|set up|new"
    r"|match me|want to)\b|(?:(?:an?|one|another|the|next|small|quick|short|rated|friendly|unrated"
    r"|even|teaching|go|\d+x\d+) )*(?:game|match|round|rematch)\b(?! off?\b)|(?:ich"
    r"|wir) (?:möchten?|will|wollen|würden?)|darf ich|kann ich|(?:ein )?neues|eine (?:neue )?partie"
    r"|(?:je|nous) (?:voudr|veux|aimer)|puis-je|(?:une )?nouvelle|une partie|me gustaría"
    r"|(?:yo )?qui(?:ero|siera)|puedo|(?:una )?nueva|una part|vorrei|voglio|posso|(?:una )?nuova"
    r"|(?:ik|we) (?:wil|zou)|mag ik|kan ik|(?:een )?nieuwe?|(?:eu )?(?:quero|gostaria)|(?:um )?novo"
    r"|(?:uma )?nova|(?:jag )?(?:vill|skulle vilja)|(?:ett )?nytt|chc(?:ę|iał)|(?:я )?хо|нов(?:ая"
    r"|ую))"
)
"""How a wish of one's own begins."""
_TALK = late(
    r"\b(?:(?:stop|end|quit|cancel|finish|leave|resign|abandon) (?:the|this|my|our)|played|plays|is"
    r"|are|was|were|has|had|did|does|lost|won|beats?|know|yesterday|last|ago|you|he|she|they|never"
    r"|always|often|sometimes|when|because|not|(?:go|going|come) (?:\w+ ){0,4}to|gespielt|joué"
    r"|jugué)\b|n't\b"
)
_AGAINST = (
    r"\b(?:against|with|vs\.?|versus|play|challenge|invite|opponent|gegen|mit|contre|avec|contra"
    r"|con|contro|tegen|met|com|mot|med|z|przeciw\w*|с|против|w/) (?:(?:the|an?|your|some|any"
    r"|another|my friend|den|dem|einen|einem|l'|un|une|el|la|il|de|een|o|um|en) ?)?"
)
_PROGRAM = late(
    rf"(?:{_AGAINST}|\btry (?:out )?(?:the|your|an?) )(?:(?!my\b)\w+ )?(?:computer|program(?:me"
    rf"|m)?|bot|engine|ai|machine|robot|house"
    r"|ordinateur|ordenador|computadora|computador|dator(?:n)?|komputer\w*|rechner|maschine"
    r"|máquina|компьютер\w*)\b|コンピュータ|电脑|電腦|컴퓨터"
)
_KIN = late(
    rf"{_AGAINST}(?:my|our|mein\w*|mon|ma|mi|mijn) (?:\w+ )?(brother|sister|father|mother|dad|mum"
    r"|mom|son|daughter|wife|husband|partner|friend|colleague|neighbou?r|cousin|uncle|aunt|nephew"
    r"|niece|grand(?:father|mother|son|daughter)|boss|bruder|schwester|vater|mutter|frau|mann"
    r"|freund\w*|fr[eè]re|s[oœ]ur|p[eè]re|m[eè]re|amie?|hermano|hermana|amig[oa]|broer|zus"
    r"|vriend)\b"
)
"""Somebody of whom only the sender has the address."""
_WISH = late(
    r"(?:hi |hello |please |i (?:want|would like|'d like|wish) to |i'd like to |let me |can i "
    r"|could i )*(?:play|start|begin|have|create|open)(?: a| another| some)?(?: new)? (?:game|match"
    r"|go|baduk|weiqi)(?: of go| here| please| now| by e?-?mail)*"
)
