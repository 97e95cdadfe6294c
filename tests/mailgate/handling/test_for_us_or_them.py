"""What is said of our emails, an opponent, or a point, and talk that has the same words.

Each sentence is one of several that a rule is for, as people write them who know no commands.
"""

from __future__ import annotations

import pytest

from godaemon.games.notices import Kind
from tests.support.phrase_outcome import Situation

OURS = (
    ("your robot doesn't understand plain English!!", "about my emails"),
    ("The server does not understand me", "about my emails"),
    ("Your instructions are confusing", "about my emails"),
    ("This isn't working at all", "about my emails"),
    ("it doesn't let me move", "about my emails"),
    ("Did you receive my last move?", "about my emails"),
    ("No board in this email, what now?", "about my emails"),
    ("Can you give me a hint?", "do not advise"),
    ("What should I play?", "do not advise"),
    ("May I speak to a real person?", "postmaster"),
    ("show me the moves so far", "history"),
    ("I'll take the last empty corner!", "a letter and a number"),
    ("3-3 invasion bottom right", "a letter and a number"),
    ("attach to your stone on the right", "a letter and a number"),
    ("anywhere you like", "a letter and a number"),
    ("random move please", "a letter and a number"),
    ("D as in David, 4", "D4"),
    ("i wanna pas", "nearly a command"),
    ("I resing", "nearly a command"),
    ("Which engines can I play?", "new 9x9 vs house"),
    ("Please make Bob hurry up", "about Bob"),
    ("Bob insulted me in his last mail", "about Bob"),
    ("The picture doesn't show up", "about my emails"),
    ("Hi, the links in this email do not work for me.", "about my emails"),
    ("Sorry, but the board looks completely garbled on my phone", "about my emails"),
    ("I don't understand the numbers at the side", "about my emails"),
    ("I cannot see any picture.", "about my emails"),
    ("I got the same email three times", "about my emails"),
    ("I sent my move yesterday but nothing happened", "about my emails"),
    ("my last move isn't shown", "about my emails"),
    ("I think there's a bug in the counting", "about my emails"),
    ("Something is wrong with the clock", "about my emails"),
    ("These emails end up in my spam folder", "about my emails"),
    ("I think my last email got lost", "about my emails"),
    ("Your email is all gibberish on my phone", "about my emails"),
    ("It says it's not my turn but it is", "about my emails"),
    ("Stop writing to me every day", "digest at 20"),
    ("My opponent is being rude", "meant for me"),
    ("my opponent hasn't answered for weeks!", "meant for me"),
    ("My opponent seems to have vanished", "meant for me"),
    ("Clicking on the board doesn't do anything", "about my emails"),
    ("Please remind him that it's his move", "write behind"),
    ("could you tell my opponent that I am late?", "write behind"),
    ("My new address is alice@new.example", "move me to"),
    ("Please don't send me pictures", "plain"),
    ("Please call me Ally from now on", "name"),
    ("Oops, wrong point", "your last move stands"),
    ("That's not what I played!", "your last move stands"),
    ("sorry, misclick", "your last move stands"),
    ("4-4 point", "D4"),
    ("the 3-4 point in the upper right corner", "G6"),
    ("One to the right of my last stone.", "a letter and a number"),
    ("The corner at the bottom right", "a letter and a number"),
    ("just above your two stones", "a letter and a number"),
    ("The stones look like empty boxes", "about my emails"),
    ("All the pieces are shown as little rectangles", "about my emails"),
    ("I get strange characters instead of stones", "about my emails"),
    ("The columns don't line up on my phone", "about my emails"),
    ("I just see a broken icon in place of the picture", "about my emails"),
    ("The board comes out upside down here", "about my emails"),
    ("Your emails always land in spam", "about my emails"),
    ("This is not the position we had yesterday", "history"),
    ("The board is different from what I remember", "history"),
    ("That isn't how we left the board last time", "history"),
    ("Why is the position not the same as in the last email?", "history"),
    ("There's a mistake: my stone on F4 is missing", "history"),
    ("Where did my stone at F5 go?", "history"),
    ("my two stones on the left have vanished", "history"),
    ("I never got the email with his move", "about my emails"),
    ("I haven't received anything from you since Monday", "about my emails"),
    ("The message with Bob's last move never reached me", "about my emails"),
    ("I didn't get your last mail", "about my emails"),
    ("Can you give him a little push?", "their time runs short"),
    ("Could you please send her another nudge", "their time runs short"),
    ("please chase my opponent", "their time runs short"),
    ("Has he played yet?", "their time runs short"),
    ("When will they finally answer?", "their time runs short"),
    ("Can we freeze the game until January?", "vacation"),
    ("Let's adjourn until next Sunday", "vacation"),
    ("Would you take a draw?", "not drawn by agreement"),
    ("How about we agree on a tie", "not drawn by agreement"),
    ("Could we just stop, with no winner?", "cancelled"),
    ("Mail me at my office address from now on, please", "move me to"),
    ("Argh, I put it in the wrong place!", "your last move stands"),
    ("Hm, there was a stone at C6 before, who took it?", "history"),
    ("Everything on the board shows as a jumble of symbols", "about my emails"),
    ("I'd be fine with a draw", "not drawn by agreement"),
    ("Let's abandon the game", "cancelled"),
    ("How can I see the entire game from the start?", "list of the moves"),
    ("Can I look at how it all went so far?", "list of the moves"),
    ("How do I see what I wrote last week?", "list of the moves"),
    ("Did my reply come through?", "all that has reached me"),
    ("was my move accepted?", "all that has reached me"),
    ("What was his last move again?", "as it stands"),
    ("He has probably forgotten about me", "read an email"),
    ("Perhaps she has lost interest", "read an email"),
    ("Is there any way to make the diagram a bit larger?", "about my emails"),
    ("I need bigger letters, my eyes are bad", "about my emails"),
    ("I get every message three times", "about my emails"),
    ("Your emails come in pairs", "about my emails"),
    ("I don't read this inbox any more, try alice@new.example", "move me to"),
    ("I've stopped using this account; reach me at alice@new.example", "move me to"),
    ("Could you mail me the game record", "sgf"),
    ("Any sign of life from the other side?", "read an email"),
    ("Has he seen my move?", "read an email"),
    ("no reaction so far...", "read an email"),
    ("Two weeks without a word", "read an email"),
    ("they all look the same", "about my emails"),
    ("The text is too small", "about my emails"),
    ("I'm colour blind", "about my emails"),
    ("the link in your mail opens the wrong program", "about my emails"),
    ("How do I stop this?", "digest at 20"),
    ("from next week please use bob@new.example for me", "move me to bob@new.example"),
    ("My address will change to new@me.example on Monday", "move me to new@me.example"),
    ("Whoops, that last one was a slip, sorry", "your last move stands"),
    ("I hit the wrong key", "your last move stands"),
    ("I sent the wrong move by accident", "your last move stands"),
    ("Argh, my finger slipped on the glass", "your last move stands"),
    ("I meant the opposite corner", "your last move stands"),
    ("Can I change what I just sent?", "your last move stands"),
    ("Can I correct my last move?", "your last move stands"),
    ("Is it me to go or him?", "whose turn it is"),
    ("Am I up?", "whose turn it is"),
    ("Has it gone through?", "all that has reached me"),
    ("Has he given up on me?", "read an email"),
    ("Has she read the email?", "read an email"),
    ("Did she get my last move?", "read an email"),
    ("I can barely read the coordinates", "about my emails"),
    ("I haven't heard from him in ages", "read an email"),
    ("Do you know if she's still playing?", "read an email"),
    ("Can you check whether he is okay?", "read an email"),
    ("What happens if he never replies?", "read an email"),
    ("Will I win if she never comes back?", "read an email"),
    ("It has gone very quiet on the other side", "read an email"),
    ("I can't tell black from white", "about my emails"),
    ("The grey and the dark ones are hard to tell apart", "about my emails"),
    ("Everything's squashed together on my screen", "about my emails"),
    ("I only see letters and dots, no picture", "about my emails"),
    ("Could you print it a bit larger for my old eyes?", "about my emails"),
    ("My screen reader can't make sense of the grid", "describe"),
    ("Why do I get two of everything?", "about my emails"),
    ("Nothing happens when I tap the link", "about my emails"),
    ("Your button just opens an empty mail", "about my emails"),
    ("It keeps telling me the same thing", "about my emails"),
    ("your mails come far too often", "digest at 20"),
    ("This arrives three times a day", "digest at 20"),
    ("You can reach me at ally@new.example from now on", "move me to ally@new.example"),
    ("I no longer use this mailbox, write to ally@new.example", "move me to ally@new.example"),
    ("This is my work address, can I switch to my private one?", "move me to"),
    ("Could I go over the whole game?", "list of the moves"),
)
GIVES_UP = (
    "This is lost, I stop here",
    "Everything is lost. I'm done for, well played",
    "There's no point in playing on",
    "There is no way to win this",
    "You are too strong for me, you win",
    "I'm done with this game, sorry",
    "I don't want to play any more",
    "I've had enough of this game",
    "I'm out",
    "I want out",
    "I'd like to get out of this game",
)
THEIRS = (
    "Your last move confused me a lot",
    "Your plan is working!",
    "This isn't going well for me",
    "Did you get my postcard?",
    "I took your advice, where is it from?",
    "The corner is yours, well played",
    "That was a big invasion!",
    "Nice weather here, how is the corner shop?",
    "My son will get a new address too: tom@new.example",
    "My daughter stopped using this account: kim@new.example",
    "My boss has a different address now",
    "My brother was one point off in his exam",
    "That was meant for the other side of the family",
    "It was meant to be a joke",
    "I was two points ahead, I think",
    "The board needs to be larger next time",
    "My letters to the bank come twice",
    "My wife needs larger letters",
    "He forgot about it, you know",
    "It says snow for tomorrow",
    "The email you sent me about the club was funny",
    "It says a lot about you that you played there",
    "I like the board, it looks like the one my father had",
    "The picture on your wall is lovely, does it show Mount Fuji?",
    "I can't see a way to save my stones",
    "I don't understand your last move at all",
    "My move was slow, I know",
    "I think I played in the wrong order in that corner",
    "You played on the wrong side of the board, I think",
    "In my last tournament my opponent was a 5 dan",
    "I'm off to bed, see you",
    "My opponent played very slowly at the club yesterday",
    "My stones are dead, I fear",
    "The numbers were against me yesterday at work",
    "I sent you a card, did it arrive?",
    "That corner is big",
    "I got your email about the club, thanks",
    "Tell me about your holiday!",
    "Your stones look like a little snake",
    "The stones on the left look alive to me",
    "Your stones are all over the place, haha",
    "My position is not as good as I had hoped",
    "The position is not easy, I have to think",
    "That's not the answer we had in mind, was it?",
    "I never got the hang of joseki",
    "I didn't see that move coming",
    "I don't get your last move",
    "I never got the card about your wedding",
    "I haven't received the parcel yet, but thank you",
    "My son gave him a little push and he fell in the pond",
    "He moved to Berlin last week",
    "Has your brother moved yet?",
    "How is Anna, is she well again?",
    "That corner is lost, but the rest is fun",
    "I didn't get your message until today, sorry for the delay",
    "I didn't see your message, sorry",
    "I need to learn from my mistakes",
    "It is lost time if you ask me",
    "I'll stop here and have lunch now",
    "I sent the postcard to my old address, silly me",
    "The position is more complicated than anything we had last time",
    "They put the concert on hold because of the rain",
    "Nothing came of our plans",
    "I want to enjoy the whole game, so no hurry",
    "What is the record temperature in your town?",
    "My wife says he played well but not as well as you",
    "The letters in that old book look strange",
    "Is that stone not on the board at your club?",
    "I'll stop here for today, good night",
    "You win some, you lose some",
    "We had to freeze the beans, there were too many",
    "I drew the short straw, so I am cooking",
    "Need to think about it over the weekend",
    "I have a new address book with all my friends in it",
    "There is no winner in a storm like that",
    "he is hard to read, that opponent of mine",
    "Have you seen the final? Lee is still alive in it",
    "It has been two weeks since my holiday, I feel rested",
    "did she like the present?",
    "I quit smoking last week!",
    "I'm finished with work now, nice evening to you",
    "You can write me at bob@x.example for a beer",
    "I'm out of town until Sunday",
    "I hit the wrong note at choir last night",
    "That was a nice slip past my defence",
    "You read the board better than I do",
    "I didn't want to fight there, but you made me",
    "My grandson can't tell black from white yet",
    "I can't tell the twins apart",
    "I haven't heard from Carol in ages, have you?",
    "What if they don't come to the party?",
    "What happens in the film, don't tell me",
    "Is she playing in the tournament?",
    "Is it me or is it cold today?",
    "Did Carol come out on top?",
    "The stones on the left are cut off",
    "I got two of them at the market",
    "Nothing works out for me today",
    "It keeps raining",
    "Your letters are so often a joy to read",
    "I'll send you the photos to your private address",
    "I want to switch to a bigger one",
    "I need to get out more",
    "I can't make sense of your opening",
    "It was very quiet on the other side of the lake",
    "My mother only sees letters and dots without her glasses",
    "Has she read the book?",
    "Did he get the job?",
    "Three days without any news about the strike",
    "I'm out tonight",
    "I'm out walking the dog",
    "I'm not in the mood for dinner",
    "everything here is so dark in winter",
    "Who lost the match yesterday?",
    "Send the photos to ann@x.example instead",
    "Write to my sister's email, ann@x.example",
)


