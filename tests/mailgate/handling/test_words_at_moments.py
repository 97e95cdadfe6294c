"""Sentences that mean something at one moment of a game, and what becomes of each there.

What is to come of them is said in the words of `phrases/meanings.txt`. Beside what is done for
their writers stands talk like it, which the opponent is to read.
"""

from __future__ import annotations

import re
from textwrap import dedent

import pytest

from godaemon.games.notices import Kind
from tests.support.gateway import Gateway
from tests.support.phrase_outcome import Situation, judge
from tests.support.phrase_table import Phrase, Wanted

SAID = {
    "confirm": """
        acts Confirmed
            yes⏎Please tell Bob it's from his uncle Al
            Yes! Hi Bob, it's uncle Al, let's play like in the old days
            ya its me
            Yes, please send it to Bob
            ok, send it please
            agreed
            Yes I asked for this, thank you kindly
            Yes please, and say hi to him from me
            Yes, 9x9 it is
            reply yes
            Yes, it's really me.
            Ja, das war ich. Bitte abschicken.
            Why do you need that? Yes it was me.
        acts Withdrawn
            I didn't invite anybody! Somebody must be using my address.
            No, I never asked for a 9x9 game
            no, not on 13x13
            no, I don't want to play on 9x9 anymore
        asks yes
            send it to my friend Carol
            send it to Carol
            Please do not send it yet
        answered vs bob.b@example.org
            Yes but I got the address wrong, it's bob.b@example.org
        answered new 13x13 rules japanese as black
            yes but 13x13
            no, I made a mistake, it should be 13x13
            No. I meant thirteen by thirteen, sorry!
            yes, only make it 13x13
        answered new 9x9 as white komi 6.5
            yes but as white
            Yes, but I meant to be white.
        answered new 9x9 komi 0.5
            Yes, but komi 0.5
        """,
    "invited": """
        acts Countered
            yes but no time limit please
        acts Started
            ok lets do it
            yess!! count me in 🎉🎉 btw how long do i have for each move?
            Yes! Count me in. How long do I have for each move?
            Sure, I'm in. Do I begin?
            Dear Bob,⏎How are Ruth and the boys? Of course I'll play with you.⏎Love, Alice
            I'll play, my first time on that board.
            Is goed, leuk!
            Count me in! Alice (3d)
            Avec plaisir ! Quelle couleur j'ai ?
        answered accept but as white
            Avec plaisir, mais je préfère jouer avec les blancs si ça ne dérange pas Bob.
        asks accept
            Hi Bob, how's the knee? We were in Cornwall for two weeks, it rained. Love, Alice
            Nooo! How long have I got? Yes or no?
            Yes. Could I have more time?
            Okay. But please not more than one email a day, my inbox is full already.
            Yes, what if I lose?
        answered nothing to pay
            Does it cost anything?
        answered some 50 moves
            Maybe. How long does such a game take?
        acts Declined
            Sorry, no time at the moment. Maybe after Easter?
            can't right now
            No thanks, no time
            no, no time at the moment
            sorry no time
            That's kind of you but I really haven't the time at the moment.
            Not this month I'm afraid, we've got the grandchildren.
            I am grateful, but regrettably I must decline on this occasion.
            not right now, working six days straight. ask me next month
            Thank you for the invitation, but I have to say no.
            I regret that I am unable to accept your kind invitation.
        acts Started
            Oh yes gladly!
            承知しました
            Fine by me.
            Delighted!
            I gratefully accept your kind invitation.
            It is with great pleasure that I accept your challenge
            hmm ok why not
            yes i want
            I agree to play
            Accept invitation please
            Agreed
            I agree to the terms
        asks accept
            ok who are you?
            Maybe. Let me think about it for a day or two.
            I want to play, but nine by nine is too small for me.
            I'd love to but not on 19x19
            I haven't time to explain but yes please
            I'd love to play even if I have to refuse sometimes
            I am not able to play fast but I accept
            Not this week but next week yes
            I agree to nothing
            I would accept if I had time
            I want to accept later
            yes i want to know who you are
            I agree with you about the weather
            I accept. First move: E5
        asks accept but 13x13
            I have to say no to 19x19 but 13x13 is fine
        asks accept but as white
            can I play white?
        asks accept but komi 0
            Only if komi is zero
            Yes, but with no komi
        asks decline
            with pleasure I decline
            I hardly accept
            Hi Bob! Long time no hear!
            Perhaps in the autumn.
        asks stop
            Never heard of this. Please take my address off your list.
        """,
    "mine": """
        passed
            It works!
        asks C7
            The corner at C7 is big
            C7 but it's too early
            invasion is big at C7
        answered show
            This isn't the right board. I had a stone on the right, now it's gone! Has it got lost?
        asks help/learn
            Can I play somewhere that's already got a stone on it if I've surrounded that stone?
            I don't wish to give up, I only want to know how one would do so later.
            May I also play at the edge, or only within the squares?
        answered show
            Is it me or him now? I've been looking at my inbox for two days.
            Who has white, him or me?
            Exactly how much longer have I got?
        answered move me to
            I have a new email adress from May on. How do I tell you?
        asks C4
            third from the left, fourth from the bottom
            I play on the third line from the left, 6th from the top
            See four. Bloody autocorrect. C four.
        asks D4
            Is it my turn? I've heard nothing since last week. If it is: D4. If not ignore this
            Please don't tell Bob but I'm lost here. What does komi mean? D4 in the meantime
            If Bob has no objection I'd like to play D4 and then see whether he takes a corner
            Oops, wrong key, I meant D4
            My reply is D - 4. Thank you.
            I'll take dee four period thanks period sent from my phone
            Small knight's approach to your B2 from the left, so D4 I believe it is called here
            I should like to place my stone on the crossing of line D and line 4, if I may.
        answered below the board
            Sorry, am I the white ones or the black ones?
        asks resign
            Just let Bob have the win, I won't manage it
        acts Moved D4
            Bob, D4. How do I pass?
            Hi Bob,⏎D4⏎How do I pass?
            Bob,⏎D4⏎What is komi?
            My answer is D4.
            My reply: D4
            my choice is D4, let's see
            D4 (threatening the corner)
            D4 (or should I say checkmate, ha)
            Please place my stone on the point D 4.
            O.K. I play at D 4
            I'll go D 4
            D 4 please
            pls D4
            plz D 4
            D4 my friend
            Next move: D4
            extend to D4
            takes D4
            d4 gl hf
            lets go with d4 👍
            mv d4
            shimari at the bottom left: D4
            kakari at D4. Onegaishimasu!
            You always start in that corner, don't you. D4
            I have the flu. I play D4 but the next ones will be slow.
            Work is crazy. Here's my move: D4
            d4 quick quick before the clock eats me
            Im sory my english is not good. I want put stone in D 4. Thank you
        acts Moved D4 alone
            D4⏎Please send me the record so far.
            D4 please. And could you mail me only the text, without the picture?
            D4. PS: please stop sending reminders
            D4⏎Give me a hint
            D4⏎I would like the sgf as well, please
            D4⏎PS: please show me the board again
            D4⏎I need fewer emails
            D4⏎Also, please turn the coordinates off
            D4⏎Could I have the game record, too.
            D4⏎Would you send me the sgf
            D4⏎And please no more reminders
            D4. Could you draw the coordinates on all sides, please.
            D4⏎Show me the current position please
            D4⏎Please send the game record to me
            D4⏎Kind regards,⏎Alice⏎Tel. 01225 12345⏎12 High Street, Bath
            D4⏎⏎Best wishes⏎Alice⏎Bath Pottery Ltd.⏎www.pottery.example.com
        acts Moved D4 told
            D4⏎Please send me the photo again
            D4⏎Please send me your record of wins.
            D4⏎Please stop sending me flowers!
            D4⏎Please keep the record for your club
            D4⏎Could you send me the book again?
            D4⏎I need no reminders from you, I know it's my turn!
            D4⏎I'd like the text of that song
            D4⏎Give me a hint what you are up to
            D4⏎Please show me your garden some day
            D4⏎I need an estimate for the roof
            D4⏎Please mail me the pictures of the baby
            D4⏎Send my love to the kids
            D4⏎Stop sending me so many jokes
            D4⏎The record of our game will be long
            D4⏎I want the record for the longest game
            D4⏎Nice move!⏎Kind regards,⏎Alice⏎Tel. 01225 12345
            D4⏎Best,⏎Alice⏎Call me: 01225 12345
        acts Moved D6
            D6 (this is fun!)
            Good morning Bob. I will start with D6, the best point.
            I answer at D6, of course.
            And I follow: D6
            First D6
            Let me continue with D6
            I'll open at D 6. Have fun!
        acts Moved E6
            cut at E6
            keima at E6
            Let's start: E6
            Well, I push at E6!
            So I jump to E6
        acts Passed
            pass (nothing left)
            PASS (nothing left to play)
            I hereby pass.
            I pass again
            Pass as well, and thank you for a nice game!
            I think there is nothing left to do, so I pass.
            Every border is closed, therefore I pass.
        answered English
            German please
            Auf Deutsch bitte
            en français s'il vous plaît
            Can I get these emails in French?
            Can you write in Spanish please
        answered below the board
            how much time is left
            What happens if I don't answer in time?
            When does my time run out?
            how many days do i have left for this move
            How long before my clock runs out?
            when must I move?
            how many stones did i capture so far
            how many prisoners does white have?
        answered whose turn it is
            Which move number is this?
            Where is the last stone?
        answered called xX_GoKing_Xx in games
            pls change my name to xX_GoKing_Xx
        answered new 9x9 vs susan@example.org
            Start a game with susan@example.org. A nine by nine, please.
        asks C3/G3/G7
            lower left corner, 3-3 point
        asks C4/G6/F7
            the 3-4 point top right please
        asks C7
            my move is see seven, please
            upper left, next to my two stones, you know the one. C7 isn't it
            My move: column C, row 7.
        asks D6
            I cut at D6 in my dream
            I answered at D6
            let me push at D6, or not?
            My book says cut at D6
            start at D6?
            put me down for D6
            d six please
            dee six
            delta six
            delta 6
            my move is at D six
            my move is dee six period thank you
            Half asleep. Lemme take D 6 and look at it again tomorrow.
            Delta six please. I am dictating this so I hope it comes out right.
            Row 6, column D
            column D and row 6
            D on 6
            I play at the crossing of D and 6
            D for Daniel six
            D:6
            D6. No wait, E3
            The answer to G5 is D6
            I reply to D6
            What would hurt? Cut at D6, I guess. And you?
            My friend plays D6
            I would not extend to D6
            The cut at D6 worries me
            You could cut at D6
            After F4 I have no choice but D6
            G5 was good. D6
        asks E6
            E6 (a bit risky maybe)
            E6 (no, D6)
        asks block
            I don't want to play with Bob any more
            please don't let him invite me again
            stop forwarding his messages to me
            report Bob
            how do I report abuse
            flag this player for cheating
            I think Bob is using an AI, who can I complain to?
            Bob's cheating!
            He's clearly using KataGo.
            who is the admin?
            I need to talk to a real person
            this guy keeps insulting me
            She is being rude to me, can you ban her?
            I would like to make a complaint about my opponent.
        asks describe
            i dont understand your email
        asks emails my-turn everywhere
            I only want an email when it's my turn
            Too many of these messages. Could you only write when it's actually my turn?
        asks forget me
            I request that you erase all personal data relating to me.
        asks name Małgorzata
            my name is spelt Małgorzata, can you change it pls
        asks pass
            I don't see anything worth taking. I'll let my turn go by.
            put it in the same place as last time but one line to the right
            my move is the star point on the right side
            the star point bottom middle
            I will play F5 next
            Nothing is left, so I will not pass
        asks players/challenges
            I'd like to play on with someone a bit weaker than Bob. Do you know anybody?
            Is anybody free to play? I'm about 12 kyu
            can you recommend an opponent of my strength
        asks public/watch
            Can my nephew follow this game? He is sam@example.com
        asks rating/players
            out of curiosity what is my rating now
        asks resign
            I lost the game, didn't I
            I have lost
        asks say I'll be late
            Tell Bob that I'll be late
        asks say my answer comes on Sunday
            please tell Bob my answer comes on Sunday
        asks vacation 2 weeks
            Do I lose if I don't answer over the holidays?
            Can I lose on time?
            Can the game end without me?
            what if i forget to answer
            what happens when I never reply
            Is my game over when I don't move in time?
            I need more time
        answered Bob/me/note
            He always takes ages
            he plays far too fast, it must be a computer
            she never answers
            I think he is going to lose
            Don't pass on the following: I'm lost
            Not for Bob: which rules do we play?
            no need to tell him, but I am losing
            This is just for me: watch the left side
            only for me: keep an eye on the corner
            psst: I have no clue
            thank you godaemon
            godaemon, are you there?
        answered emails
            The picture is dark on dark, I can't see anything in dark mode
            this is the third time I get the same mail, is your server broken?
            the images do not load
            je ne vois pas le plateau
            盤が見えません
            No veo el tablero
            Ich sehe keine Bilder
        answered to pass
            Hi Bob,⏎how do I pass?
        answered password
            my password doesn't work
            is it free?
            do I need to register?
        answered emails
            pictures do not show in my mail program
        answered Bob
            Is Bob a bot?
        answered below its board
            are we playing chinese or japanese rules?
        asks say I'm fine
            Tell him I'm fine
        asks resign
            まけました
        answered somebody/back
            FYI @Tom see below, this is the game I told you about
            Mum, can you look at this and tell me where to play?
            Papa, schau mal, was meinst du?
            Can you delete what I wrote to Bob?
            Please delete my last message
        asks export
            what data do you store about me?
            Which information do you have about me?
        asks show
            Wie viel Zeit habe ich noch?
            ¿De quién es el turno?
            Wer ist am Zug?
            Combien de temps me reste-t-il ?
        asks sgf
            send me the game so far for CGoban please
            email me the game
            mail me the record of our game
            Wud you mind letting me have the game so far as a file, for my son
            Please, can you send me the game like a file?
        asks show
            could you please resend the last email, I deleted it
            please send me the last email again
            resend please
            I lost your last email
            I deleted your last mail by accident
            My cat deleted your message
            can I have more time please
            we need extra time
            give Bob three more days
        asks vacation for ten days from Monday
            We go on vacation for ten days from Monday. Will my clock stop?
        asks timezone Central
            Just moved, so all is an hour off. Set me to Central please.
        passed
            My brother says hello, he plays too
            How is Tom? Is he better?
            The picture you sent is beautiful
            Thank you for the reminder about the club evening
            I lost my time table, what time is the meeting you told me about?
            We watched a film, she was great in it
            My plan was good, yours was better
            Are you online tonight?
            Bob, how do I pass?
            Bob, I changed my number: 0171 5552368. Call me at 8!
            It takes 2h
            Move on, please.
            First 5k run today
            I have nothing to complain about
            Who runs faster?
            Can you help me move house on Saturday?
            who hosts the European Go Congress
            Haha, that's cheating!
            He used KataGo to review our last game
            my son is a doctor and she says he was bullied
            I warned him
            Where do you work as an administrator?
            I talk to the moderator of the club
            My brother runs this place
            They caught him cheating in an exam
            Are you using an engine?
            You are cheating, aren't you? ;)
            I was reviewing with KataGo last night
            Complaints about my play are welcome!
            who is in charge of the corner now?
            My boss is spamming me with work
            That move was nasty!
            I have to complain of a cold
            I see seven ships from here
            Bob, I'm not resigning, whatever you think
            Do you speak German?
            I wrote a letter in French once
            My wife speaks German to the children
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
            Bob, I made your mother's meatloaf recipe. Tell her she's a legend.
            My sister likes to look at our game. It is pilar@example.org
            You only write when it's my move ;)
            I only write when it's my turn to cook
            How many pieces of cake did Anna eat?
            I see seven.
            none
            Ko!
            Your move at C3 was really nasty!
            C3 was good!
            My F4 is dead, and I believe your G5 is dead
            I will start with the dishes and then think.
            I follow your games with joy
            I connect to the internet at work only
            Hi Bob, did you get my last move? I haven't heard from you all week.
            Bob, shall I bring my own board on Thursday?
            My son is 14 and plays too
            I'll be at gate B 12 tomorrow
        """,
    "theirs": """
        acts UndoAsked
            Zug zurück bitte
            Puis-je reprendre mon coup ?
            ¿Puedo deshacer la jugada?
            Mag ik mijn zet terugnemen?
        answered show
            Could you give Bob a little nudge please?
            I didn't get any mail before this one. Could you show me where we are?
            Has Bob moved yet?
            What is taking him so long? It's been a week.
            I thought it was Bob's turn?
            Can you remind Bob?
        answered undo
            Oh no I meant C6 not D6! Can I change it?
        answered cannot take it back
            never mind my last mail
        asks receipts off
            I don't need these confirmations
            Please don't confirm my moves
            No more receipts please
            Would you please stop acknowledging my moves
        answered not your turn
            H9
            Same here. Pass, and thank you for this
        answered below the board
            how long does he have
            how much longer can he take?
            how much time does my opponent have left
            who has captured more stones?
            when is her time up?
        asks cancel ifs
            Please forget what I told you about answering at H2
            Forget the automatic answer I gave you, I'd rather decide.
        asks cancel/resign
            I want to stop
        asks emails all everywhere
            You can start sending me all the messages again
        asks resign
            I quit. This is no fun any more, I'm sorry to say.
        asks emails my-turn everywhere
            I don't want to get an email when it's not my move. Just when I have to do something pls
            send me mail only when it's my move
            please don't email me till it's actually my go
        asks help
            What can I actually ask you to do? Is there a list somewhere?
        asks show
            Is Bob still alive? Haven't had a move since last Thursday.
            did he play already?
            when will she have to move by
            please give him three more days
            Is there any way you could give him a little nudge?
        asks stop
            I want to stop
        asks undo
            Mein Zug war falsch, ich meinte E4! Kann Bob das noch erlauben?
            Is there any way to have my previous move back?
        asks vacation from 3 to 12 June
            I am in hospital from 3 to 12 of June. Please make holiday for me in this time.
        passed
            Thanks for confirming!
            I quit smoking last week and feel great about it, you should try.
            I need your confirmation for dinner
            Your C3 is in trouble
            I will start with dinner now
        """,
    "count": """
        asks resume
            Then we don't agree. How do we settle that?
            Then who is right?
            Let us play on, you will see.
        acts Agreed
            looks right to me, done
            fine with me. done.
            The score is right, I'm done
        acts Marked dead C3
            dead C3. Sorry!
        acts Resumed
            continue the game
            let us continue playing
            Let's play on
            I want to keep playing
            I'd rather continue playing
            lets play it out
        asks alive H8
            That is not correct, H8 cannot be captured
            H8 dead? no way
            How can H8 be dead?
            Why should H8 be dead?
        asks dead C3
            isn't C3 dead?
        asks dead C3
            C3 is dead, don't you think?
        asks resume
            then let's keep playing, I'll show you that H8 lives!
        asks dead H8 C3
            The black one at H8 is dead and my own at C3 as well. That's all.
        asks dead C3 H8
            The stone at C3 is dead, and so is my stone at H8
        asks done
            everything is alive
            all alive
            nothing is dead
            No dead stones on the board
            none of my stones are dead
            done, but are you sure about H7?
            dead stones: none
            none
            dead: none
        passed
            Bob, that was the tightest one yet. I was sweating!
            omg that was close, my heart goes
        """,
    "agreed": """
        acts Agreed
            Je suis d'accord, merci. Belle partie Bob, bravo !
            Das stimmt so.
            I agree with Bob.
            Done from my side as well
            yep same here done
            Okay for me also, thank you for the nice game.
        """,
    "over": """
        asks forget me
            Please wipe my account and everything you've got on me.
            Please close my account and remove my details, thank you.
        asks history
            I'd like to see the game again move by move
        asks players/challenges
            I want to play somebody else
            who else could I play
            I have nobody to play with. Can you find somebody for me?
        asks new 9x9 vs carol@players.example
            Neues Spiel 9x9 gegen carol@players.example bitte
            nueva partida 9x9 contra carol@players.example
            Nieuw spel 9x9 tegen carol@players.example
        asks new 13x13 vs carol@players.example
            13x13 carol@players.example
            je voudrais jouer une partie 13x13 avec carol@players.example
        answered brother@example.org
            new game with my brother
        asks rematch handicap 2 as black
            Once more, but give me 2 stones
        asks rating
            did my rating go down after that disaster
        asks rematch 13x13
            again, on 13x13 this time
            one more on 13x13?
        asks rematch
            another one please
            I did not want to say done. Can we go back to the counting?
            Can you count it again?
            please reopen the game
            I think the count is wrong
            Wait, I did not mean to resign!
            Let me play against Bob again
            Could we return to the counting please?
            new game
        asks rematch as white
            Again? This time I'd like to take white
            Return match, but I take white
        asks review
            Please analyse the game
            analyse please
            where did i go wrong
            where was my mistake
            show me my mistakes
            what could I have done better
            what was my worst move
            which move lost the game?
            what should I have played instead
        asks sgf
            can you send me the game record so i can look over it on my break
            Can I have a copy of the game to keep?
        asks stop
            I don't want any more emails from this thing please. It was fun!
            Please delete this game
        passed
            Don't be sad Bob, you had a bad day. Next time you win, and greet Helga from me!
            I never count on luck again
            I will count my blessings again
            Let us go back to our old café some day
            I must go back to counting sheep now
            I hope the wedding goes well, Bob. Don't let them make you dance.
            how long have we known each other?
            I lost my way in the middle game
            what a game, all my groups alive at the end!
            let's continue
            Again I took white and lost
            Carol and I played 13x13 yesterday
            my brother has a new game
            Next week I play in Paris with my daughter
            Once more I was too greedy
        passed rematch
            Would Bob perhaps like to play another one?
            Thanks! Shall we play again?
            That was fun! One more game, Bob?
            Shall we have another round next month?
            Thank you Bob! Another one next week?
            Let's have another game soon!
            Return match?
            Nochmal?
        shown
            who won
            How was it counted?
            what was the final score
            how much did I win by
            did white win
        """,
    "undo": """
        acts Undone
            Passt schon
            Kein Problem!
            That's fine
            no problem
            sure, he may
            ok, take it back, but only this once
            Bob, you may take it back
            never mind, take it back
            Sure Bob, take that back
            Of course you can take your move back
        asks no
            I'm so sorry Bob but I'd rather you didn't.
            nope u touched it u play it
            I'd leave it as it is and play E6.
        asks yes
            what did he want to undo?
            Why does he want to take it back?
            I take it back
            please take it back
            nobody may take it back
            undo
            Maybe, take it back
        asks yes/no
            Va bene, se mi dice dove voleva giocare :)
            D'accord, si vous me dites pourquoi
            I'd rather not, but let me think about it until tonight.
            Do I have to?
            What happens if I say no?
            Again?! That's the third time. OK but this is the last one and I mean it
            Again?? That's the third time Bob! Fine. But this is the last one
            Which move is it he'd be taking back? Mine stays where it is, doesn't it?
            By all means, but then I hope he'll be as generous when I blunder.
            touch-move in my house, Bob
        """,
    "void": """
        acts Voided
            yes
            Yes, that's fine.
            Sure, no hard feelings. Get well soon Bob!
            D'accord, annulez la partie.
            no
            What? No! I'm winning!
            No, I'd like to finish it.
        asks void
            I agree that the game doesn't count, no winner.
            I'd rather continue, but if Bob really has no time then all right.
        answered not your turn
            No. My move is D5.
        """,
    "passed": """
        acts Passed
            je passe aussi
            I pass as well
            Ok, I pass as well then. Good game Bob!
        asks pass
            me too
            Same here, I think we are finished
            I'm done too
            ok
            moi aussi
            Einverstanden, zählen wir
            I agree, nothing left
            so do I
            Fine, let's count
        passed
            ok, I think I still have a move in the corner, give me a day
            Nice game so far Bob!
        """,
    "reminded": """
        asks vacation 2 weeks
            Stop nagging me, I know
            Thanks for the reminder
            Don't end the game, I'm still here!!
            I know, I know! I'll answer tomorrow
            Please don't warn me so early
        passed
            Bob, sorry for the delay, I was ill
            What a summer we are having
        """,
    "ko": """
        answered repeat/earlier
            Why am I not allowed to retake at E4?
            why can't I take back at E4?
        asks pass
            takes E4
        """,
}
"""By situation: what is to come of some sentences, and below that the sentences."""


