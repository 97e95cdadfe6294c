"""`godaemon install-units`: installs units, manual pages, completions and a configuration.

Each listener in the configuration gets a socket unit with its address and group; socket units of
listeners that are no longer configured are removed.
"""

import contextlib
import ipaddress
import re
import sysconfig
from collections.abc import Iterator, Mapping
from pathlib import Path

from godaemon.config.loading import load
from godaemon.errors import NotAllowed
from godaemon.system.passed_sockets import format_host_port

LOCAL = Path("/usr/local")
OWN_UNITS = "etc/systemd/system"
CONFIGURATION = "etc/godaemon/godaemon.toml"
PLACES = {
    **{f"man/*.{part}": f"share/man/man{part}/" for part in (1, 5, 7)},
    "completion/*.bash": "share/bash-completion/completions/godaemon",
    "completion/*.fish": "share/fish/vendor_completions.d/",
    "completion/*.zsh": "share/zsh/site-functions/_godaemon",
    "sysusers.d/*": "lib/sysusers.d/",
    "alerts.yml": "share/doc/godaemon/metrics/",
    "grafana.json": "share/doc/godaemon/metrics/",
    **{
        f"{folder}/*": f"share/doc/godaemon/{Path(folder).name}/"
        for folder in ("postfix", "exim", "opensmtpd", "haproxy", "systemd/godaemon.service.d")
    },
}
"""The folders below the prefix for the files of config/, except the units and godaemon.toml."""

Files = Mapping[str, str]


def install_units(root: str, prefix: str, only: str | None) -> None:
    folder = Path(root)
    if only == "sockets":
        lines = _install_sockets(folder, OWN_UNITS)
    else:
        lines = _run(folder, Path(prefix), remove=only == "remove")
    for line in lines:
        print(line)


def _run(root: Path, prefix: Path, *, remove: bool) -> Iterator[str]:
    program = Path(sysconfig.get_path("scripts"), "godaemon")
    if program.is_relative_to(root):
        program = Path("/", program.relative_to(root))
    _require_outside_home(program)
    files = dict(_files(program, prefix))
    command = root / prefix.relative_to("/") / "bin/godaemon"
    if remove:
        yield from _replace_sockets(root, _unit_folder(prefix), {})
        yield from _remove(root, files, command, program)
        yield (
            "The games in /var/lib/godaemon stay, and so do backups in /var/backups/godaemon,"
            " secrets in /etc/credstore and the group godaemon-gtp."
        )
        return
    yield from _install(root, files, command, program)
    yield from _install_sockets(root, _unit_folder(prefix))
    yield f"Now edit {root / CONFIGURATION}, update the socket units, and start:"
    yield "  godaemon check-config && godaemon install-units --sockets"
    yield "  systemctl daemon-reload && systemctl enable --now godaemon godaemon-backup.timer"
    yield "or, after an upgrade: systemctl daemon-reload && systemctl restart godaemon"


def _require_outside_home(program: Path) -> None:
    if program.is_relative_to("/home") or program.is_relative_to("/root"):
        raise NotAllowed(
            f"The service cannot start {program}, because it has no access to home folders. Create"
            " the environment elsewhere: python3 -m venv /opt/godaemon"
        )


def shipped_folder() -> Path:
    """The folder config/, in a wheel or in a clone."""
    package = Path(__file__).parents[1]
    inside = package / "shipped"
    return inside if inside.is_dir() else package.parent / "config"


def _files(program: Path, prefix: Path) -> Iterator[tuple[str, str]]:
    """The path below the root, and the content, of each file."""
    base = prefix.relative_to("/")
    for file in (*_find_files("systemd/*.service"), *_find_files("systemd/*.timer")):
        text = re.sub(r"/opt/godaemon/bin/godaemon\b", str(program), file.read_text("utf-8"))
        yield f"{_unit_folder(prefix)}/{file.name}", text
    for pattern, place in PLACES.items():
        for file in _find_files(pattern):
            name = file.name if place.endswith("/") else ""
            yield f"{base}/{place}{name}", file.read_text(encoding="utf-8")


def _find_files(pattern: str) -> list[Path]:
    return sorted(file for file in shipped_folder().glob(pattern) if file.is_file())


def _unit_folder(prefix: Path) -> str:
    return OWN_UNITS if prefix == LOCAL else f"{prefix.relative_to('/')}/lib/systemd/system"