@pytest.fixture(scope="module")
def mine() -> Situation:
    """Alice's turn against Bob, for every sentence as if it were the first."""
    return Situation("mine")


@pytest.mark.parametrize(("said", "answer"), OURS)
def test_what_is_for_us(mine: Situation, said: str, answer: str) -> None:
    """The opponent reads nothing of it, nothing is played, and the answer says what helps."""
    outcome = mine.say(said)
    assert (outcome.told, outcome.events) == (False, [])
    assert answer in " ".join(outcome.own_words)


@pytest.mark.parametrize("said", THEIRS)
def test_talk_with_the_same_words(mine: Situation, said: str) -> None:
    """It is passed on, as all talk is."""
    assert mine.say(said).said == [said]


@pytest.fixture(scope="module")
def theirs() -> Situation:
    """Bob's turn against Alice, who has just played F6."""
    return Situation("theirs")


@pytest.mark.parametrize("said", GIVES_UP)
def test_giving_up_in_other_words(mine: Situation, theirs: Situation, said: str) -> None:
    """It is never done by a sentence; one word is asked for, and the opponent is told nothing."""
    for one in (mine, theirs):
        outcome = one.say(said)
        assert (outcome.told, outcome.events) == (False, [])
        assert outcome.clickable("resign")


@pytest.mark.parametrize(
    "said",
    [
        "typo, I meant E6",
        "Oops, slip of the finger. I wanted to play E6",
        "Sorry, wrong point, it should have been E6",
        "My mistake, I meant E6 not F6",
    ],
)
def test_a_correction_of_ones_last_move(mine: Situation, theirs: Situation, said: str) -> None:
    """Before the other has answered it is a wish for the move back; after that one is asked."""
    assert theirs.say(f"{said}\n\nBest,\nAlice").events == ["UndoAsked"]
    outcome = mine.say(said)
    assert (outcome.told, outcome.events) == (False, [])
    assert outcome.clickable("e6")
    assert f"“{said}”" in str(outcome.emails[0].due.notice.about["reason"])


