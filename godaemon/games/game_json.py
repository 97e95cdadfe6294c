"""Games as plain JSON values, for `--json` and the control socket. Pure."""

from datetime import datetime
from typing import Any

from godaemon.games.model import Game, Phase, shown_address
from godaemon.games.stored_values import GameSummary
from godaemon.rules.points import Color


def snapshot(game: Game) -> dict[str, Any]:
    """A game as plain JSON values; godaemon(1) explains each key."""
    position, spec = game.position, game.spec
    prisoners, last = position.prisoners, position.last
    deadline = game.clock.deadline if game.clock else None
    score = game.score() if game.phase is Phase.SCORING or game.ended_by_count else None
    return {
        "id": game.id,
        "width": spec.size.width,
        "height": spec.size.height,
        "komi": spec.komi,
        "handicap": spec.handicap,
        "rules": spec.rules,
        "phase": game.phase.value,
        "to_move": game.to_move.word if game.to_move else None,
        "move_number": game.move_number,
        "position_number": game.revisions.position,
        "scoring_number": game.revisions.marks,
        "black": shown_address(game.black.address) if game.black else None,
        "white": shown_address(game.white.address) if game.white else None,
        "proposer": shown_address(spec.proposer.address),
        "invited": shown_address(spec.invited.address),
        "prisoners": {color.word: prisoners[color] for color in Color},
        "board": list(game.rows()),
        "last": f"{last.color.word} {last.point or 'pass'}" if last else None,
        "done": [color.word for color in Color if color in game.agreed],
        "score": {"black": score.black.total, "white": score.white.total} if score else None,
        "result": game.result,
        "rated": spec.rated,
        "time": str(spec.time) if spec.time else None,
        "estimates": spec.estimable,
        "deadline": iso(deadline),
        "chat": [
            {"move": words.move_number, "color": words.color.word, "text": words.text}
            for words in game.chat
        ],
    }


def iso(moment: datetime | None) -> str | None:
    """A moment in JSON (ISO 8601, to the second)."""
    return moment.isoformat(timespec="seconds") if moment else None


def summary_values(summary: GameSummary) -> dict[str, Any]:
    return {
        "id": summary.id,
        "phase": summary.phase.value,
        "size": summary.size,
        "rules": summary.rules,
        "black": shown_address(summary.black),
        "white": shown_address(summary.white),
        "move_number": summary.move_number,
        "to_move": summary.to_move,
        "result": summary.result,
        "updated": iso(summary.updated),
        "deadline": iso(summary.deadline),
    }
