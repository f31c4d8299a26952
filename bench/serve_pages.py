"""Start `serve` of a store, ask for pages of the web UI and stop it: python bench/serve_pages.py TDTSQL

The store is the one of TDTSQL_DB, that of Bagga's bundle. Each page is asked for once after the start and twice more.
"""

import os
import re
import socket
import subprocess
import sys
import time
import urllib.request

PAGES = [
    "/",
    "/run?condition=large&run=R1&profile=tdt2004",
    "/topic?condition=large&topic=t1&profile=tdt2004",
    "/number?condition=large&run=R1&profile=tdt2004&metric=c_det_norm",
    "/compare?condition=large&profile=tdt2004&run=R1&run=R2",
    "/metrics",
]


def wait_for(port: int) -> None:
    """Wait until the server accepts connections: it prints its address before it does."""
    while True:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return
        except ConnectionRefusedError:
            time.sleep(0.02)


def main(tdtsql: str) -> None:
    process = subprocess.Popen(
        [tdtsql, "serve", "--port", "0", "--db", os.environ["TDTSQL_DB"]], stderr=subprocess.PIPE, text=True
    )
    try:
        port = re.search(r":(\d+)/", process.stderr.readline())[1]
        wait_for(int(port))
        for _ in range(3):
            for page in PAGES:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}{page}") as answer:
                    answer.read()
    finally:
        process.terminate()
        process.wait()


if __name__ == "__main__":
    main(sys.argv[1])
