"""Sentences that mean something at one moment of a game, and what becomes of each there.

A row has the situation, what is to come of it in the words of `phrases/meanings.txt`, and
sentences. Beside what is done for their writer stands talk like it, which the opponent is to read.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.phrase_outcome import Situation, judge
from tests.support.phrase_table import Phrase, Wanted

ROWS: tuple[tuple[str, str, str], ...] = (
    (
        "mine",
        "acts Moved D4",
        """
        My answer is D4.
        My reply: D4
        my choice is D4, let's see
        D4 (threatening the corner)
        D4 (or should I say checkmate, ha)
        """,
    ),
    (
        "mine",
        "acts Passed",
        """
        pass (nothing left)
        PASS (nothing left to play)
        I hereby pass.
        """,
    ),
    ("theirs", "asks cancel/resign", "I want to stop"),
    ("mine", "asks emails my-turn everywhere", "I only want an email when it's my turn"),
    ("theirs", "asks emails my-turn everywhere", "send me mail only when it's my move"),
    ("mine", "asks D6", "put me down for D6"),
    ("invited", "acts Declined", "can't right now"),
    ("over", "asks players/challenges", "I want to play somebody else\nwho else could I play"),
    (
        "mine",
        "asks D6",
        """
        d six please
        dee six
        delta six
        delta 6
        my move is at D six
        my move is dee six period thank you
        """,
    ),
    ("mine", "asks E6", "E6 (a bit risky maybe)\nE6 (no, D6)"),
    ("mine", "asks C7", "my move is see seven, please"),
    ("mine", "passed", "I see seven ships from here\nBob, I'm not resigning, whatever you think"),
    ("mine", "asks D6", "Half asleep. Lemme take D 6 and look at it again tomorrow."),
    ("mine", "asks C7", "upper left, next to my two stones, you know the one. C7 isn't it"),
    ("mine", "asks pass", "I don't see anything worth taking. I'll let my turn go by."),
    ("mine", "asks name Małgorzata", "my name is spelt Małgorzata, can you change it pls"),
    ("mine", "asks public/watch", "Can my nephew follow this game? He is sam@example.com"),
    (
        "mine",
        "asks emails my-turn everywhere",
        "Too many of these messages. Could you only write when it's actually my turn?",
    ),
    ("theirs", "asks emails all everywhere", "You can start sending me all the messages again"),
    ("theirs", "asks show", "Is Bob still alive? Haven't had a move since last Thursday."),
    ("theirs", "asks cancel ifs", "Please forget what I told you about answering at H2"),
    ("theirs", "asks help", "What can I actually ask you to do? Is there a list somewhere?"),
    (
        "theirs",
        "asks vacation from 3 to 12 June",
        "I am in hospital from 3 to 12 of June. Please make holiday for me in this time.",
    ),
    (
        "count",
        "passed",
        "Bob, that was the tightest one yet. I was sweating!\nomg that was close, my heart goes",
    ),
    ("mine", "asks pass", "put it in the same place as last time but one line to the right"),
    ("mine", "answered called xX_GoKing_Xx in games", "pls change my name to xX_GoKing_Xx"),
    (
        "mine",
        "answered new 9x9 vs susan@example.org",
        "Start a game with susan@example.org. A nine by nine, please.",
    ),
    ("theirs", "asks cancel ifs", "Forget the automatic answer I gave you, I'd rather decide."),
    (
        "mine",
        "answered below the board",
        """
        how much time is left
        When does my time run out?
        how many days do i have left for this move
        How long before my clock runs out?
        when must I move?
        how many stones did i capture so far
        how many prisoners does white have?
        """,
    ),
    (
        "theirs",
        "answered below the board",
        """
        how long does he have
        how much longer can he take?
        how much time does my opponent have left
        who has captured more stones?
        when is her time up?
        """,
    ),
    (
        "mine",
        "asks show",
        """
        could you please resend the last email, I deleted it
        please send me the last email again
        resend please
        I lost your last email
        I deleted your last mail by accident
        My cat deleted your message
        can I have more time please
        we need extra time
        give Bob three more days
        """,
    ),
    ("theirs", "asks show", "did he play already?\nwhen will she have to move by"),
    ("theirs", "asks show", "please give him three more days"),
    (
        "mine",
        "answered English",
        """
        German please
        Auf Deutsch bitte
        en français s'il vous plaît
        Can I get these emails in French?
        Can you write in Spanish please
        """,
    ),
    (
        "mine",
        "passed",
        """
        Do you speak German?
        I wrote a letter in French once
        He speaks German to the children
        how long have you lived there?
        how many grandchildren do you have now
        How much did the new roof cost?
        when are you going to Spain?
        I deleted my old photos yesterday
        I lost my glasses
        I lost two stones, ouch
        My son took his time (too long)
        I have more time now that I am retired
        please give Anna my love
        """,
    ),
    ("mine", "asks resign", "I lost the game, didn't I\nI have lost"),
    (
        "count",
        "asks done",
        """
        everything is alive
        all alive
        nothing is dead
        No dead stones on the board
        none of my stones are dead
        done, but are you sure about H7?
        """,
    ),
    (
        "count",
        "acts Resumed",
        """
        continue the game
        let us continue playing
        Let's play on
        I want to keep playing
        I'd rather continue playing
        lets play it out
        """,
    ),
    (
        "count",
        "acts Agreed",
        """
        looks right to me, done
        fine with me. done.
        The score is right, I'm done
        """,
    ),
    ("invited", "acts Declined", "No thanks, no time\nno, no time at the moment\nsorry no time"),
    ("invited", "asks decline", "Hi Bob! Long time no hear!\nPerhaps in the autumn."),
    ("invited", "acts Declined", "That's kind of you but I really haven't the time at the moment."),
    ("invited", "acts Declined", "Not this month I'm afraid, we've got the grandchildren."),
    ("invited", "acts Declined", "I am grateful, but regrettably I must decline on this occasion."),
    ("invited", "asks stop", "Never heard of this. Please take my address off your list."),
    ("invited", "asks accept", "Maybe. Let me think about it for a day or two."),
    ("confirm", "acts Withdrawn", "I didn't invite anybody! Somebody must be using my address."),
    ("confirm", "acts Confirmed", "ya its me"),
    ("over", "passed rematch", "Would Bob perhaps like to play another one?"),
    ("over", "asks sgf", "can you send me the game record so i can look over it on my break"),
    ("over", "asks forget me", "Please wipe my account and everything you've got on me."),
    ("mine", "passed", "Bob, I made your mother's meatloaf recipe. Tell her she's a legend."),
    ("mine", "asks sgf", "Wud you mind letting me have the game so far as a file, for my son"),
    ("theirs", "asks undo", "Is there any way to have my previous move back?"),
    ("invited", "asks accept", "I want to play, but nine by nine is too small for me."),
    ("mine", "asks sgf", "Please, can you send me the game like a file?"),
    ("mine", "asks rating/players", "out of curiosity what is my rating now"),
    ("mine", "passed", "My sister likes to look at our game. It is pilar@example.org"),
    (
        "mine",
        "asks timezone Central",
        "Just moved, so all is an hour off. Set me to Central please.",
    ),
    ("mine", "asks forget me", "I request that you erase all personal data relating to me."),
    ("over", "asks forget me", "Please close my account and remove my details, thank you."),
    ("mine", "asks D6", "Delta six please. I am dictating this so I hope it comes out right."),
    ("mine", "asks C7", "My move: column C, row 7."),
    ("theirs", "asks show", "Is there any way you could give him a little nudge?"),
    ("theirs", "asks emails my-turn everywhere", "please don't email me till it's actually my go"),
    ("over", "asks rating", "did my rating go down after that disaster"),
    ("invited", "acts Declined", "not right now, working six days straight. ask me next month"),
    ("invited", "acts Declined", "Thank you for the invitation, but I have to say no."),
    ("invited", "acts Declined", "I regret that I am unable to accept your kind invitation."),
    ("undo", "asks no", "I'm so sorry Bob but I'd rather you didn't."),
    ("invited", "asks accept", "I'd love to but not on 19x19"),
    ("invited", "asks accept but as white", "can I play white?"),
    ("invited", "acts Started", "Delighted!"),
    ("agreed", "acts Agreed", "Done from my side as well"),
    ("mine", "asks describe", "i dont understand your email"),
    ("over", "asks history", "I'd like to see the game again move by move"),
    ("mine", "asks players/challenges", "can you recommend an opponent of my strength"),
    ("invited", "acts Countered", "yes but no time limit please"),
    ("over", "passed", "I hope the wedding goes well, Bob. Don't let them make you dance."),
    ("over", "asks sgf", "Can I have a copy of the game to keep?"),
    ("over", "asks stop", "I don't want any more emails from this thing please. It was fun!"),
    ("agreed", "acts Agreed", "yep same here done\nOkay for me also, thank you for the nice game."),
    ("undo", "asks yes/no", "I'd rather not, but let me think about it until tonight."),
    ("undo", "asks no", "nope u touched it u play it\nI'd leave it as it is and play E6."),
    ("over", "shown", "who won\nwhat was the final score\nhow much did I win by\ndid white win"),
    (
        "over",
        "asks review",
        """
        where did i go wrong
        where was my mistake
        show me my mistakes
        what could I have done better
        what was my worst move
        which move lost the game?
        what should I have played instead
        """,
    ),
    (
        "over",
        "asks rematch 13x13",
        "again, on 13x13 this time\none more on 13x13?",
    ),
    (
        "over",
        "passed",
        """
        how long have we known each other?
        I lost my way in the middle game
        what a game, all my groups alive at the end!
        """,
    ),
)


def _cases() -> Iterator[tuple[str, str, str]]:
    for situation, wanted, said in ROWS:
        for line in said.strip().splitlines():
            yield situation, wanted, line.strip()


@pytest.fixture(scope="module")
def situations() -> dict[str, Situation]:
    """Each situation, prepared once."""
    return {name: Situation(name) for name in {row[0] for row in ROWS}}


@pytest.mark.parametrize(("situation", "wanted", "text"), [*_cases()])
def test_a_sentence_at_its_moment(
    situations: dict[str, Situation], situation: str, wanted: str, text: str
) -> None:
    """It comes to what its writer would be glad of."""
    way, _, what = wanted.partition(" ")
    cell = judge(situations[situation], Phrase("", "", text), [Wanted(way, what)])
    assert cell.fault == "", cell


def test_stones_that_live_are_offered_as_one_line() -> None:
    """Who says that all of them live is given the line that takes back each mark, and it works."""
    count = Situation("count")
    alice, gateway = count.alice, count.gateway
    alice.reply("dead C3")
    alice.reply("All of my stones are alive.")
    assert alice.newest().notice.about["hints"] == ["done"]
    alice.reply("Nothing is dead.")
    (line,) = alice.newest().notice.about["hints"]
    assert line == "alive C3"
    alice.reply(line)
    assert gateway.game().dead == frozenset()