def _cases() -> list[tuple[str, str, str]]:
    """Each sentence with its situation, and with what is to come of it there."""
    found, wanted = list[tuple[str, str, str]](), ""
    for situation, said in SAID.items():
        for line in dedent(said).strip().splitlines():
            if line.startswith(" "):
                found.append((situation, wanted, line.strip()))
            else:
                wanted = line
    return found


@pytest.fixture(scope="module")
def situations() -> dict[str, Situation]:
    """Each situation, prepared once."""
    return {name: Situation(name) for name in SAID}


@pytest.mark.parametrize(("situation", "wanted", "text"), _cases())
def test_a_sentence_at_its_moment(
    situations: dict[str, Situation], situation: str, wanted: str, text: str
) -> None:
    """It comes to what its writer would be glad of."""
    way, _, what = wanted.partition(" ")
    cell = judge(situations[situation], Phrase("", "", text), [Wanted(way, what)])
    assert cell.fault == "", cell


@pytest.mark.parametrize(
    ("situation", "text"),
    [
        ("mine", "C3 was good. D6"),
        ("mine", "should I play D6 or E3?"),
        ("mine", "what is a dead stone, and how do I mark one?"),
        ("theirs", "how do I pass?"),
        ("theirs", "D6 thanks!"),
        ("count", "who won?"),
        ("count", "are we done?"),
        ("count", "how do I mark dead stones?"),
        ("count", "I am unsure what to do"),
        ("ko", "I wonder about E4 and A1"),
        ("undo", "what did he want to undo?"),
    ],
)
def test_what_is_offered_works(situations: dict[str, Situation], situation: str, text: str) -> None:
    """No line is offered that the game would refuse at that moment."""
    at = situations[situation]
    offered = re.findall(r"^ *- Reply with: (.+)$", at.say(text).emails[-1].text, re.MULTILINE)
    answers = {line: [one.due.notice for one in at.say(line).emails] for line in offered}
    refused = [line for line in answers for one in answers[line] if one.kind is Kind.REFUSED]
    assert refused == []


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


