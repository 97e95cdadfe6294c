"""The client as a program by itself: `python3 godaemon-gtp.txt --connect HOST:PORT --key KEY`.

In a terminal it prints the command to enter in a Go program, with this computer's paths. For a Go
program it is a seat, on standard input and output.
"""

import os
import signal
import sys
from collections.abc import Mapping, Sequence
from functools import partial

from gtp.client.connect import Tcp, is_local, read_address
from gtp.client.options import KEY, USAGE, OptionError, options_of, read_key, read_options
from gtp.client.relay import run
from gtp.client.syntax import MAX_LINE, KeyGreeting, Reply, encode, parse

HELP = """\
Usage: python3 godaemon-gtp.txt --connect HOST:PORT --key KEY

  Let a Go program play in a game of godaemon. Reply to an email of your game
  with: gui. The answer has this line with your key.

Options:
  --connect HOST:PORT  The address of the godaemon.
  --key KEY            The key to your seat (else $GODAEMON_KEY).
  --key-file FILE      A file with the key.
  --tls / --no-tls     Whether to encrypt (default: except on this machine).
  --ca FILE            The certificate to trust: its own, or its signer's
                       (else the system's).
  -h, --help           Show this message and exit.
"""

_WELCOME = """\
Connected. Now let your Go program start this:

  Path:       {path}
  Arguments:  {arguments}

In GoGui, enter one line:

  {line}

{warning}Press Ctrl-C to stop, or type GTP commands.
"""
_NO_QUOTES = """\
q5Go does not understand quotes: put the file in a folder whose path has no
spaces or apostrophes, and run it from there.

"""


def main(words: Sequence[str]) -> int:
    """Serve a Go program in a seat; returns the exit status."""
    try:
        options = read_options(words, options_of(HELP))
        if "--help" in options or not options:
            sys.stdout.write(HELP)
            return 0
        key = read_key(options)
        address = read_remote(options, key)
    except OptionError as misused:
        refuse(f"godaemon-gtp: {misused}", str(misused))
        return USAGE
    return run(address, KeyGreeting(key), lambda: _welcome(words) if os.isatty(0) else None)


def read_remote(options: Mapping[str, str], key: str) -> Tcp:
    """The address of a remote daemon; raises `OptionError`, also without a key."""
    if not key:
        raise OptionError(
            f"a remote seat needs its key: --key KEY, --key-file FILE, or ${KEY}. Reply to an"
            " email of your game with gui to get one."
        )
    try:
        host, port = read_address(options.get("--connect", ""))
    except ValueError as fault:
        raise OptionError(f"{fault}; write --connect go.example.org:7000.") from fault
    if not (key.isascii() and key.replace("-", "").isalnum()):
        raise OptionError("this is not a key: paste the whole line from the email again.")
    ca = options.get("--ca")
    if ca is not None:
        _require_certificate(ca)
    chosen = [option for option in options if option in {"--tls", "--no-tls"}]
    tls = chosen[-1] == "--tls" if chosen else not is_local(host)
    return Tcp(host, port, tls=tls, ca=ca)


def _require_certificate(file: str) -> None:
    """Raise `OptionError` if a file has no certificate."""
    if not os.path.isfile(file):
        raise OptionError(f"there is no file {file}.")
    with open(file, encoding="latin-1") as opened:
        if "CERTIFICATE-----" not in opened.read():
            raise OptionError(
                f"{file} has no certificate: text between BEGIN and END CERTIFICATE lines."
            )


def refuse(message: str, reason: str) -> None:
    """Report a refusal, to a Go program as the answer to its first command."""
    if sys.stderr is not None:  # None in Windows programs without a console
        sys.stderr.write(f"{message}\n")
        sys.stderr.flush()
    if sys.stdin is not None and not os.isatty(0):
        lines = iter(partial(sys.stdin.buffer.readline, MAX_LINE), b"")
        request = next(filter(None, map(parse, lines)), None)
        if request is not None:
            os.write(1, encode(Reply(ok=False, text=reason), request.id))


def _welcome(words: Sequence[str]) -> None:
    """Print the command for a Go program, with absolute paths for any working folder."""
    file = os.path.abspath(sys.argv[0])
    arguments = [file, *(os.path.abspath(word) if os.path.isfile(word) else word for word in words)]
    quoted = " ".join(map(_quote, arguments))
    path = _use_slashes(sys.executable)  # unquoted, because nothing splits it
    warning = _NO_QUOTES if '"' in quoted else ""
    line = f"{_quote(path)} {quoted}"
    sys.stderr.write(_WELCOME.format(path=path, arguments=quoted, line=line, warning=warning))
    sys.stderr.flush()


def _use_slashes(word: str) -> str:
    """A path with slashes on Windows: some Go programs read a backslash as an escape."""
    return word.replace("\\", "/") if os.name == "nt" else word


def _quote(word: str) -> str:
    """A word in quotes if a Go program would split it."""
    plain = _use_slashes(word)
    return f'"{plain}"' if " " in plain or "'" in plain else plain


def start() -> None:
    """Run `main` and exit at once, even if a thread still waits for input."""
    if os.name == "nt":  # there Ctrl-C does not interrupt a wait for a thread
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    status = main(sys.argv[1:])
    if sys.stdout is not None:
        sys.stdout.flush()
    os._exit(status)


if __name__ == "__main__":
    start()
