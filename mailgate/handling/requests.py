"""Requests about an address: which emails it gets, when and how; blocks, transfers, forgetting."""

from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any

from godaemon.diagrams.board_style import BoardStyle
from godaemon.errors import NotAllowed, Unreadable
from godaemon.games import commands as cmd
from godaemon.games import people, ratings, vacations
from godaemon.games.awaited_decisions import Awaited
from godaemon.games.forgetting import was_forgotten_today
from godaemon.games.invitation_limits import check_has_name
from godaemon.games.model import OPEN_PHASES, Game, Phase, Player, Seat
from godaemon.games.notices import MAX_EXPORTED, Kind
from godaemon.games.people import acquaintances, find_by_name, known_name, knows_address, person
from godaemon.games.player_calendar import find_zone, schedule_daily_email
from godaemon.games.player_settings import Preferences, Profile
from godaemon.games.running_clocks import pause_clocks
from godaemon.games.transfers import check_transfer
from godaemon.games.wanted_emails import change_preferences, effective_preferences
from godaemon.texts.catalogue import sentence
from mailgate.address import clean_quote, parse_address
from mailgate.handling import actions
from mailgate.handling.context import Answer, LetterContext
from mailgate.handling.daily_email import postponed_games, send_games_list
from mailgate.handling.player_games import GameView
from mailgate.handling.trust import Trust, proof_request
from mailgate.language.written_times import vacation_span

MAX_TRANSFERS_PER_DAY = 3  # requests per day to move games to one address


def block(
    context: LetterContext, command: cmd.Block | cmd.Unblock, view: GameView | None
) -> Answer:
    """Prepare to block or unblock invitations from the opponent, a named player, or everybody."""
    blocked = _find_blocked(context, command, view)
    on = isinstance(command, cmd.Block)

    def _change_blocks() -> None:
        change = people.block if on else people.unblock
        for address in {context.address_of(view), context.sender}:
            change(context.unit, address, blocked.address if blocked else None)
        about: dict[str, Any] = {"whom": blocked.name} if blocked and blocked.name else {}
        if view is not None and view.game.phase is Phase.DECLINED:
            *_, last = context.unit.games.log(view.game.id)
            about |= {"declined": True} if last.cause == context.caller.cause else {}
        context.queue(Kind.BLOCKED, view, on=on, everybody=blocked is None, **about)

    return _change_blocks


def _find_blocked(
    context: LetterContext, command: cmd.Block | cmd.Unblock, view: GameView | None
) -> Player | None:
    """The player to block or unblock; None for everybody."""
    word = "block" if isinstance(command, cmd.Block) else "unblock"
    proven = context.trust >= Trust.VOUCHED
    # The answer must not reveal whether an address is the opponent's.
    opponent = command.whom and view is not None and find_by_name(command.whom, (), [view.opponent])
    if command.whom and not opponent:
        if not proven:
            raise proof_request(f"{word} {command.whom}")
        return _find_person(context, command.whom, word)
    if command.everybody and (view is not None or proven):
        return None
    if view is None:
        hint = f"{word} all" if proven else "games"
        raise Unreadable(sentence("block-whom", line=word), hints=(hint,))
    if view.game.spec.teaching or not view.opponent.gets_email:
        raise Unreadable(sentence("block-nobody"), hints=("block all", "unblock all"))
    return Player(view.opponent.address, "")


def _find_person(context: LetterContext, name: str, word: str) -> Player:
    if "@" in name:
        return Player(parse_address(name).address, name)
    found = find_by_name(name, (), acquaintances(context.unit, context.sender))
    if len(found) != 1:
        raise Unreadable(sentence("met-whom", name=clean_quote(name), line=word), hints=("games",))
    return found[0]


def blocked_names(context: LetterContext) -> list[str]:
    """The names of players who may not invite the sender, if the sender knows their addresses."""
    unit, sender = context.unit, context.sender
    others = unit.players.blocks(person(sender))
    names = (one and (known_name(unit, sender, one) or "somebody else") for one in others)
    return sorted(name or "anybody" for name in names)


def relocate(context: LetterContext, command: cmd.Relocate, view: GameView | None) -> Answer:
    """Prepare to ask both addresses whether a seat, or all of the sender's seats, may move."""
    if view is None:
        reason = sentence("which-game-line", line=f"move me to {command.address}")
        raise Unreadable(reason, hints=("games",))
    if context.is_ours(command.address):
        raise Unreadable(sentence("move-to-me"))
    known = knows_address(context.unit.games.log(view.game.id))
    check_transfer(view.game, view.seat, command.address, knows_other=known)
    if context.limits.too_many(command.address, (Kind.MOVING,), limit=MAX_TRANSFERS_PER_DAY):
        raise NotAllowed(sentence("written-enough", who=command.address))
    all_games = command.everything

    def _ask_both() -> None:
        old, new = view.holder, command.address
        about = _begin_transfer(context, None if all_games else view.game.id, old, new)
        about |= {"old": old, "new": new, "all": all_games, "number": view.game.id}
        answers = _answered_id(context, old)
        context.queue(Kind.MOVING, view, to=old, answers=answers, **about, end="o")
        # The new address may be a stranger's: show nothing of the game there.
        context.queue(Kind.MOVING, to=new, answers="", **about, end="n")

    return _ask_both