@pytest.mark.parametrize("said", ["D4, or not", "D4?", "D4 maybe", "D4 I think, or rather not"])
def test_a_point_with_a_stone_on_it_that_begins_like_a_move(said: str) -> None:
    """It is asked back as any other half move, and not shown to the opponent as talk."""
    gateway = Gateway()
    alice, bob = gateway.person("Alice"), gateway.person("Bob")
    gateway.start(alice, bob, "9x9 as black")
    gateway.play(alice, bob, "D4 E5")
    read = len(bob.letters())
    assert alice.reply(said).event == "refused"
    assert len(bob.letters()) == read


@pytest.mark.parametrize("text", ["who won?", "are we done?", "How do I mark dead stones?"])
def test_no_example_is_offered_that_would_be_refused(
    situations: dict[str, Situation], text: str
) -> None:
    """While the score is counted nobody passes, and nobody marks a point without a stone."""
    outcome = situations["count"].say(text)
    clicks = [click for one in outcome.emails for click in one.clicks]
    assert clicks
    refused = [one.body for one in clicks if not situations["count"].works(one, outcome._after)]
    assert refused == []


def test_who_is_invited_learns_by_whom(situations: dict[str, Situation]) -> None:
    """Where they ask who writes to them."""
    [email] = situations["invited"].say("who is this?").emails
    assert "Bob has asked me to invite you to this game." in email.text


