"""The language of emails: of the words that somebody wrote, or of who invites them."""

from __future__ import annotations

import pytest

from tests.support.gateway import Gateway, Person
from tests.support.letters import part
from tests.support.mailto import button_clicks


def spoken(person: Person) -> str:
    """The language of the last email that somebody was sent."""
    return str(person.read()["Content-Language"])


@pytest.mark.parametrize(
    ("words", "language"),
    [
        ("Ich möchte gern mit Bob Go spielen", "de"),
        ("Bonjour, comment est-ce que je peux jouer avec vous ?", "fr"),
        ("Hola, quiero jugar una partida, ¿cómo lo hago?", "es"),
        ("Здравствуйте, как мне сыграть с вами?", "ru"),
        ("こんにちは、対局したいのですがどうすればいいですか", "ja"),
        ("你好，我想下棋，怎么开始？", "zh"),
        ("안녕하세요, 바둑을 두고 싶은데 어떻게 하나요?", "ko"),
        ("Ciao, vorrei giocare una partita, come si fa?", "en"),
        ("help", "en"),
    ],
)
def test_a_stranger_is_answered_in_the_language_of_their_words(words: str, language: str) -> None:
    """Whatever they ask, and though nobody vouches for them; English where we do not write it."""
    gateway = Gateway()
    alice = gateway.person("Alice")
    alice.write(words)
    assert spoken(alice) == language


def test_a_friend_is_invited_in_the_language_of_who_invites_them() -> None:
    """They have never written to us; an answer that is a click leaves it so."""
    gateway = Gateway()
    jonas, yuki = gateway.person("Jonas"), gateway.person("Yuki")
    jonas.write(f"new 9x9 vs {yuki.address}\n\nHallo! Ich freue mich schon auf das Spiel.")
    jonas.reply("yes")
    assert spoken(yuki) == "de"
    yuki.reply("accept")
    assert (spoken(jonas), spoken(yuki)) == ("de", "de")


def test_an_invitation_is_read_in_another_language() -> None:
    """Who asks for theirs is shown the invitation in it; each has their own from then on."""
    gateway = Gateway()
    jonas, yuki = gateway.person("Jonas"), gateway.person("Yuki")
    jonas.write(f"new 9x9 vs {yuki.address}\n\nHallo! Ich freue mich schon auf das Spiel.")
    jonas.reply("yes")
    assert "In English: language en" in part(yuki.read(), "plain")
    yuki.reply("language ja")
    shown = yuki.read()
    assert (shown["Content-Language"], "accept" in str(shown)) == ("ja", True)
    yuki.reply("accept")
    assert (spoken(jonas), spoken(yuki)) == ("de", "ja")


def test_who_has_written_before_is_invited_in_their_own_language() -> None:
    """That of their words, whatever who invites them writes."""
    gateway = Gateway()
    jonas, bob = gateway.person("Jonas"), gateway.person("Bob")
    gateway.start(bob, jonas)
    bob.reply("C3\n\nHave you got time for one more game with me this week?")
    jonas.reply("C4\n\nIch möchte gern noch eine Partie mit dir spielen.")
    jonas.write(f"new 9x9 vs {bob.address}")
    jonas.reply("yes")
    assert (spoken(jonas), spoken(bob)) == ("de", "en")


def test_who_asks_about_an_invitation_in_their_own_words_reads_it_in_their_language() -> None:
    """The answer has who invites them, what can be replied, and the terms."""
    gateway = Gateway()
    yuki, jonas = gateway.person("Yuki"), gateway.person("Jonas")
    yuki.write(f"new 5x5 vs {jonas.address}\n\nこんにちは。よろしくお願いします。")
    yuki.reply("yes")
    jonas.reply("Guten Tag, ich verstehe leider kein Japanisch. Geht das auch auf Deutsch?")
    answer = part(jonas.read(), "plain")
    assert "Yuki lädt dich zu einer Partie Go per Mail ein." in answer
    assert "Antworte mit: accept" in answer
    assert "Brett:   5x5" in answer


def test_what_is_offered_is_a_click_and_no_example() -> None:
    """A point in a refusal is a link that plays it, though points in sentences are examples."""
    gateway = Gateway()
    alice, bob = gateway.person("Alice"), gateway.person("Bob")
    gateway.start(alice, bob)
    alice.reply("Ich verbinde mit A5")
    assert "A5" in button_clicks(part(alice.read(), "html"))
