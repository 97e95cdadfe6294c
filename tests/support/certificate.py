"""Self-signed certificates for localhost, made with the `openssl` command."""

import atexit
import functools
import shutil
import subprocess
import tempfile
from pathlib import Path


def make_certificate(
    folder: Path, name: str = "first", names: str = "DNS:localhost,IP:127.0.0.1", days: int = 2
) -> tuple[Path, Path]:
    """Write a certificate and its key; `names` are its DNS names and IP addresses."""
    certificate, key = folder / f"{name}.crt", folder / f"{name}.key"
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-nodes", "-days", str(days)]
    command += ["-pkeyopt", "ec_paramgen_curve:prime256v1", "-subj", f"/CN={name}"]
    command += ["-addext", f"subjectAltName={names}"]
    command += ["-keyout", str(key), "-out", str(certificate)]
    subprocess.run(command, check=True, capture_output=True)
    key.chmod(0o600)
    return certificate, key


@functools.cache
def localhost() -> Path:
    """A PEM file with a certificate for localhost and its key, shared by all tests of a run."""
    folder = Path(tempfile.mkdtemp(prefix="godaemon-tls-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return in_one_file(*make_certificate(folder, "localhost"))


def in_one_file(certificate: Path, key: Path) -> Path:
    """Write certificate and key to one file, for `SSLContext.load_cert_chain`."""
    both = certificate.with_suffix(".pem")
    both.touch(mode=0o600)
    both.write_bytes(key.read_bytes() + certificate.read_bytes())
    return both
