"""The exit statuses of the command line, by sysexits.h.

0 success, 64 wrong usage, 65 success except for damaged parts, 69 no daemon runs, 70 internal error
or damaged data, 74 input or output error, 75 try again later, 78 wrong configuration; 1 is any
other refusal.
"""

import errno

from godaemon import errors

EXIT_REFUSED, EXIT_USAGE, EXIT_DAMAGED, EXIT_UNAVAILABLE = 1, 64, 65, 69
EXIT_SOFTWARE, EXIT_IO, EXIT_TEMPORARY, EXIT_CONFIG, EXIT_INTERRUPTED = 70, 74, 75, 78, 130
_PASSING_ERRORS = {errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EAGAIN, errno.EINTR, errno.EIO}


def status_of(error: errors.GodaemonError) -> int:
    """The exit status of an error, for scripts and systemd.

    Our units do not restart a daemon after a configuration error. So a file that cannot be read for
    lack of descriptors or memory is a temporary error.
    """
    if isinstance(error, errors.ConfigError):
        return EXIT_TEMPORARY if _may_pass(error) else EXIT_CONFIG
    if isinstance(error, errors.Temporary):
        return EXIT_TEMPORARY
    if isinstance(error, errors.Corrupt):
        return EXIT_SOFTWARE
    return EXIT_UNAVAILABLE if isinstance(error, errors.NotRunning) else EXIT_REFUSED


def _may_pass(fault: BaseException) -> bool:
    """True if the cause is a temporary system error."""
    cause = fault.__cause__ or fault.__context__
    return cause is not None and (
        getattr(cause, "errno", None) in _PASSING_ERRORS or _may_pass(cause)
    )
