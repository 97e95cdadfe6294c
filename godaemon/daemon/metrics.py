"""The metrics of a daemon for Prometheus, and its health for load balancers, by HTTP.

`/metrics` and `/health` on one local listener ([metrics]). Counters come from
`godaemon.system.counts`, measurements from `Monitor`; only the duration of COMMITs is recorded
here. Raises `ConfigError` or `Temporary` if it cannot listen.
"""

import asyncio
import platform
import re
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, suppress

from prometheus_client import CollectorRegistry, Histogram, ProcessCollector
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, InfoMetricFamily, Metric
from prometheus_client.exposition import choose_encoder

from godaemon import installed_version
from godaemon.config.checks import is_loopback
from godaemon.daemon.health import UNFIT_TROUBLES
from godaemon.daemon.status import DaemonStatus
from godaemon.system import log_setup
from godaemon.system.acceptor import Acceptor, stream_handler
from godaemon.system.clock import Clock
from godaemon.system.counts import COUNTS
from godaemon.system.sockets import listen

REQUEST_TIMEOUT = 10.0
"""The timeout of a request, in seconds."""
_HOST = re.compile(r"(?im)^host:[ \t]*\[?(\S+?)\]?(?::\d*)?\s*$")
_SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
_COUNTED = {
    "letters_in": ("Emails that came in, by result.", ["result"]),
    "letters_out": ("Tries to deliver an email, by result.", ["result"]),
    "commands": (
        "Commands in emails (door: email) and of Go programs (door: gtp), by result.",
        ["door", "command", "result"],
    ),
}


def _counter(name: str) -> Metric:
    about, labels = _COUNTED[name]
    family = CounterMetricFamily(f"godaemon_{name}", about, labels=labels)
    for (counted, *values), number in sorted(COUNTS.copy().items()):
        if counted == name:
            family.add_metric(values, number)
    return family


def _labelled_gauge(name: str, about: str, label: str, numbers: Mapping[str, int]) -> Metric:
    family = GaugeMetricFamily(f"godaemon_{name}", about, labels=[label])
    for value, number in numbers.items():
        family.add_metric([value], number)
    return family


class OwnProcess(ProcessCollector):
    """The metrics of the process itself.

    The library reads the boot time from /proc, where it is missing in our unit (ProcSubset=pid).
    """

    def _boot_time(self) -> float:
        return Clock().now().timestamp() - time.clock_gettime(time.CLOCK_BOOTTIME)


class MetricsListener:
    """Answers `GET /metrics` and `GET /health`; collects the metrics for each request."""

    def __init__(self, status: DaemonStatus) -> None:
        self._status, self._registry = status, CollectorRegistry()
        self._registry.register(self)
        self._registry.register(OwnProcess(registry=None))
        about = "How long COMMITs take."
        commits = Histogram(
            "godaemon_commit_seconds", about, buckets=_SECONDS, registry=self._registry
        )
        status.core.writer.on_commit_timed = commits.observe

    async def open(self) -> Acceptor:
        """Listen as configured; raises `ConfigError` or `Temporary`."""
        startup = self._status.core.startup
        place = startup.settings.metrics.path or startup.settings.metrics.address
        sockets = await listen(place, startup.passed, failure="Metrics cannot be served")
        return Acceptor(sockets, stream_handler(self._serve))

    def collect(self) -> Iterator[Metric]:
        """All metrics except those of the process and of COMMITs."""
        status = self._status
        url = status.core.settings.database_url
        database = url.partition(":")[0].partition("+")[0]
        build = {"version": installed_version(), "python": platform.python_version()}
        about = "The running godaemon."
        yield InfoMetricFamily("godaemon_build", about, value={**build, "database": database})
        yield from map(_counter, _COUNTED)
        forged = status.intake.counts["forged"]
        yield CounterMetricFamily("godaemon_letters_forged", "Emails in that failed DMARC.", forged)
        lost, about = log_setup.lost_lines(), "Lines of the log that could not be written."
        yield CounterMetricFamily("godaemon_log_lines_dropped", about, lost)
        yield from self._measured_gauges()
        yield _labelled_gauge(
            *("sessions", "Connections that are open.", "protocol"),
            {"mail": status.mail.limiter.total, "gtp": status.gtp.count},
        )
        about = "Running processes of engines."
        yield _labelled_gauge("engine_processes", about, "engine", status.engines.pool.processes)
        about = "1 for each present trouble, by its name in `godaemon status`."
        trouble = GaugeMetricFamily("godaemon_trouble", about, labels=["name", "severity"])
        for name, severity in dict.fromkeys((one.name, one.severity) for one in status.troubles()):
            trouble.add_metric([name, severity.name.lower()], 1)
        yield trouble

    def _measured_gauges(self) -> Iterator[Metric]:
        found, now = self._status.monitor.measured, self._status.core.clock.now()
        waits = (now - found.oldest_due).total_seconds() if found.oldest_due else 0.0
        for name, about, number in (
            ("queue_letters", "Emails that could go out now.", found.due),
            ("queue_oldest_seconds", "How long the oldest of them has been due.", max(waits, 0.0)),
            ("quarantine_letters", "Emails in quarantine because of a bug.", found.quarantine),
            ("letters_unwritten", "Emails of ours that could not be written.", found.unwritten),
            ("clocks_running", "Games in which a clock runs.", found.clocks),
            ("disk_free_bytes", "Free bytes on the disk with the games.", found.disk_free),
            ("wal_bytes", "The size of SQLite's log of changes.", found.wal),
        ):
            if number is not None:
                yield GaugeMetricFamily(f"godaemon_{name}", about, value=number)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with closing(writer), suppress(OSError, EOFError, TimeoutError, asyncio.LimitOverrunError):
            async with asyncio.timeout(REQUEST_TIMEOUT):
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
                foreign = not all(map(is_loopback, _HOST.findall(head)))
                status, kind, body = self._answer(*head.split()[:2], foreign=foreign)
                length = f"Content-Type: {kind}\r\nContent-Length: {len(body)}\r\n"
                writer.write(f"HTTP/1.1 {status}\r\n{length}Connection: close\r\n\r\n".encode())
                writer.write(body if not head.startswith("HEAD ") else b"")
                await writer.drain()

    def _answer(self, method: str = "", path: str = "", *, foreign: bool) -> tuple[str, str, bytes]:
        """The status, content type and body of the answer; rejects a `foreign` host."""
        text = "text/plain; charset=utf-8"
        match path.partition("?")[0]:
            case _ if foreign:  # DNS rebinding: a web page could read the metrics
                return "421 Misdirected Request", text, b"Only the host localhost is served here.\n"
            case _ if method not in {"GET", "HEAD"}:
                return "405 Method Not Allowed", text, b"Only GET is answered here.\n"
            case "/metrics":
                encode, kind = choose_encoder("")
                return "200 OK", kind, encode(self._registry)
            case "/health":
                troubles = self._status.troubles()
                # For other troubles a load balancer need not choose another daemon.
                fit = UNFIT_TROUBLES.isdisjoint(one.name for one in troubles)
                words = " ".join(one.sentence for one in troubles).split() or ["ok"]
                status = "200 OK" if fit else "503 Service Unavailable"
                return status, text, f"{' '.join(words)}\n".encode()
        return "404 Not Found", text, b"There are /metrics and /health.\n"