def test_words_beside_a_confirmation_are_not_lost_in_silence(
    situations: dict[str, Situation],
) -> None:
    """The invitation goes out, and who sent it learns that the words did not."""
    emails = situations["confirm"].say("Yes, and tell Bob hello from Alice").emails
    assert any("I have not passed your words on" in one.text for one in emails)
    assert len(situations["confirm"].say("Yes, that was me. Thanks!").emails) == 1


@pytest.mark.parametrize(
    "line", ["Same here. Pass, and thank you for this", "Next I'll play H9", "H9"]
)
def test_a_refused_line_is_quoted_as_it_was_written(
    situations: dict[str, Situation], line: str
) -> None:
    """And not the one word in it that was meant for us."""
    [email] = situations["theirs"].say(line).emails
    assert email.due.notice.about["lines"] == [line]


@pytest.mark.parametrize(
    ("situation", "text", "offered"),
    [
        ("mine", "In the very middle of the board, please", "E5"),
        ("mine", "One point above your last stone", "C4"),
        ("mine", "bee seven please", "B7"),
        ("mine", "I'll sit this turn out", "pass"),
        ("mine", "Salto el turno", "pass"),
        ("mine", "Bob has won, well done to him", "resign"),
        ("mine", "Tell him that G5 was nasty of him", "say G5 was nasty of him"),
        ("mine", "Is it legal to play beside two stones, and if so, can I be captured?", "learn"),
        ("mine", "quanto tempo ho ancora io?", "show"),
        ("count", "What do you think, which are dead?", "propose"),
        ("reminded", "Any chance of an extension of four days?", "vacation 2 weeks"),
        ("undo", "vale, pero es la última vez", "yes"),
        ("undo", "Only this once then. But next time I want mine back, tell him", "yes"),
        ("mine", "I wold like to put it on E sevven", "E7"),
        ("mine", "Five letters from you in one day!", "digest at 20"),
        ("mine", "Ich warte schon lange auf Bob. Spielt er heute noch?", "show"),
        ("mine", "Ставлю на Е5, привет всем!", "E5"),
        ("theirs", "Sorry, F6 was the cat's move. May it go somewhere else?", "undo"),
        ("theirs", "I cannot find your last mail. Whose move is it?", "show"),
        ("count", "H8 is anything but dead, I'd rather carry on playing.", "resume"),
    ],
)
def test_a_sentence_for_us_is_kept_and_answered_with_a_line(
    situation: str, text: str, offered: str
) -> None:
    """Nobody else is told, and one click does what may be meant."""
    cell = judge(Situation(situation), Phrase("", "", text), [Wanted("asks", offered)])
    assert cell.fault == "", cell


