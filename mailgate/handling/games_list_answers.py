"""Answers to a list of games: each line succeeds or fails by itself."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, get_args

from godaemon.errors import NotAllowed, Refusal, Unknown, Unreadable
from godaemon.games import commands as cmd
from godaemon.games.model import Revisions, Seat
from godaemon.games.notices import Kind, Notice
from godaemon.texts.catalogue import Sentence, sentence, sentence_to_json
from mailgate.handling import actions, queries
from mailgate.handling.answer_limits import asks_to_begin
from mailgate.handling.confirmations import hold_letter
from mailgate.handling.context import LetterContext, LetterOutcome
from mailgate.handling.game_requests import (
    list_challenges,
    players_only_refusal,
    refuse_spectator,
    spectator_commands,
    watch_lines,
)
from mailgate.handling.handler import DMARC_FAILED, check_words, refuse, refuse_wrong_token
from mailgate.handling.parsed_letter import has_command
from mailgate.handling.player_games import (
    GameView,
    answers_awaited,
    games_by_name,
    likely_games,
    open_games,
)
from mailgate.handling.talk_or_commands import meant_text
from mailgate.handling.trust import NEWEST_PERIOD, Trust, resigns_off_turn, trust_by_token
from mailgate.language.acting_statements import is_greeting, read_consent
from mailgate.language.command_lines import is_command_line, whole_command
from mailgate.language.game_lines import GameLine, game_lines
from mailgate.language.lexicon import lexicon
from mailgate.language.parser import ParsedText, parse_text
from mailgate.language.statement_splitting import vertices
from mailgate.language.written_moves import normalize

_SUCCESSES = {
    *("result-done", "result-answered", "result-new-game", "result-passed-on"),
    *("result-in-record", "result-with-words", "result-with-words-in-record"),
}
"""Results of lines that succeeded."""

LISTS = (
    *(Kind.GAMES, Kind.CHALLENGES, Kind.PLAYERS, Kind.PUBLIC_GAMES),
    *(Kind.WATCH, Kind.LEARN, Kind.SETTINGS),
)
"""Emails to which each line of a reply may be about another game."""


def counts_as_newest(notice: Notice, now: datetime) -> bool:
    """True if a reply to that email still counts as a reply to the newest email."""
    written = datetime.fromisoformat(notice.about.get("at", "2000-01-01T00:00:00+00:00"))
    return now - written <= NEWEST_PERIOD


def answer_list(context: LetterContext, notice: Notice) -> LetterOutcome:
    if context.sender.casefold() != notice.to.casefold():
        refusal = NotAllowed(sentence("not-your-list"), hints=("games",), detail="another's list")
        return refuse_wrong_token(context, refusal)
    if context.trust is Trust.FAILED:
        if found := notice.about.get("listed"):
            game = context.games.game(found[0]["game"])
            return hold_letter(context, GameView(game, Seat(found[0]["seat"])))
        refuse(context, NotAllowed(sentence("forged-perhaps"), case=DMARC_FAILED))
        return LetterOutcome("refused", detail=DMARC_FAILED)
    newest = counts_as_newest(notice, context.now)
    context = context.with_trust(trust_by_token(context.trust, known=True, newest=newest))
    if context.is_over_limit():
        return LetterOutcome("ignored", detail="too many", retry=context.trust is Trust.OLD)
    context.count_as_reached()
    context.remember()
    if notice.kind is Kind.WATCH and notice.game is not None:
        return _answer_watcher(context, notice.game)
    return _answer_lines(context, notice)


def _answer_lines(context: LetterContext, notice: Notice) -> LetterOutcome:
    # The lines were parsed as about one game; here each may be about another.
    without_commands, about = context.without_commands(), notice.about
    lines: Sequence[str] = context.parsed.lines
    listed = {entry["game"]: entry for entry in about.get("listed", ())}
    numbers = [entry["game"] for entry in about.get("open", ())]
    if notice.kind is Kind.LEARN:
        answer = _Answer(without_commands, listed, greeting=_greeting(lines))
        answer.handle_lines(queries.lesson_answers(game_lines(lines), notice))
        return answer.answer_lesson(int(about["lesson"]))
    answer = _Answer(without_commands, listed)
    if notice.kind is Kind.CHALLENGES:
        answer.challenges = [one for one in numbers if one not in listed]
        lines = _taking_lines(lines, answer.challenges)
    if notice.kind is Kind.PUBLIC_GAMES:
        watched_games = about.get("watched", ())
        lines = watch_lines(context, lines, [one for one in numbers if one not in watched_games])
    requests = game_lines(lines, games_by_name(context.games, context.sender))
    has_only_words = all(one.game is None and not is_command_line(one.request) for one in requests)
    has_only_words = has_only_words and notice.kind is Kind.GAMES and not any(map(vertices, lines))
    if has_only_words and queries.send_topic(without_commands, lines):
        return LetterOutcome("accepted", detail="help")
    answer.greeting = _greeting(lines)
    answer.handle_lines(requests)
    return answer.queue()


def answer_several(context: LetterContext, view: GameView) -> LetterOutcome | None:
    """Answer a reply to one game, with a button for each line about another; None without these."""
    game = view.game
    has_only_commands = all(map(whole_command, filter(None, context.parsed.lines)))
    names = {} if has_only_commands else games_by_name(context.games, context.sender)
    requests = game_lines(context.parsed.lines, names)
    lines = [replace(one, game=one.game or game.id) for one in requests]
    numbers = {one.game for one in lines if is_command_line(one.request)} - {None}
    move = game.move_number + 1  # as in `57. D4`
    others = numbers - {game.id, *(() if len(numbers & {game.id, move}) > 1 else (move,))}
    other_lines = [one for one in lines if one.game in others]
    if not others or any(one.line == one.request for one in other_lines):
        return None
    if not others <= {one.game.id for one in open_games(context.games, context.sender)}:
        return None
    answer = _Answer(context.without_commands(), {game.id: view.list_entry()}, own_game=game.id)
    for line in other_lines:
        answer.results[line] = sentence("result-click")
        answer.lines_by_game.setdefault(line.game or 0, []).append(line.request)
    answer.handle_lines([one for one in lines if one.game not in others])
    return answer.queue()


def _greeting(lines: Sequence[str]) -> str:
    try:
        text = parse_text(lines)
    except Refusal:
        return ""
    proposes = [isinstance(one.command, cmd.NewGame) for one in text.commands] == [True]
    names_games = any(line.game is not None for line in game_lines(text.message.split("\n")))
    return text.message if proposes and not names_games else ""


def _answer_watcher(context: LetterContext, number: int) -> LetterOutcome:
    try:
        text = spectator_commands(context, number)
        answers = queries.prepare_answers(context, text)
    except Refusal as refusal:
        needs_seat = isinstance(refusal, Unreadable)
        refuse_spectator(context, players_only_refusal(number) if needs_seat else refusal)
        return LetterOutcome("refused", number, detail=type(refusal).__name__)
    queries.give_answers(answers)
    return LetterOutcome("accepted", number, detail=actions.command_names(text))


@dataclass(slots=True)
class _Answer:
    """An answer as it grows: the lines of the letter, each with its result."""

    context: LetterContext
    listed: dict[int, dict[str, Any]]
    greeting: str = ""  # words for the person invited, if a new game is the only command
    results: dict[GameLine, Sentence] = field(default_factory=dict)
    waiting: dict[int, dict[GameLine, ParsedText | None]] = field(default_factory=dict)
    """The lines to carry out, by game."""
    own_game: int = 0  # the game whose email is answered, else 0: words go to its opponent
    lines_by_game: dict[int, list[str]] = field(default_factory=dict)
    """Lines about other games by number; the answer offers each as a click."""
    challenges: Sequence[int] | None = None  # the challenges in the list that is answered
    later: dict[GameLine, ParsedText] = field(default_factory=dict)
    """Lines about no game; they are answered last, so that the answers show all changes."""

    def handle_lines(self, lines: list[GameLine]) -> None:
        """Sort the lines by game, then carry them out, game by game."""
        has_words = False
        for line in lines:
            if is_greeting(line.request):
                continue
            text, refusal = self._read_line(line)
            if text is not None and self.greeting:
                if not text.commands:
                    continue
                text = replace(text, message=self.greeting)
            if text is not None and not text.commands and line.game != self.own_game:
                has_words, self.results[line] = True, self.words_result(line)
            elif has_words and line.game is None:
                self.results[line] = sentence("result-below")
            elif line.game is not None or text is None or not self._is_about_no_game(line, text):
                self._assign_to_game(line, text, refusal)
        for number, lines_of_game in self.waiting.items():
            self._act_on_game(number, lines_of_game)
        for line, text in self.later.items():
            self._answer_line(line, text)

    def _assign_to_game(self, line: GameLine, text: ParsedText | None, why: Refusal | None) -> None:
        number = line.game
        if number is None:
            waits = {game: entry["awaits"] for game, entry in self.listed.items()}
            command = text.commands[0].command if text else None
            games = likely_games(waits, command)
            if isinstance(command, cmd.Yes | cmd.No):  # it can only answer a question
                games = [one for one in games if answers_awaited(command, waits[one])]
            if len(games) != 1:
                result = _ambiguous_game_result(line, games, command, waits)
                self.results[line] = _refusal_result(why) if why else result
                return
            number = games[0]
        self.results[line] = sentence("result-not-done")
        self.waiting.setdefault(number, {})[line] = text

    def _is_about_no_game(self, line: GameLine, text: ParsedText) -> bool:
        """True if a line is about no game: it is answered later, or refused."""
        if actions.acts_on_game(text):
            return False
        try:
            self._check_trust(text)
            queries.prepare_answers(self.context, text)
        except Unreadable:  # it needs a game but names none
            return False
        except Refusal as refusal:
            self.results[line] = _refusal_result(refusal)
        else:
            self.results[line], self.later[line] = sentence("result-answered"), text
        return True

    def _answer_line(self, line: GameLine, text: ParsedText) -> None:
        # If the whole answer is a list, no other is sent.
        lists = {one.key for one in self.results.values()} != {"result-answered"}
        try:
            queries.give_answers(queries.prepare_answers(replace(self.context, lists=lists), text))
        except Refusal as refusal:  # an earlier line made it impossible
            self.results[line] = _refusal_result(refusal)

    def _act_on_game(self, number: int, lines: dict[GameLine, ParsedText | None]) -> None:
        try:
            view = self._listed_view(number)
            requests = [line.request for line in lines]
            text = self._meant_text(parse_text(requests), requests, view)
            if not text.commands and all(line.game is None for line in lines):  # words to nobody
                self.results |= {line: self.words_result(line) for line in lines}
                return
            actions.check_colors(text.commands, view)
            self._check_trust(text)
            if resigns_off_turn([one.command for one in text.commands], view):
                raise NotAllowed(sentence("resign-in-game"))
            acts = actions.game_actions(text, view)
            caller = replace(self.context.caller, receipt_included=True)
            decision = self.context.games.decide(number, view.seat, acts, caller, seen=view.seen)
            answers = queries.prepare_answers_beside(self.context, text, decision, view.seat)
            check_words(self.context, decision, view.seat)
        except Refusal as refusal:
            self.results |= dict.fromkeys(lines, _refusal_result(refusal, number))
            return
        self.context.remember(view)
        self.context.games.carry_out(decision)
        queries.give_answers(answers)
        after = GameView(decision.after, view.seat)
        self.results |= {line: _done_result(read, after) for line, read in lines.items()}

    def _meant_text(self, text: ParsedText, lines: Sequence[str], view: GameView) -> ParsedText:
        parsed = replace(self.context.parsed, text=text, lines=tuple(lines))
        return meant_text(replace(self.context, parsed=parsed), text, view)

    def _check_trust(self, text: ParsedText) -> None:
        if self.context.trust is Trust.OLD and has_command(text.commands, cmd.OutsideEffect):
            raise NotAllowed(sentence("list-is-old"))

    def _read_line(self, line: GameLine) -> tuple[ParsedText | None, Refusal | None]:
        try:
            text = parse_text([line.request])
            if line.game in self.listed and not text.held_words:
                text = self._meant_text(text, [line.request], self._listed_view(line.game))
        except Refusal as refusal:
            return None, refusal
        return text, None

    def _listed_view(self, number: int) -> GameView:
        if (entry := self.listed.get(number)) is None:
            raise Unknown(sentence("not-in-list", game=number))
        seen = Revisions(entry["position"], entry["marks"])
        view = GameView(self.context.games.game(number), Seat(entry["seat"]), seen)
        if not view.game.knows(view.seat, self.context.sender):
            raise NotAllowed(sentence("seat-moved-since"))
        return view

    def answer_lesson(self, lesson: int) -> LetterOutcome:
        """Send the lesson again if nothing was done; or say why no game was begun."""
        lines, results = [line.line for line in self.results], self.results.values()
        done = any(one.key in _SUCCESSES for one in results)
        if done and all(_is_words(one) or one.key == "result-answered" for one in results):
            return LetterOutcome("accepted", detail="a lesson")
        if done or asks_to_begin(lines, ""):
            return self.queue()
        if self.context.limits.too_many(self.context.sender):
            return LetterOutcome("ignored", detail="only words, and too many")
        queries.send_lesson(self.context, cmd.Learn(lesson), unread="".join(lines[:1]))
        return LetterOutcome("accepted", detail="a lesson once more")

    def queue(self) -> LetterOutcome:
        """Queue the answer, unless each line has a letter of its own."""
        context, results = self.context, self.results
        has_only_words = all(map(_is_words, results.values()))
        if has_only_words and context.is_over_limit():  # a program, more likely
            return LetterOutcome("ignored", detail="only words, and too many")
        done = [one for one in results.values() if one.key in _SUCCESSES]
        if {one.key for one in results.values()} != {"result-answered"}:
            requests = [one for one in results.values() if not _is_words(one)]
            data = actions.results_data([(one.line, result) for one, result in results.items()])
            data["news"] = sentence_to_json(_news(len(done), len(requests)))
            if self.challenges is None:
                queries.list_games(context, lines_by_game=self.lines_by_game, **data)
            else:
                list_challenges(context, **data)()
        return LetterOutcome("accepted" if done else "refused", detail=f"{len(done)} in a list")

    def words_result(self, line: GameLine) -> Sentence:
        """The result of words, which says how to address them to a game."""
        if self.challenges is not None and (line.game is None or line.game in self.challenges):
            return sentence("result-words-take", game=line.game or next(iter(self.challenges), 12))
        game = line.game or next(iter(self.listed)) if len(self.listed) == 1 else line.game
        if game is None:
            return sentence("result-words-no-game")
        return sentence("result-words-say", game=game, said=line.request)


def _is_words(result: Sentence) -> bool:
    return result.key.startswith("result-words")


def _done_result(text: ParsedText | None, view: GameView) -> Sentence:
    results = [result for _, result in actions.accepted_results(text, view)] if text else []
    if len(results) > 1:
        keys = "result-with-words", "result-with-words-in-record"
        return actions.words_result(*keys, view, result=results[0])
    return results[0] if results else sentence("result-done")


def _taking_lines(lines: Sequence[str], challenges: Sequence[int]) -> list[str]:
    """The lines of an answer to the challenges, with `take` for a number, or for a lone yes."""
    first = next((line for line in lines if line.strip() and not is_greeting(line)), "")
    numbers = re.findall(r"\d+", first)
    named = [one for one in challenges if not numbers or [str(one)] == numbers]
    if len(named) == 1 and (read_consent([first]) or _is_only_number(first)):
        return [f"take {named[0]}" if line is first else line for line in lines]
    return [*lines]


def _is_only_number(line: str) -> bool:
    """True for a line that only names a challenge: `2`, `I'd like 2`, `game 2: take`."""
    known = lexicon()
    words = (one.strip("#:.,!") for one in normalize(re.sub(r"\d+", " ", line)).split())
    verbs = [word for word, verb in known.verbs.items() if verb == "take"]
    others = [one for one in words if one not in {"", *verbs, *known.terms["game"]}]
    return not line.rstrip().endswith(("?", "？")) and known.may_stand_beside_move(others)


def _news(done: int, total: int) -> Sentence:
    if not total:
        return sentence("nothing-found")
    if not done:
        return sentence("none-done")
    return sentence("all-done") if done == total else sentence("some-done", done=done, count=total)


def _ambiguous_game_result(
    line: GameLine,
    candidates: list[int],
    command: cmd.Command | None,
    waits: Mapping[int, str | None],
) -> Sentence:
    any_game = command is None or isinstance(command, get_args(cmd.Query))
    games = [one for one in candidates if any_game or answers_awaited(command, waits[one])]
    if not games:
        return sentence("result-no-game-waits")
    forms = tuple(f"`{number}: {line.request}`" for number in games[:4])
    return sentence("result-which-game", count=len(forms), lines=forms)


def _refusal_result(refusal: Refusal, number: int | None = None) -> Sentence:
    head = "" if number is None else f"{number}: "
    hints = tuple(f"`{head}{hint}`" for hint in refusal.hints[:3])
    if not hints:
        return sentence("result-why", why=refusal.public)
    return sentence("result-why-try", why=refusal.public, count=len(hints), lines=hints)