def forget(context: LetterContext, _: cmd.Forget, view: GameView | None) -> Answer:
    """Prepare to ask the seat's own address, which alone can say yes."""
    address = context.address_of(view)
    if was_forgotten_today(context.games, address):
        raise NotAllowed(sentence("asked-much"))
    if context.limits.too_many(address, (Kind.FORGET,), limit=MAX_TRANSFERS_PER_DAY):
        raise NotAllowed(sentence("written-enough", who=address))

    def _ask_whether() -> None:
        games = context.unit.games.summaries(address, OPEN_PHASES)
        about = _begin_transfer(context, None, address, "")
        about |= {"address": address, "open": len(games), "end": "o"}
        context.queue(Kind.FORGET, to=address, answers=_answered_id(context, address), **about)

    return _ask_whether


def _begin_transfer(context: LetterContext, game: int | None, old: str, new: str) -> dict[str, Any]:
    nonce = context.games.randomness.nonce()
    number = context.unit.players.begin_transfer(game, old, new, nonce, context.now)
    return {"moving": number, "nonce": nonce}


def _answered_id(context: LetterContext, address: str) -> str | None:
    """`answers` of a letter to an address: "" if it is not the sender of the email answered."""
    return None if address.casefold() == context.sender.casefold() else ""


# -- settings -------------------------------------------------------------------------------------
_Own = cmd.Set | cmd.Boards  # settings of all games
_Change = cmd.Emails | cmd.Receipts | cmd.Reviews | cmd.Stop | _Own


def prepare_setting(context: LetterContext, command: cmd.Setting, view: GameView | None) -> Answer:
    """Check a setting, and return the function that changes it."""
    if isinstance(command, cmd.ShowSettings):
        return partial(_tell_settings, context, command, view, everywhere=view is None)
    if view is None and context.trust < Trust.VOUCHED:
        lines = (one for one in context.parsed.commands if one.command == command)
        line = next(map(actions.short_line, lines), "settings")
        raise proof_request("stop all" if line == "stop" else line)  # there is no game
    invited = view is not None and view.game.black is None and view.seat is Seat.INVITED
    if invited and command == cmd.Stop():  # this also blocks the proposer
        return block(context, cmd.Block(), view)
    address = context.address_of(view)
    known = context.drafts.get(address) or context.unit.players.profile(address)
    if isinstance(command, cmd.Vacation):
        new = context.drafts[address] = _plan_vacation(known, command, context.now)
        return partial(_save_vacation, context, command, new, view)
    if isinstance(command, cmd.Set) and command.field == "zone":
        command = cmd.Set("zone", find_zone(str(command.value)))
    if command == cmd.Set("listed", value=True):
        check_has_name(context.caller.name or known.listed or "")
    context.drafts[address] = _update_profile(known, command, context.caller.name)
    return partial(_change_setting, context, command, view)


def _plan_vacation(profile: Profile, command: cmd.Vacation, now: datetime) -> Profile:
    if command.by_itself is not None:
        return replace(profile, away_by_itself=command.by_itself)
    if command == cmd.Vacation():
        return vacations.end_vacation(profile, now)
    begin, end = vacation_span(command, now, profile.local_zone)
    return vacations.plan_vacation(profile, begin, end, now)


def _save_vacation(
    context: LetterContext, command: cmd.Vacation, new: Profile, view: GameView | None
) -> None:
    """Store a vacation, and pause the clocks of the player's games as long as each allows."""
    address, now, players = context.address_of(view), context.now, context.unit.players
    before = players.profile(address)
    new = replace(before, vacations=new.vacations, away_by_itself=new.away_by_itself)
    players.set_profile(address, new)
    paused_games = pause_clocks(context.games, address)
    planned = vacations.planned_vacations(new, now) if command != cmd.Vacation() else ()
    spans = [one for one in planned if one not in before.vacations] or planned
    begin, end = (one.isoformat() for one in spans[0]) if spans else ("", "")
    ends = [_vacation_end(context.games.game(number), address, now) for number in paused_games]
    context.queue(
        Kind.SETTINGS,
        GameView(context.games.game(view.game.id), view.seat) if view is not None else None,
        asked="vacation" if command.by_itself is None else "by itself",
        since=begin,
        until=end,
        games=sum(map(bool, ends)) if spans else len(paused_games),
        least=min(filter(None, ends), default=""),
        begun=any(since <= now for since, _ in before.vacations),
        whose=address,
    )