@pytest.mark.parametrize(
    ("situation", "text", "done"),
    [
        ("undo", "haha no", "UndoRefused"),
        ("undo", "Auf keinen Fall", "UndoRefused"),
        ("undo", "Na gut", "Undone"),
        ("agreed", "Spot on!", "Agreed"),
        ("agreed", "De acuerdo con todo", "Agreed"),
        ("invited", "Dear Bob, I gladly accept your challenge. I only play after tea.", "Started"),
        ("confirm", "Yep, that's the one", "Confirmed"),
        ("confirm", "Yes. Could you please send it to him?", "Confirmed"),
        ("invited", "Let's forget it", "Declined"),
        ("invited", "お引き受けします。", "Started"),
        ("undo", "恕不能同意", "UndoRefused"),
    ],
)
def test_an_answer_in_many_words(situation: str, text: str, done: str) -> None:
    """A yes and a no are known by their sense."""
    assert done in Situation(situation).say(text).events[0]


def test_bug_a_yes_with_a_condition_ended_a_game() -> None:
    """`provided that` takes half of a yes back, as `if` does."""
    assert not Situation("void").say("OK, provided we start another at once").events


@pytest.mark.parametrize(
    "text",
    [
        "Merci de m'oublier. Ne m'envoyez plus de messages.",
        "Schreiben Sie mir bitte nicht mehr!",
        "UNSUBSCRIBE ME. This is outrageous.",
    ],
)
def test_who_wants_no_more_emails_is_told_how(text: str) -> None:
    """In other languages, too; anybody could have written it, so a reply is asked for."""
    gateway = Gateway()
    anna = gateway.person("Anna")
    anna.write(text)
    assert "reply to this email with: `stop`" in anna.newest().notice.about["news"]


