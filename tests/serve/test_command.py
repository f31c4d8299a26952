"""`tdtsql serve` as a process: what it prints, whom it answers, how it ends."""

import http.client
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytest.importorskip("uvicorn")

LISTENING = Path("/proc/net/tcp")


@pytest.fixture
def serving(example_store):
    """Start the command on a free port; gives (process, port)."""
    started = []

    def start(*options: str) -> tuple[subprocess.Popen, int]:
        process = subprocess.Popen(
            [sys.executable, "-m", "tdtsql", "serve", "--db", str(example_store), "--port", "0", *options],
            stderr=subprocess.PIPE,
            text=True,
        )
        started.append(process)
        line = process.stderr.readline()
        [port] = re.findall(r"example\.duckdb, read-only: http://127\.0\.0\.1:(\d+)/  Ctrl-C ends\.", line)
        for _ in range(200):
            try:
                http.client.HTTPConnection("127.0.0.1", int(port), timeout=60).connect()
                break
            except ConnectionRefusedError:
                time.sleep(0.05)
        return process, int(port)

    yield start
    for process in started:
        process.kill()
        process.wait()


def asked(port: int, address: str, method: str = "GET", host: str | None = None) -> tuple[int, str]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request(method, address, headers={"Host": host} if host else {})
    answer = connection.getresponse()
    return answer.status, answer.read().decode()


def test_it_answers_this_machine_alone_and_ends_with_ctrl_c(serving):
    process, port = serving()

    assert asked(port, "/cookbook")[0] == 200 and "worst_topics" in asked(port, "/cookbook")[1]
    assert [asked(port, "/", method)[0] for method in ("POST", "PUT", "DELETE")] == [405, 405, 405]
    assert [
        asked(port, "/cookbook", host=host)[0] for host in (f"localhost:{port}", "example.org", f"example.org:{port}")
    ] == [200, 421, 421]
    if LISTENING.exists():  # at 127.0.0.1 and not at 0.0.0.0
        rows = [line.split() for line in LISTENING.read_text().splitlines()[1:]]
        assert [row[1] for row in rows if row[1].endswith(f":{port:04X}") and row[3] == "0A"] == [
            f"0100007F:{port:04X}"
        ]
    process.send_signal(signal.SIGINT)
    process.wait(30)


def test_a_name_that_is_allowed_is_answered(serving):
    _, port = serving("--allow-host", "desk.example.org")

    assert [asked(port, "/cookbook", host=host)[0] for host in ("desk.example.org", "other.example.org")] == [200, 421]