@pytest.mark.parametrize(
    "said", ["I meant E6", "Did you mean E6?", "typo, I meant the E6 variation"]
)
def test_what_is_no_plain_correction(theirs: Situation, said: str) -> None:
    """It may answer a question, or ask one: nothing is done by it."""
    assert theirs.say(said).events == []


def test_what_is_left_beside_a_move(mine: Situation) -> None:
    """Words that went on with an `and` are passed on without it."""
    for said in ("G1, and thank you!", "G1 - and thank you!", "G1 and thank you!"):
        assert mine.say(said).said in (["thank you!"], []), said
    assert mine.say("G1, and how is Ann?").said == ["how is Ann?"]


def test_a_pass_is_asked_about_kindly(mine: Situation) -> None:
    """Who only thinks so is asked for the one word."""
    outcome = mine.say("I think I pass as well, that was fun.")
    assert outcome.clickable("pass")
    assert (outcome.told, outcome.events) == (False, [])


AGREED = ("I agree with that", "looks right to me", "yes that's correct", "That is how I count it")


@pytest.mark.parametrize("said", AGREED)
def test_words_that_agree_to_a_count(said: str) -> None:
    """They are done where the other has said so and asks; else, and beside talk, one word is."""
    for closing in ("", "\n\nBest,\nAlice", "\nAlice"):
        assert Situation("agreed").say(said + closing).events == ["Agreed"]
    counting = Situation("count")
    assert counting.say(said).events == []
    assert counting.say(said).clickable("done")
    spoken = Situation("agreed")
    spoken.bob.reply("say Shall we meet at the club?")
    spoken.state = spoken.gateway.writer.state
    assert spoken.say(said).events == []