def _install_sockets(root: Path, units: str) -> Iterator[str]:
    files = {}
    for config in sorted((root / CONFIGURATION).parent.glob("godaemon*.toml")):
        if config.stem == "godaemon" or config.stem.startswith("godaemon@"):
            for name, options in _listener_options(config).items():
                text = (shipped_folder() / f"systemd/godaemon-{name}.socket").read_text("utf-8")
                for option, value in {**options, "Service": f"{config.stem}.service"}.items():
                    text = _set_option(text, option, value)
                files[f"{units}/{config.stem}-{name}.socket"] = text
    return _replace_sockets(root, units, files)


def _listener_options(config: Path) -> dict[str, dict[str, str]]:
    """The unit options of each listener in a configuration, by its name."""
    settings = load(config, {"STATE_DIRECTORY": f"/var/lib/{config.stem}"})
    options = {
        name: {"ListenStream": stream}
        for name, place in settings.listeners.items()
        if (stream := _stream_address(place))
    }
    for name, group in (("gtp", settings.gtp.group), ("lmtp", settings.mail.lmtp.group)):
        if group and name in options:
            options[name]["SocketGroup"] = group
    if settings.control.group:
        options["control"] |= {"SocketMode": "0660", "SocketGroup": settings.control.group}
    return options


def _stream_address(place: Path | tuple[str, int]) -> str:
    """A listener for ListenStream= (systemd.socket(5)); "" for a host name, or for port 0."""
    if isinstance(place, Path):
        return str(place)
    with contextlib.suppress(ValueError):
        ipaddress.ip_address(place[0])
        return format_host_port(*place) if place[1] else ""
    return ""


def _set_option(unit: str, option: str, value: str) -> str:
    """The text of a unit with an option changed, or else added at its end."""
    text, count = re.subn(rf"(?m)^{option}=.*$", f"{option}={value}", unit)
    return text if count else f"{text}{option}={value}\n"


def _install(root: Path, files: Files, command: Path, program: Path) -> Iterator[str]:
    for place, text in files.items():
        yield _write(root / place, text)
    config = root / CONFIGURATION
    if config.exists():
        yield f"left alone:  {config}"
    else:
        yield _write(config, (shipped_folder() / "godaemon.toml").read_text(encoding="utf-8"))
    if _leads_to(command, program):
        yield f"unchanged:   {command}"
    elif command.exists():
        yield f"left alone:  {command}, which belongs to another environment"
    else:
        command.parent.mkdir(parents=True, exist_ok=True)
        command.unlink(missing_ok=True)
        command.symlink_to(program)
        yield f"installed:   {command}"


def _replace_sockets(root: Path, units: str, files: Files) -> Iterator[str]:
    """Write these socket units, and remove all others of ours; without any, old copies too."""
    for place, text in files.items():
        yield _write(root / place, text)
    for path in sorted((root / units).glob("godaemon*.socket")):
        if str(path.relative_to(root)) not in files:
            path.unlink()
            if not files:
                path.with_name(f"{path.name}.old").unlink(missing_ok=True)
            yield f"removed:     {path}"


def _write(path: Path, text: str) -> str:
    if path.is_file() and path.read_text(encoding="utf-8") == text:
        return f"unchanged:   {path}"
    line = f"installed:   {path}"
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.is_file():
        backup = path.replace(path.with_name(f"{path.name}.old"))
        line = f"replaced:    {path}; the old file is {backup.name}"
    path.write_text(text, encoding="utf-8")
    path.chmod(0o644)
    return line


def _remove(root: Path, files: Files, command: Path, program: Path) -> Iterator[str]:
    default = (shipped_folder() / "godaemon.toml").read_text(encoding="utf-8")
    for place, text in {**files, CONFIGURATION: default}.items():
        path = root / place
        if place in files:  # there is no .old file of the configuration
            path.with_name(f"{path.name}.old").unlink(missing_ok=True)
        if path.is_file() and path.read_text(encoding="utf-8") == text:
            path.unlink()
            _remove_empty_folders(path.relative_to(root), root)
            yield f"removed:     {path}"
        elif path.exists():
            yield f"left alone:  {path}, which somebody has changed"
    if _leads_to(command, program):
        command.unlink()
        yield f"removed:     {command}"


def _remove_empty_folders(file: Path, root: Path) -> None:
    with contextlib.suppress(OSError):  # it is not empty
        for folder in file.parents:
            if "godaemon" in folder.as_posix():
                (root / folder).rmdir()


def _leads_to(command: Path, program: Path) -> bool:
    return command.is_symlink() and command.readlink() == program
