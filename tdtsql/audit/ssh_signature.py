"""Signatures of files in the format of ssh-keygen, made and checked by ssh-keygen itself.

What `tdtsql archive pack --sign KEY` writes beside the archive is an ordinary SSH signature in the namespace
``tdtsql``; without tdtsql it is checked by

    ssh-keygen -Y verify -f allowed_signers -I NAME -n tdtsql -s example.zip.sig < example.zip

Source: ssh-keygen(1), sections ALLOWED SIGNERS and ``-Y``; OpenSSH 8.2 or later.
"""

import shutil
import subprocess
from pathlib import Path

from tdtsql.errors import InvalidArchive

NAMESPACE = "tdtsql"


def signature_of(path: Path) -> Path:
    """Return where the signature of a file lies."""
    return path.with_name(f"{path.name}.sig")


def sign(path: Path, key: Path) -> Path:
    """Sign a file with a private key (or with the public one, where an agent has the other); returns the signature's
    file.

    Raises:
        InvalidArchive: ssh-keygen is not there, or does not sign with this key.
    """
    signature_of(path).unlink(missing_ok=True)  # ssh-keygen would ask before it writes over one
    done = _run(["-Y", "sign", "-q", "-n", NAMESPACE, "-f", str(key), str(path)])
    if done.returncode or not signature_of(path).is_file():
        raise InvalidArchive(f"{path}: cannot be signed with {key}: {_said(done)}. The archive itself is written.")
    return signature_of(path)


def signer_of(path: Path, allowed: Path) -> str:
    """Return who signed a file, by a file of allowed signers (ssh-keygen's: a name and a public key on each line).

    Raises:
        InvalidArchive: there is no signature, it is not of this file, or of nobody who is allowed.
    """
    signature = signature_of(path)
    for needed, what in ((signature, "signature"), (allowed, "file of allowed signers")):
        if not needed.is_file():
            raise InvalidArchive(
                f"{path}: there is no {what} {needed}. `tdtsql archive pack OUT --sign KEY` writes OUT.sig; allowed "
                f"signers have a name and a public key on each line."
            )
    found = _run(["-Y", "find-principals", "-n", NAMESPACE, "-s", str(signature), "-f", str(allowed)])
    names = found.stdout.decode(errors="replace").splitlines()
    if found.returncode or not names:
        raise InvalidArchive(f"{path}: {signature} is the signature of nobody who is in {allowed}.")
    done = _run(
        ["-Y", "verify", "-n", NAMESPACE, "-s", str(signature), "-f", str(allowed), "-I", names[0]], path.read_bytes()
    )
    if done.returncode:
        raise InvalidArchive(f"{path}: {signature} is not a signature of these bytes by {names[0]}: {_said(done)}.")
    return names[0]


def _run(arguments: list[str], data: bytes = b"") -> subprocess.CompletedProcess:
    program = shutil.which("ssh-keygen")
    if program is None:
        raise InvalidArchive(
            "ssh-keygen is not installed, and signatures are made and checked by it. It comes with OpenSSH."
        )
    return subprocess.run([program, *arguments], input=data, capture_output=True, check=False)


def _said(done: subprocess.CompletedProcess) -> str:
    lines = (done.stderr or done.stdout).decode(errors="replace").strip().splitlines()
    return lines[-1].rstrip(".") if lines else f"ssh-keygen ended with {done.returncode}"
