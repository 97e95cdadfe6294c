"""The table of subcommands. Importing it loads typer and nothing heavier."""

from __future__ import annotations

from typing import Annotated

import typer

from godaemon import installed_version
from godaemon.cli import (
    adjudicate,
    backup,
    boards,
    check_config,
    client,
    config,
    demo,
    doctor,
    export,
    forget,
    game,
    games,
    gtp,
    install_units,
    mail,
    pause,
    picture,
    players,
    prune,
    reload,
    rotate_key,
    run,
    send,
    serve,
    sgf,
    show,
    status,
)

app = typer.Typer(
    name="godaemon",
    help="Hold games of Go that people play by answering emails, or from any GTP program.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"godaemon {installed_version()}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", help="Tell the version.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    """The options that stand before the subcommand."""


_Of = Annotated[list[str] | None, typer.Argument(metavar="[COMMAND]", help="Of which.")]


def show_help(command: _Of = None) -> None:
    """Tell how godaemon is used, or one of its subcommands."""
    run([*(command or []), "--help"])


app.command("help")(show_help)
app.command("serve")(serve.serve)
app.command("gtp", help=gtp.HELP.split("\n\n")[1])(gtp.main)  # for the list: it reads its own words
app.command("client")(client.client)
app.command("games")(games.games)
app.command("game")(game.game)
app.command("players")(players.players)
app.command("show")(show.show)
app.command("sgf")(sgf.sgf)
app.command("boards")(boards.boards)
app.command("picture")(picture.picture)
app.command("send")(send.send)
app.command("demo")(demo.demo)
app.command("adjudicate")(adjudicate.adjudicate)
app.command("unrate")(adjudicate.unrate)
app.command("forget")(forget.forget)
app.command("pause")(pause.pause)
app.command("resume")(pause.resume)
app.command("status")(status.status)
app.command("check-config")(check_config.check_config)
app.command("config")(config.config)
app.command("doctor")(doctor.doctor)
app.command("reload")(reload.reload)
app.command("rotate-key")(rotate_key.rotate_key)
app.command("install-units")(install_units.install_units)
app.command("prune")(prune.prune)
app.command("backup")(backup.backup)
app.command("restore")(backup.restore)
app.command("export")(export.export)
app.command("import")(export.import_)
app.add_typer(mail.app, name="mail")
