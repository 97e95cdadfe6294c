"""Every verb of the players' language as one table, from which the help letter is made too.

Pure; raises nothing itself. `parser` tells command lines from words, and `arguments` reads what
follows a verb.
"""

from __future__ import annotations

from dataclasses import dataclass

from godaemon.games import commands as cmd
from mailgate.language.arguments import (
    GAME,
    Reader,
    alone,
    choice,
    numbered,
    read_block,
    read_boards,
    read_counter,
    read_digest,
    read_emails,
    read_estimate,
    read_help,
    read_i_am,
    read_if,
    read_kifu,
    read_marks,
    read_name,
    read_new,
    read_note,
    read_place,
    read_plain,
    read_relocate,
    read_rematch,
    read_review,
    read_say,
    read_show,
    read_stop,
    read_switch,
    read_timezone,
    read_try,
    read_watch,
    read_watching,
    read_weekends,
)
from mailgate.language.board_questions import read_question
from mailgate.language.learning import read_learn
from mailgate.language.new_game import EXAMPLE
from mailgate.language.translations import lines, translations
from mailgate.language.vacations import read_vacation
from mailgate.language.written_moves import normalize, read_move


@dataclass(frozen=True, slots=True)
class Verb:
    """One verb: how it is written, what it does, when it fails, how its arguments are read.

    `synonyms` are whole lines that mean the verb alone, `translations` the same in other languages.
    `read` takes what follows the verb and gives None where that is no argument of it.
    """

    verb: str
    arguments: str
    help: str
    fails: str
    examples: tuple[str, ...]
    read: Reader
    synonyms: tuple[str, ...] = ()
    translations: tuple[str, ...] = ()
    verbs: tuple[str, ...] = ()
    """Other words that may stand for the verb before its arguments."""


_UNSURE = "you answer no email of mine, so that anybody could have written it"
"""When what holds in all games is not done."""

