"""A standalone Spark cluster on the loopback interface, started and ended by the tests that need one."""

import os
import signal
import socket
import subprocess
import time
from pathlib import Path


class Cluster:
    """A master and its workers, each in a separate process group."""

    def __init__(self, folder: Path, n_worker: int = 2, memory: str = "2g"):
        """Start them; one core and ``memory`` for each worker.

        Raises:
            TimeoutError: they are not up within a minute.
        """
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.port = _free_port()
        self.address = f"spark://127.0.0.1:{self.port}"
        self._master = self._start(
            "master",
            "org.apache.spark.deploy.master.Master",
            "--host",
            "127.0.0.1",
            "--port",
            str(self.port),
            "--webui-port",
            "0",
        )
        self._await("master", "I have been elected leader")
        self.memory = memory
        self.workers: list[subprocess.Popen] = []
        for _ in range(n_worker):
            self.add_worker()

    def add_worker(self) -> None:
        name = f"worker{len(self.workers)}"
        self.workers.append(
            self._start(
                name,
                "org.apache.spark.deploy.worker.Worker",
                "--host",
                "127.0.0.1",
                "--cores",
                "1",
                "--memory",
                self.memory,
                "--webui-port",
                "0",
                "--work-dir",
                str(self.folder / name),
                self.address,
            )
        )
        self._await(name, "Successfully registered with master")

    def kill_worker(self, number: int) -> None:
        """Kill a worker and its executor, without a word."""
        os.killpg(self.workers[number].pid, signal.SIGKILL)
        self.workers[number].wait()

    def close(self) -> None:
        for process in [*self.workers, self._master]:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()

    def _start(self, name: str, *command: str) -> subprocess.Popen:
        import pyspark

        home = Path(pyspark.__file__).parent
        local = self.folder / f"{name}-local"
        local.mkdir()
        environment = {
            **os.environ,
            "SPARK_HOME": str(home),
            "SPARK_DAEMON_MEMORY": "384m",
            "SPARK_LOCAL_DIRS": str(local),
            "SPARK_LOCAL_IP": "127.0.0.1",
            "SPARK_WORKER_DIR": str(self.folder / name),
        }
        with (self.folder / f"{name}.log").open("w") as log:
            return subprocess.Popen(
                [str(home / "bin" / "spark-class"), *command],
                stdout=log,
                stderr=log,
                env=environment,
                start_new_session=True,
            )

    def _await(self, name: str, says: str) -> None:
        end = time.monotonic() + 60
        while says not in (self.folder / f"{name}.log").read_text(errors="replace"):
            if time.monotonic() > end:
                self.close()
                raise TimeoutError(
                    f"Spark's {name} is not up: {(self.folder / f'{name}.log').read_text(errors='replace')[-1000:]}"
                )
            time.sleep(0.1)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