@pytest.mark.parametrize(
    "said",
    [
        "Did I win?",
        "Who was the winner?",
        "So who came out on top?",
        "By how much did I lose?",
        "what was the result?",
    ],
)
def test_how_a_game_ended(said: str) -> None:
    """It is shown as it ended, and nobody is told how scores are counted."""
    (shown,) = Situation("over").say(said).emails
    assert shown.due.notice.kind is Kind.SHOW
    assert "W+6.5" in shown.text


@pytest.fixture(scope="module")
def undo() -> Situation:
    """Bob has asked Alice for his last move back."""
    return Situation("undo")


@pytest.mark.parametrize(
    "said",
    [
        "I'd rather leave it as it is",
        "Let it stand please",
        "a move is a move, I'm afraid",
        "touch move, sorry",
        "I had seen my answer already, so no",
        "no problem, D4",
        "yes, but only if I may, too",
    ],
)
def test_half_an_answer_to_a_wish_for_a_move_back(undo: Situation, said: str) -> None:
    """Nothing is granted or refused by it: a yes or a no is asked for, and Bob is told nothing."""
    outcome = undo.say(said)
    assert (outcome.told, outcome.events) == (False, [])
    assert outcome.clickable("yes")
    assert outcome.clickable("no")


@pytest.mark.parametrize(
    "said",
    [
        *("ok this once", "fine, but just this time", "be my guest", "I'm fine with that"),
        *("Oh go on then", "ok, only this time", "Hmm. Ok, but only this once!", "works for me"),
    ],
)
def test_a_move_back_granted_in_other_words(undo: Situation, said: str) -> None:
    """That the next one may be another matter makes it no less a yes."""
    assert "Undone" in undo.say(said).events[0]