def _vacation_end(game: Game, address: str, now: datetime) -> str:
    """The end of a player's last vacation in a game (ISO 8601); "" for none."""
    colors = filter(None, map(game.color_of, game.seats_of(address)))
    off = [game.clock.days_off_of(color).after(now) for color in colors] if game.clock else []
    return max((end.isoformat() for one in off for _, end in one.vacations), default="")


def _change_setting(context: LetterContext, command: _Change, view: GameView | None) -> None:
    level = _email_level(command)
    is_after_end = isinstance(command, cmd.Reviews) and view is not None and view.game.phase.over
    everywhere = isinstance(command, _Own) or command.everywhere or view is None or is_after_end
    address = context.address_of(view)
    waiting_before = postponed_games(context.games, address) if level else set()
    if not isinstance(command, _Own):
        preferences = Preferences(
            receipts=command.wanted if isinstance(command, cmd.Receipts) else None,
            emails=level,
            reviews=command.wanted if isinstance(command, cmd.Reviews) else None,
        )
        game = 0 if everywhere or view is None else view.game.id
        change_preferences(context.unit, address, preferences, game)
    _change_profile(context, command, address, everywhere=everywhere)
    _tell_settings(context, command, view, everywhere=everywhere)
    overdue = waiting_before - postponed_games(context.games, address)
    if overdue and level is not cmd.EmailLevel.NONE and not context.lists:
        send_games_list(context.games, address)


def _change_profile(
    context: LetterContext, command: _Change, address: str, *, everywhere: bool
) -> None:
    players, level = context.unit.players, _email_level(command)
    known = players.profile(address)
    new = _update_profile(known, command, context.caller.name)
    if new != known:
        players.set_profile(address, new)
    if isinstance(command, cmd.Set) and command.field in {"zone", "weekends_off"}:
        pause_clocks(context.games, address)
    daily = due = known.digest_due is not None
    if level is not None:
        daily = level is cmd.EmailLevel.DAILY or (due and not everywhere)
    if daily or due:
        schedule_daily_email(context.unit, address, context.now, wanted=daily)


def _email_level(command: _Change) -> cmd.EmailLevel | None:
    if isinstance(command, cmd.Emails):
        return command.wanted
    return cmd.EmailLevel.NONE if isinstance(command, cmd.Stop) else None


def _update_profile(profile: Profile, command: _Change, name: str) -> Profile:
    """The profile with the change of a command; `name` is the sender's in the email."""
    match command:
        case cmd.Set("listed", on):
            return replace(profile, listed=(name or profile.listed) if on else None)
        case cmd.Set(field, value):
            return replace(profile, **{field: value})  # type: ignore[arg-type]
        case cmd.Boards():
            now = BoardStyle.of(profile.boards or "")
            sides = now.sides if command.sides is None else command.sides
            style = str(BoardStyle(sides, command.shown or now.shown))
            return replace(profile, boards=style or None)
        case cmd.Emails(at=int(at)):
            return replace(profile, digest_at=at)
    return profile


def _tell_settings(
    context: LetterContext, command: cmd.Setting, view: GameView | None, *, everywhere: bool
) -> None:
    unit, address = context.unit, context.address_of(view)
    name = command.field if isinstance(command, cmd.Set) else type(command).__name__.lower()
    if name == "language" and view is not None and view.awaits is Awaited.INVITATION:
        context.queue(Kind.SHOW, view)  # the invitation again, in the new language
        return
    has_hour = isinstance(command, cmd.Emails) and command.at is not None
    context.queue(
        Kind.SETTINGS,
        view,
        asked="digest" if has_hour else name,
        everywhere=everywhere,
        here=_preference_words(effective_preferences(unit, address, view.game.id if view else 0)),
        elsewhere=_preference_words(effective_preferences(unit, address)),
        whose=address,
        rating=ratings.round_rating(ratings.rating_of(unit, address)),
    )


def settings_everywhere(context: LetterContext) -> dict[str, str]:
    """The sender's settings for all games but those of the profile, in words."""
    sender, ours = context.sender, context.unit.players.our_address(context.sender)
    return _preference_words(effective_preferences(context.unit, sender)) | _answer_address(ours)


def settings_by_game(context: LetterContext) -> dict[str, dict[str, str]]:
    """The sender's settings for single games, in words, by the game's number."""
    players, sender, settings = context.unit.players, context.sender, dict[str, dict[str, str]]()
    for row in context.unit.games.summaries(sender, limit=MAX_EXPORTED):
        words = _preference_words(players.preferences(sender, row.id)[1])
        words |= _answer_address(players.our_address(sender, row.id))
        if words != _preference_words(Preferences()):
            settings[str(row.id)] = words
    return settings


def _answer_address(ours: str) -> dict[str, str]:
    return {"answered_from": ours} if ours else {}


def _preference_words(preferences: Preferences) -> dict[str, str]:
    words = {None: "", True: "on", False: "off"}
    return {
        "emails": str(preferences.emails or ""),
        "receipts": words[preferences.receipts],
        "reviews": words[preferences.reviews],
    }
