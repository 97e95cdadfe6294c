"""The commands of a letter that act on its game, and those that do not told apart. Pure."""

from __future__ import annotations

from dataclasses import replace

from godaemon.games import commands as cmd
from godaemon.games.acquaintances import called
from godaemon.games.model import Phase
from godaemon.games.people import person
from mailgate.handling.seated import Seated
from mailgate.language.parser import ParsedText


def acts_on_game(text: ParsedText) -> bool:
    """True where any of the commands acts on a game."""
    acting = cmd.Action | cmd.Send | cmd.Agree
    return any(isinstance(one.command, acting) for one in text.commands)


def game_actions(text: ParsedText, at: Seated) -> tuple[cmd.Action, ...]:
    """The commands that act on the game, with the words for the opponent as the last of them."""
    game = at.game
    found = tuple(one.command for one in text.commands if isinstance(one.command, cmd.Action))
    if any(isinstance(one, cmd.Counter) for one in found):  # the words go with the terms
        return tuple(
            replace(one, words=text.message) if isinstance(one, cmd.Counter) else one
            for one in found
        )
    if game.phase is Phase.PROPOSED and cmd.No() in found:
        return (cmd.No(text.message),)
    if game.phase is Phase.PROPOSED and any(_ends(one.command, at) for one in text.commands):
        return (*found, cmd.No(blocking=True))
    if any(isinstance(one.command, cmd.NewGame) for one in text.commands):
        return found  # the words go with the proposal
    heard = game.phase is not Phase.PROPOSED or cmd.Yes() in found
    if text.message and (heard or not text.commands):
        proposing = game.phase is Phase.PROPOSED and not game.confirmed
        if not proposing or not found:
            return (*found, cmd.Say(text.message))
    return found


def _ends(command: cmd.Command, at: Seated) -> bool:
    """True for what says no to a proposal too: none of this player again, or no letters."""
    if isinstance(command, cmd.Block):
        return not command.whom or _is_proposer(command.whom, at)
    return isinstance(command, cmd.Stop) and at.awaits is not None


def _is_proposer(whom: str, at: Seated) -> bool:
    """True for who asked, by name, or by the address where that was told."""
    spec = at.game.spec
    if "@" in whom:
        return not (spec.named or spec.open) and person(whom) == person(at.opponent.address)
    return bool(called(whom, (), [at.opponent]))


def command_names(text: ParsedText) -> str:
    """A letter's commands, for the log."""
    return ", ".join(cmd.logged(one.command) for one in text.commands) or "say"