@pytest.mark.parametrize("said", ["no, I play D4", "No. D4. Sorry Bob!", "Nope. My move is D4"])
def test_a_move_back_refused_by_a_move(undo: Situation, said: str) -> None:
    """Who says no and moves has said all that there is to say."""
    assert "Moved" in undo.say(said).events[0]


@pytest.mark.parametrize("said", ["Lovely weather here today", "How is the new flat, all well?"])
def test_talk_while_a_move_is_asked_back(undo: Situation, said: str) -> None:
    """It is passed on, and answers nothing."""
    assert undo.say(said).said == [said]


@pytest.mark.parametrize(
    "said",
    [
        "I didn't want to play there",
        "Can I change what I just sent?",
        "I read the board the wrong way round, can that be reversed?",
        "My finger slipped on the phone",
        "sorry, that was meant to be the other corner",
        "Darn, I clicked one too far to the left",
        "I was one row too low",
    ],
)
def test_a_slip_in_other_words(theirs: Situation, said: str) -> None:
    """Before the other has answered, the wish for the move back is offered."""
    outcome = theirs.say(said)
    assert (outcome.told, outcome.events) == (False, [])
    assert outcome.clickable("undo")


@pytest.mark.parametrize("said", ["that was a typo", "Sorry, my mouse slipped"])
def test_the_excuse_below_a_wish_for_a_move_back(theirs: Situation, said: str) -> None:
    """It is for the opponent, who is asked."""
    assert theirs.say(f"undo\n{said}").said == [said]
