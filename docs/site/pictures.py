"""Write the pictures of the pages: ``python docs/site/pictures.py`` (needs chromium, extras ``serve``, ``plot``)."""

import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[2]
SIZE = "--window-size=1000,640"


def screenshot(address: str, out: Path) -> None:
    """Save what a browser displays at an address."""
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--virtual-time-budget=4000", SIZE]
    subprocess.run(["chromium", *options, f"--screenshot={out}", address], check=True, capture_output=True, timeout=120)


def guide_of_scored_trials(folder: Path) -> None:
    """Run the guide up to its DET plot, and save the plot."""
    text = (ROOT / "docs" / "how-to" / "scored-trials.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```(sh|python)\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    data, bundle = (next(body for kind, body in blocks if kind == language) for language in ("python", "sh"))
    plot = """
import tdtsql

with tdtsql.evaluate("spoof.toml", db="spoof.duckdb") as store:
    store.det_plot("mine", "baseline", condition="eval", hull=True).savefig("det.png", dpi=110)
"""
    subprocess.run(["bash", "-c", bundle], cwd=folder, check=True)
    for code in (data, plot):
        subprocess.run([sys.executable, "-c", code], cwd=folder, check=True)
    (folder / "det.png").replace(ROOT / "docs" / "picture-det.png")


def main() -> None:
    command = [sys.executable, "-m", "tdtsql"]
    with TemporaryDirectory() as name:
        folder = Path(name)
        guide_of_scored_trials(folder)
        bundle = ROOT / "fixtures" / "example" / "bundle.toml"
        for arguments in (["evaluate", str(bundle)], ["report", "make", "report.html"]):
            subprocess.run(
                [*command, *arguments, "--db", "example.duckdb"], cwd=folder, check=True, capture_output=True
            )
        screenshot((folder / "report.html").as_uri(), ROOT / "docs" / "picture-report.png")
        arguments = ["serve", "--port", "0", "--db", "example.duckdb"]
        with subprocess.Popen([*command, *arguments], cwd=folder, text=True, stderr=subprocess.PIPE) as server:
            assert server.stderr is not None
            address = next(word for line in server.stderr for word in line.split() if word.startswith("http"))
            screenshot(address, ROOT / "docs" / "picture-serve.png")
            server.terminate()


if __name__ == "__main__":
    main()