TABLE: tuple[Verb, ...] = (
    Verb(
        "move",
        "POINT",
        "Plays a stone; the point alone on a line is enough.",
        "not your turn; the point is taken, off the board, suicide or ko",
        ("D4", "play Q16"),
        read_move,
        verbs=("play",),
    ),
    Verb(
        "place",
        "POINT POINT ... | stars",
        "Places all of Black's handicap stones, by rules that let Black choose where.",
        "no handicap stones are due; there are more points, or fewer, than stones",
        ("place D4 Q16 C10", "place stars"),
        read_place,
    ),
    Verb(
        "pass",
        "",
        "Plays no stone; passes in a row stop play, and the score is counted.",
        "not your turn",
        ("pass",),
        alone(cmd.Pass()),
        synonyms=lines(
            "i pass / i'll pass / i will pass / i shall pass / i pass too / i hereby pass"
            " / i'll pass this turn / i pass this turn / play pass / black pass / white pass"
            " / black passes / white passes"
        ),
        translations=translations("pass"),
    ),
    Verb(
        "undo",
        "",
        "Asks your opponent whether you may take your last move back; they answer yes or no, and"
        " whoever moves instead lets it stand. A program always agrees.",
        "your opponent has moved since; the score is being counted",
        ("undo",),
        alone(cmd.Undo()),
        synonyms=lines(
            "take back / takeback / undo move / undo my move / undo my last move / undo last move"
            " / undo the last move / take back my move / take my move back / take back my last move"
            " / take my last move back / cancel my move"
        ),
        translations=translations("undo"),
    ),
    Verb(
        "if",
        "POINT then POINT[, if POINT then POINT ...]",
        "Plans your answer for when your opponent has made that move (any: for every other move)."
        " It is played at once then; until then nobody else sees it. More lines are more branches;"
        " if alone shows your plans.",
        "it is your own move; a move of the line could not be played; two branches differ",
        ("if D4 then E5", "if D4 then E5, if any then pass", "if"),
        read_if,
        synonyms=lines("ifs / show ifs / my ifs / my plans / show plans / plans"),
    ),
    Verb(
        "cancel ifs",
        "",
        "Forgets all that you have planned.",
        "never",
        ("cancel ifs",),
        alone(cmd.CancelIfs()),
        synonyms=lines("cancel if / forget ifs / forget my ifs / cancel plans / cancel my plans"),
    ),
    Verb(
        "resign",
        "",
        "Gives the game up. While your opponent is to move I ask once whether you mean it.",
        "the game is over",
        ("resign",),
        alone(cmd.Resign()),
        synonyms=lines(
            "i resign / gg, i resign / gg i resign / i'm resigning / i am resigning / black resigns"
            " / white resigns / black resign / white resign"
        ),
        translations=translations("resign"),
    ),
    Verb(
        "dead",
        "POINT ... [only | joined | all]",
        "Marks groups dead when play has stopped: one stone of each is enough.",
        "the score is not being counted; the point is empty; the stones can never be taken",
        ("dead Q16 C3", "dead C3 only"),
        read_marks(dead=True),
    ),
    Verb(
        "alive",
        "POINT ... [only | joined | all]",
        "Marks groups alive again.",
        "the score is not being counted; the point is empty",
        ("alive Q16", "alive C3"),
        read_marks(dead=False),
        verbs=("live",),
    ),
    Verb(
        "done",
        "",
        "Agrees to the score as the last email showed it; the game ends when both have.",
        "the score is not being counted; a mark has changed since",
        ("done",),
        alone(cmd.Done()),
        synonyms=lines(
            "agree / i agree / agreed / i'm done / im done / i am done / all agreed / all done"
            " / we are done"
        ),
        translations=translations("done"),
    ),
    Verb(
        "propose",
        "",
        "Sends my opinion on which stones are dead, with the lines to send, and asks where I am not"
        " sure; nothing is marked.",
        "the score is not being counted",
        ("propose",),
        read_estimate,
        synonyms=lines(
            "propose dead stones / propose dead / propose marks / suggest / which stones are dead"
            " / which stones are dead? / what is dead?"
        ),
    ),
    Verb(
        "resume",
        "",
        "Goes from counting back to playing.",
        "the score is not being counted",
        ("resume",),
        alone(cmd.Resume()),
        synonyms=lines("continue / play on / keep playing / resume play / dispute / disagree"),
        translations=translations("resume"),
    ),
    Verb(
        "void",
        "",
        "Ends the game without a result, if your opponent says so too.",
        "the game is not going on; your opponent is a program, and no position has come for the"
        " third time",
        ("void",),
        alone(cmd.Void()),
        synonyms=lines("no result / no game / void game / void the game / void this game"),
    ),
    Verb(
        "public",
        "",
        "Lets others watch the game, if your opponent says so too: they see the board and your"
        " names, and no words, notes or plans. As a term of new it holds from the start.",
        "the game is not going on; your opponent would rather not be watched",
        ("public",),
        alone(cmd.Public()),
        synonyms=lines(
            "make public / make it public / make this public / make this game public"
            " / make the game public / public on / private off / go public / public game"
            " / let others watch / let people watch / let anybody watch / let anyone watch"
            " / let everybody watch / let everyone watch / let my friend watch / allow spectators"
            " / allow observers / invite observers / spectators welcome / spectators on"
            " / others may watch / others can watch / open to spectators"
        ),
    ),
    Verb(
        "private",
        "",
        "Lets nobody watch the game any more, at once.",
        "the game is not going on",
        ("private",),
        alone(cmd.Public(wanted=False)),
        synonyms=lines(
            "make private / make it private / make this private / make this game private"
            " / make the game private / public off / private on / not public / private game"
            " / no spectators / no observers / no watchers / spectators off / nobody may watch"
            " / stop spectators / keep it private / keep the game private"
        ),
    ),
    Verb(
        "watch",
        "[GAME [daily] | PLAYER]",
        "Sends a public game of others, and from then on what is played in it; daily: one email a"
        " day. Alone, it lists the games that you may watch.",
        "there is no such public game; you play it; you watch ten games already",
        ("watch 34", "watch 34 daily", "watch Margaret", "watch"),
        read_watch,
        synonyms=lines(
            "public games / list public games / show public games / show me public games"
            " / games to watch / list games to watch / which games can i watch?"
            " / which games can i watch / what can i watch / what can i watch?"
        ),
        verbs=("observe", "follow", "spectate", "kibitz"),
    ),
    Verb(
        "unwatch",
        "[GAME]",
        "Sends no more of a game that you watch; without a number, of any.",
        "never",
        ("unwatch 34", "unwatch"),
        lambda rest: read_watching(f"unwatch {rest}".strip()),
        verbs=("unfollow",),
    ),
    Verb(
        "say",
        "WORDS",
        "Passes the words on to your opponent, even where they look like a command.",
        "there are no words",
        ("say good luck!",),
        read_say,
    ),
    Verb(
        "note",
        "WORDS",
        "Keeps the words, and all below them, for yourself alone: in your history and your record.",
        "there are no words; the game has not started",
        ("note attack the left side",),
        read_note(hidden=False),
        verbs=("notes", "memo"),
    ),
    Verb(
        "hidden",
        "WORDS",
        "Keeps the words, and all below them, until the game is over; then both of you see them.",
        "there are no words; the game has not started",
        ("hidden I think I am losing",),
        read_note(hidden=True),
    ),
    Verb(
        "history",
        "[PAGE]",
        "Sends the list of the moves, with what was said at each, and your notes.",
        "the game has not started",
        ("history", "history 1"),
        numbered(cmd.History, "(?:page )?", digits=3),
        synonyms=lines("moves / all moves / list moves / move list / show history"),
    ),
    Verb(
        "try",
        "POINT POINT ...",
        "Sends the board as it would be after these moves, by turns; nothing is played, and nobody"
        " is told.",
        "a move could not be played; the game has not started",
        ("try D4 E5 C3",),
        read_try,
    ),
    Verb(
        "branch",
        "[MOVE]",
        "Begins a teaching game from here, or from after that move: you play both colours.",
        "there is no such move; the game has not started",
        ("branch", "branch 34"),
        numbered(cmd.Branch, "(?:(?:at|from|after) )?(?:move )?", digits=4),
    ),
    Verb(
        "score",
        "",
        "Sends an estimate of who is ahead, in games against a program or agreed on with estimates"
        " (new 9x9 estimates vs Bob); your opponent's next email says so. When play has stopped it"
        " sends the count.",
        "your game was not agreed on with estimates; a side of the board has less than 7 lines, or"
        " more than 19",
        ("score",),
        alone(cmd.AskScore()),
        synonyms=lines("estimate / who is ahead? / what's the score? / how am I doing?"),
    ),
    Verb(
        "show",
        "[MOVE | game GAME]",
        "Sends the board, as it is or as it stood after a move.",
        "there is no such game of yours, or no such move",
        ("show", "show 34", "show game 12"),
        read_show,
        synonyms=lines("board / status / position"),
    ),
    Verb(
        "describe",
        "[game GAME] [near POINT | group POINT | row NUMBER | column LETTER]",
        "Sends the board in words, to be read aloud; or only a point's surroundings (near D4), a"
        " group (group D4), a row (row 5) or a column (column D).",
        "there is no such game of yours; the board has no such point",
        ("describe", "near D4", "group D4", "row 5", "column D", "describe game 12"),
        lambda rest: read_question(f"describe {rest}".strip()),
        synonyms=lines("in words / board in words / show in words"),
    ),
    Verb(
        "sgf",
        "[GAME]",
        "Sends the record, as SGF.",
        "there is no such game of yours",
        ("sgf",),
        numbered(cmd.Sgf, GAME),
        synonyms=lines("record"),
    ),
    Verb(
        "kifu",
        "[FIRST-LAST] [game GAME]",
        "Sends a picture of the game, or of some of its moves, each with its number.",
        "there is no such game of yours, or no such move",
        ("kifu", "kifu 1-100"),
        read_kifu,
        verbs=("picture", "diagram"),
    ),
    Verb(
        "review",
        "[GAME]",
        "Sends a look back on a game that is over: the moves that lost most, and what was better.",
        "the game is still going on; the board has a side of less than 7 lines, or more than 19",
        ("review",),
        read_review,
        synonyms=lines("review game / review the game / review this game / review my game"),
    ),
    Verb(
        "gui",
        "[off]",
        "Sends what a Go program needs to play for you; off locks it out again.",
        "the game has not started, or is over",
        ("gui", "gui off"),
        choice({"": cmd.Gui(on=True), "off": cmd.Gui(on=False)}),
        synonyms=lines("gui on / gtp"),
    ),
    Verb(
        "games",
        "",
        "Lists your games: those that wait for you first, each with its board. One reply may answer"
        " them all, one line each: `34: D4`.",
        "never",
        ("games",),
        alone(cmd.Games()),
        synonyms=lines("list / my games / list games / show games"),
        translations=translations("games"),
    ),
    Verb(
        "new",
        "[WxH] [komi K] [handicap N] [rules NAME] [TIME] [as black|white|nigiri] [rated]"
        " [estimates] [public] vs ADDRESS|NAME|PROGRAM | open [rank FROM-TO]",
        "Proposes a game; the words may come in any order. TIME is what each of you has, such as"
        " 3 days per move. Who has played with you, or is on the list of players, is known by name;"
        " open, in place of vs, offers the game to anybody who plays here. What is rated counts for"
        " the ratings of both; with estimates both may ask for the score. Where the record of a"
        " game (SGF) is attached, the new one goes on from its end.",
        "a word is not understood; nobody, or more than one, has that name; the record cannot be"
        " played on; you have sent too many invitations; rated: against yourself or a program, from"
        " a position, or on a board that has not 9 to 19 lines a side",
        (
            *("new 19x19 vs bob@example.org", EXAMPLE, "new 9x9 vs Bob"),
            "new 3 days per move vs Bob",
            "new 19x19 rated vs Bob",
            "new 13x13 open",
            "new 9x9 open rank 8k-5k",
        ),
        read_new,
        verbs=("challenge", "invite"),
    ),
    Verb(
        "challenges",
        "",
        "Lists the open challenges: games that you may take, and your own.",
        "there are no open challenges on this server",
        ("challenges",),
        alone(cmd.Challenges()),
        synonyms=lines(
            "open challenges / list challenges / show challenges / lobby / find me an opponent"
            " / find an opponent / find me a game / random opponent"
        ),
    ),
    Verb(
        "take",
        "NUMBER",
        "Takes an open challenge: the game begins at once, and the words below it go to the other"
        " player.",
        "there is no such challenge any more; it is your own; you have begun many games today",
        ("take 12",),
        numbered(cmd.Take, "(?:the )?(?:challenge |game )?"),
        verbs=("join",),
    ),
    Verb(
        "rematch",
        "[GAME] [TERMS]",
        "Proposes another game on the terms of one that is over, colours exchanged (with handicap"
        " stones they stay as they are), but for the terms that you name.",
        "the game is still going on; you have asked for it already",
        ("rematch", "rematch 13x13 as black"),
        read_rematch,
        synonyms=lines(
            "rematch? / a rematch / a rematch? / i want a rematch / i'd like a rematch / revanche"
            " / revenge / return match / play again / let's play again / another game / same again"
        ),
    ),
    Verb(
        "yes",
        "",
        "Says yes to what the email asked: confirms an email, accepts an invitation, or does the"
        " one thing that the email offers.",
        "nothing was asked: then it is for your opponent",
        ("yes", "accept"),
        alone(cmd.Yes()),
        synonyms=lines(
            "accept / i accept / accepted / ok / okay / sure / confirm / confirmed / yes please"
            " / yes, please / yes thanks / yes, thanks / yes thank you / ok thanks / i confirm"
            " / yep / yeah"
        ),
        translations=translations("yes"),
    ),
    Verb(
        "counter",
        "TERMS",
        "Answers an invitation with other terms, which the other player accepts, declines or"
        " answers in turn; what is not named stays as proposed.",
        "the game has begun; it is not for you to answer; the terms are the same",
        ("counter komi 0.5", "accept but unrated", "yes, but as white"),
        lambda rest: read_counter(f"counter {rest}"),
    ),
    Verb(
        "no",
        "",
        "Says no to what the email asked: declines an invitation.",
        "nothing was asked: then it is for your opponent",
        ("no", "decline"),
        alone(cmd.No()),
        synonyms=lines(
            "decline / i decline / no thanks / no, thanks / no thank you / reject / nope"
        ),
        translations=translations("no"),
    ),
    Verb(
        "withdraw",
        "",
        "Takes your own invitation back; cancels a game before both of you have moved, or later if"
        " your opponent says so too.",
        "the invitation is not yours; the game is over",
        ("withdraw", "cancel"),
        alone(cmd.Withdraw()),
        synonyms=lines(
            "i withdraw / withdraw invitation / cancel / cancel invitation / cancel game"
            " / cancel the game / cancel this game"
        ),
    ),
    Verb(
        "block",
        "[ADDRESS|NAME | all]",
        "Stops invitations from that player, or from another one; all: from anybody.",
        "you have met nobody of that name; it names nobody, and the email belongs to no game with"
        " another person",
        ("block", "block bob@example.org", "block all"),
        lambda rest: read_block(f"block {rest}".strip()),
        synonyms=lines("block them / stop inviting me"),
    ),
    Verb(
        "unblock",
        "[ADDRESS|NAME | all]",
        "Lets that player, another one, or anybody, invite you again.",
        "you have met nobody of that name; it names nobody, and the email belongs to no game with"
        " another person",
        ("unblock", "unblock all"),
        lambda rest: read_block(f"unblock {rest}".strip()),
    ),
    Verb(
        "move me to",
        "ADDRESS [everywhere]",
        "Has my emails about the game (or all your games) go to another address of yours.",
        "the game is over; the address is your opponent's; one of the two does not say yes",
        ("move me to bob@example.org", "move me to bob@example.org everywhere"),
        lambda rest: read_relocate(f"move me to {rest}"),
    ),
    Verb(
        "settings",
        "",
        "Shows which emails you get, with the replies that change it.",
        "never",
        ("settings",),
        alone(cmd.ShowSettings()),
        synonyms=lines(
            "my settings / show settings / options / preferences / email settings"
            " / settings everywhere / all settings"
        ),
    ),
    Verb(
        "emails",
        "all | my-turn | none [everywhere]",
        "Chooses your emails about this game, or all games; answers to what you write always come."
        " With none, clocks run all the same, and neither a reminder nor a result comes. For one"
        " email a day there is digest.",
        _UNSURE,
        ("emails my-turn", "emails none everywhere"),
        read_emails,
        verbs=("email",),
    ),
    Verb(
        "digest",
        "[at HOUR | off]",
        "Sends one email a day with all that awaits you, at an hour of your own; one reply answers"
        " it all. Invitations, questions and results still come at once.",
        _UNSURE,
        ("digest at 7", "digest off"),
        read_digest,
        synonyms=lines("daily digest / one digest a day / one email a day / digest please"),
    ),
    Verb(
        "vacation",
        "TIME | [from DAY] until DAY | from DAY for TIME | automatic [off]",
        "Stops your clocks in all games while you are away, for up to 30 days a year and in each"
        " game; you may play all the same. With automatic, a week of it begins by itself where your"
        " time would run out.",
        f"it is no time or day; fewer days are left; {_UNSURE}",
        (*("vacation 2 weeks", "vacation from 20 December to 6 January"), "vacation automatic"),
        read_vacation,
        verbs=("holiday", "holidays", "away"),
    ),
    Verb(
        "back",
        "",
        "Ends your vacation: your clocks go on.",
        _UNSURE,
        ("back",),
        alone(cmd.Vacation()),
        synonyms=lines("i am back / i'm back / back again / vacation off / end vacation"),
    ),
    Verb(
        "weekends",
        "off | on",
        "Stops your clocks in all games on Saturdays and Sundays, as your time zone has them (off),"
        " or lets them run (on).",
        _UNSURE,
        ("weekends off", "weekends on"),
        read_weekends,
        synonyms=lines("no weekends / weekends free / not on weekends / pause on weekends"),
        verbs=("weekend",),
    ),
    Verb(
        "timezone",
        "ZONE",
        "Sets your time zone, by region and city or by the city alone: that of all hours and days"
        " in my emails.",
        f"there is no such zone; {_UNSURE}",
        ("timezone Europe/Berlin", "timezone Tokyo"),
        read_timezone,
        verbs=("tz",),
    ),
    Verb(
        "name",
        "NAME | off",
        "Sets what you are called in games that begin from now on; off: as your emails say.",
        _UNSURE,
        ("name Margaret", "name off"),
        read_name,
    ),
    Verb(
        "i am",
        "RANK[, PLACE] | nobody",
        "Tells those whom you play what you say of yourself; your rank stands in the invitation, in"
        " the record (BR, WR), by it you may take challenges that are for some ranks, and your"
        " rating begins with it. nobody: nothing.",
        f"it is no rank from 30 kyu to 9 dan; {_UNSURE}",
        ("i am 5 kyu, Berlin", "i am 2d", "i am nobody"),
        lambda rest: read_i_am(f"i am {rest}"),
    ),
    Verb(
        "players",
        "[on | off]",
        "Tells your own rating, and lists those who have chosen to be on the list, by name, by what"
        " they say of themselves and with their ratings; on puts you there, and whoever reads it"
        " may invite you by that name, off takes you away.",
        f"on and off: {_UNSURE}",
        ("players", "players on", "players off"),
        choice({"": cmd.Players(), "on": cmd.Listed(wanted=True), "off": cmd.Listed(wanted=False)}),
        synonyms=lines(
            "list players / show players / who plays here / who plays here? / rating / rating?"
            " / my rating / my rating? / ratings / show ratings / show rating / show my rating"
            " / what's my rating / what's my rating? / what is my rating / what is my rating?"
            " / my rank / what's my rank / what's my rank? / what is my rank / what is my rank?"
            " / my elo / elo? / how strong am i / how strong am i? / what rank am i"
            " / what rank am i?"
        ),
    ),
    Verb(
        "export",
        "",
        "Sends all your games as one SGF file and, with every moment and your settings, as JSON.",
        _UNSURE,
        ("export",),
        alone(cmd.Export()),
        synonyms=lines("export my games / export all / download my games / my data"),
    ),
    Verb(
        "forget me",
        "",
        "Deletes all that I have of you, once you have said yes to one question that says what"
        " happens. Your games end; in those of others you are a former player from then on.",
        "you have asked often today, or were forgotten yesterday",
        ("forget me",),
        alone(cmd.Forget()),
        synonyms=lines(
            "forget all about me / forget everything about me / forget my data / delete me"
            " / delete my account / delete my data / delete all my data / erase me / erase my data"
            " / remove my account / remove my data / close my account"
        ),
    ),
    Verb(
        "plain",
        "[on | off]",
        "Chooses whether my emails are plain text alone, without any HTML.",
        _UNSURE,
        ("plain on", "plain off"),
        read_plain,
        synonyms=lines("plain text / plain text only / text only / no html"),
    ),
    Verb(
        "boards",
        "[signs | letters] [coordinates on | two | off]",
        "Chooses how boards look in my emails: whether text draws them with round signs or with"
        " letters, and whether coordinates stand on all sides, on two, or on none.",
        _UNSURE,
        ("boards signs", "boards coordinates two", "boards letters, coordinates on"),
        lambda rest: read_boards(f"boards {rest}"),
    ),
    Verb(
        "receipts",
        "on | off [everywhere]",
        "Chooses whether each of your accepted moves is acknowledged by an email.",
        _UNSURE,
        ("receipts off", "receipts on everywhere"),
        read_switch(cmd.Receipts),
    ),
    Verb(
        "reviews",
        "on | off [everywhere]",
        "Chooses whether a look back on a game comes unasked when it is over, as by review.",
        _UNSURE,
        ("reviews on everywhere", "reviews off"),
        read_switch(cmd.Reviews),
    ),
    Verb(
        "stop",
        "[all]",
        "Ends my emails about this game (all: about every game) until you say emails all;"
        " declines an invitation, and keeps others of that player from you.",
        _UNSURE,
        ("stop", "stop all"),
        lambda rest: read_stop(f"stop {rest}".strip()),
        translations=translations("stop"),
        verbs=("unsubscribe",),
    ),
    Verb(
        "send",
        "",
        "Passes on to your opponent the words that I last held back.",
        "no words of yours are held back",
        ("send",),
        alone(cmd.Send()),
        synonyms=lines("send it / send them / send these words / send it anyway / pass it on"),
    ),
    Verb(
        "help",
        "[all | WORD]",
        "Sends what is of use now; this whole list; or what there is to say of one word.",
        "never",
        ("help", "help all", "help komi"),
        read_help,
        synonyms=lines("? / commands / help me / info"),
        translations=translations("help"),
    ),
    Verb(
        "learn",
        "[1 | 2 | 3] [POINT]",
        "Teaches the rules of Go in three short emails, two of which ask for a move; the last one"
        " begins a first game. In reply to them the point alone is enough, or next.",
        "there is no such email: there are three",
        ("learn", "learn 2", "learn 1 D3"),
        lambda rest: read_learn(f"learn {rest}".strip()),
        synonyms=lines("teach me / teach me go / how do i play go? / what are the rules of go?"),
    ),
)
"""Every verb, in the order in which the help letter lists them."""

LINES = {
    normalize(line): entry for entry in TABLE for line in (*entry.synonyms, *entry.translations)
}
"""The whole lines that mean a verb alone, normalized."""
VERBS = {verb: entry for entry in TABLE for verb in (entry.verb, *entry.verbs)}
"""The words with which a line may begin that is a verb and its arguments."""