def test_a_lawyer_s_words_ask_to_be_forgotten() -> None:
    """As the regulation has them."""
    gateway = Gateway()
    anna = gateway.person("Anna")
    anna.write("Dear Sirs,\n\nI hereby request the deletion of all my personal data.\n\nA. Lee")
    assert anna.newest().notice.kind is Kind.FORGET


@pytest.mark.parametrize(
    "said",
    [
        "D6\nIf he goes E8 I go D8.\nIf he goes D8 then I go E8.",
        "D6, then if he goes E8 I want D8, and if he goes D8 I want E8",
    ],
)
def test_plans_behind_a_move_are_offered_one_by_one(said: str) -> None:
    """Each sentence, or part of one, that is a plan."""
    (told,) = (one.due.notice for one in Situation("mine").say(said).emails)
    assert told.kind is Kind.MOVED
    assert told.about["aside"]["hints"] == ["if E8 then D8", "if D8 then E8"]


def test_the_move_before_plans_is_offered_and_none_of_theirs() -> None:
    """A point of a plan is no move of now."""
    said = "D6 and then if he goes E8 I want D8, and if he goes D8 I want E8"
    (told,) = (one.due.notice for one in Situation("mine").say(said).emails)
    assert told.about["hints"] == ["D6", "if E8 then D8", "if D8 then E8"]


@pytest.mark.parametrize(
    ("said", "point"),
    [
        ("directly below my last stone", "F5"),
        ("One to the right of my last stone.", "G6"),
        ("left of your last stone", "B3"),
    ],
)
def test_a_place_beside_the_last_stone_is_offered_as_its_point(said: str, point: str) -> None:
    """A line alone does not know where that stone is; the game does."""
    house = Gateway()
    anna, bob = house.person("Anna"), house.person("Bob")
    house.start(anna, bob)
    house.play(anna, bob, "D4 F6 C3")
    bob.reply(said)
    house.send()
    assert bob.newest().notice.about["hints"] == [point]
    assert not house.game().chat
