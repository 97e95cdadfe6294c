"""KataGo's commands for the rules of a free board (KataGo's docs/GTP_Extensions.md)."""

from __future__ import annotations

from gtp import argument_readers
from gtp.board.commands.table import FREE, FreeHost
from gtp.client.syntax import Arguments


@FREE.command("kata-set-rules")
def kata_set_rules(host: FreeHost, arguments: Arguments) -> str:
    """Choose the rules; stones, moves, prisoners and komi stay as they are.

    Arguments: a name (japanese, chinese, chinese-ogs, aga, bga, new-zealand, ing, tromp-taylor,
        stone-scoring ...), perhaps with what is different (`chinese suicide=yes`), or a JSON object
        as `kata-get-rules` returns it; keys that are left out stay as they are.
    Fails: for rules that are not known, with those that are; `syntax error` without any.
    Example: `kata-set-rules tromp-taylor` -> `=`
    """
    from godaemon.rules import kata_rules  # noqa: PLC0415 - few sessions ask

    argument_readers.word(arguments, 0)
    host.board.rule(kata_rules.chosen(" ".join(arguments), host.board.ruleset))
    return ""


@FREE.command("kata-set-rule")
def kata_set_rule(host: FreeHost, arguments: Arguments) -> str:
    """Change one of the rules.

    Arguments: the key and its value: ko SIMPLE, POSITIONAL or SITUATIONAL; scoring AREA or
        TERRITORY; tax NONE, SEKI or ALL; suicide, friendlyPassOk and hasButton true or false (there
        is no button here); whiteHandicapBonus 0, N-1 or N.
    Fails: for any other, with those that are known; `syntax error`.
    Example: `kata-set-rule ko SIMPLE` -> `=`
    """
    from godaemon.rules import kata_rules  # noqa: PLC0415 - few sessions ask

    asked = {argument_readers.word(arguments, 0): argument_readers.word(arguments, 1)}
    host.board.rule(kata_rules.changed(host.board.ruleset, asked))
    return ""
