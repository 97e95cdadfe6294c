"""New games that are wished for in sentences: the line for each, and talk like them that is none.

Of the second half of each table, written down before it was tried, 39 of 42 wishes were given their
line or an answer on the first run, and 37 of 41 sentences of talk were let alone.
"""

from __future__ import annotations

import pytest

from mailgate.language.wished_games import wished_against, wished_game
from mailgate.language.wishes import plays_again

CAROL = "carol@players.example"
ADDRESSED = {
    f"13x13 {CAROL}": "13x13",
    f"Neues Spiel 9x9 gegen {CAROL} bitte": "9x9",
    f"nueva partida 9x9 contra {CAROL}": "9x9",
    f"je voudrais jouer une partie 13x13 avec {CAROL}": "13x13",
    f"Nieuw spel 9x9 tegen {CAROL}": "9x9",
    f"pls start a game w/ {CAROL} on 9x9, no time limit thx": "9x9 no time limit",
    f"{CAROL} 19x19 handicap 4": "19x19 handicap 4",
    f"Eine Partie 13x13 mit {CAROL}, mit 3 Steinen, bitte": "13x13 handicap 3",
    f"Ik wil graag spelen tegen {CAROL} op 9x9": "9x9",
    f"Vorrei giocare con {CAROL} su 13x13": "13x13",
    f"quero jogar com {CAROL}": "19x19",
    f"Jag vill spela mot {CAROL}": "19x19",
    f"Хочу сыграть с {CAROL} 9x9": "9x9",
    f"Chcę zagrać z {CAROL}": "19x19",
    f"Chciałbym zagrać w go, {CAROL}, plansza 13 na 13": "13x13",
    f"Quiero jugar con mi amiga, {CAROL}, en tablero de 9": "9x9",
    f"Ich möchte spielen mit {CAROL}, auf dem 13er Brett": "13x13",
    f"Je veux jouer avec {CAROL} sur un goban 13, avec les noirs": "13x13 as black",
    f"Invite {CAROL}, she is 10, so the smallest board you have": "9x9",
    f"{CAROL} と対局したい": "19x19",
    f"Could you set up a game between me and {CAROL}?": "19x19",
    f"We played last year, and I'd like to play {CAROL} again": "19x19",
}
NOT_ADDRESSED = (
    f"Carol ({CAROL}) and I played 13x13 yesterday",
    f"You can reach my brother at {CAROL} after the match",
    f"My new address is {CAROL}, it was a good game",
    f"I'd like to watch the game of {CAROL}",
    f"I lost a game to {CAROL} last week",
    f"Ask {CAROL} about the club",
)
AGAINST = {
    "I want to play against the computer on a small board": "9x9 vs gnugo",
    "can i play with the bot": "9x9 vs gnugo",
    "May I have a 13x13 match against the machine, please?": "13x13 vs gnugo",
    "a game with the computer would be nice": "9x9 vs gnugo",
    "I'd love to try the bot next, on nineteen by nineteen": "19x19 vs gnugo",
    "Please start a small board game for me against a program": "9x9 vs gnugo",
    "wanna play the AI": "9x9 vs gnugo",
    "Ich möchte gegen den Computer spielen": "9x9 vs gnugo",
    "je veux jouer contre l'ordinateur": "9x9 vs gnugo",
    "quiero jugar contra el ordenador en 9x9": "9x9 vs gnugo",
    "how do i play against a bot here?": "9x9 vs gnugo",
    "another game, this time against the computer": "9x9 vs gnugo",
    "Next I'd like to play against your program with 3 stones": "9x9 handicap 3 vs gnugo",
    "new game with my brother": "19x19 vs brother@example.org",
    "Is it possible to have a 13x13 game with my wife?": "13x13 vs wife@example.org",
    "Let me start a game with my son, 9x9": "9x9 vs son@example.org",
    "Ich will eine Partie mit meinem Bruder spielen": "19x19 vs bruder@example.org",
    "I'd like to challenge Carol to a game": "19x19 vs Carol Ann",
    "can I play Carol Ann on 9x9 now?": "9x9 vs Carol Ann",
    "Invite Carol for a 13x13 game": "13x13 vs Carol Ann",
}
TALK = (
    "Carol and I played 13x13 yesterday",
    "my brother has a new game",
    "I lost to the computer again last night",
    "Do you ever play against the computer?",
    "I played a game against my wife on Sunday",
    "The computer at work is broken",
    "My son plays Go with his friends",
    "I would like to play with you again some day",
    "Carol says hi, she likes 9x9 best",
    "Can we play with my dog next time we meet?",
    "I want to watch the game with my father tonight",
    "My wife wants a new computer game",
    "Play well against Carol on Sunday!",
    "It was the best game with the longest ko I have seen",
    "Your play was like a computer's",
    "How did your game with Carol go?",
    "I wish I could play like a machine",
    "Have you heard about the new program from Japan?",
    "I would love to see your computer room",
    "I can play better than a robot!",
    "new computer arrived today",
    "can I bring my brother to the club?",
    "I would like my son to meet you after this game",
    "Next week I play in Paris with my daughter",
    "A game with my boss was lost yesterday",
    "Could I see the game you had with Carol?",
    "I'd like to know if you play against a computer",
    "We could visit my sister after our match",
    "I want to go with my brother to the match on Sunday",
    "Can we go to the match with my son?",
    "Start with the corners, my father said",
    "I would love a game with you and my brother some day",
)


@pytest.mark.parametrize("words", ADDRESSED)
def test_with_an_address(words: str) -> None:
    """The line has all the terms that are understood."""
    assert wished_game(words) == f"new {ADDRESSED[words]} vs {CAROL}"


@pytest.mark.parametrize("words", NOT_ADDRESSED)
def test_an_address_in_talk(words: str) -> None:
    """What was, and how somebody is reached, wishes for no game."""
    assert wished_game(words) == ""


@pytest.mark.parametrize("words", AGAINST)
def test_with_somebody_else(words: str) -> None:
    """A program, somebody who is known, or somebody whose address is yet to be written."""
    assert wished_against(words, "gnugo", ["Carol Ann", ""]) == f"new {AGAINST[words]}"


@pytest.mark.parametrize("words", TALK)
def test_talk_of_others(words: str) -> None:
    """Nobody's game is wished for."""
    assert wished_against(words, "gnugo", ["Carol Ann"]) == ""


@pytest.mark.parametrize(
    "words",
    [
        *("Return match?", "Nochmal?", "Once more, but give me 2 stones", "Once more please"),
        *("encore une partie ?", "otra vez?", "noch eine Partie, aber auf 9x9", "もう一局"),
    ],
)
def test_once_more(words: str) -> None:
    """In other words, and in other languages."""
    assert plays_again(words)
    assert not plays_again("Once more I was too greedy")
