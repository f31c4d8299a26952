"""The cluster map in headless Chromium: readable at the width of a telephone, a tablet and a desktop, by day and by
night; run with `-m browser`.
"""

import shutil
import socket
import threading
import time
from pathlib import Path

import pytest
from browser import chromium, complaints

import tdtsql

pytestmark = pytest.mark.browser

EXAMPLE = Path(__file__).resolve().parents[2] / "fixtures" / "example" / "clusters"
driver = pytest.fixture(scope="module")(chromium)

#: width of the window and of all that is in it, height of the smallest letters in pixels, colours of the text, of the
#: page, of bars and ribbons; whether the drawing can be moved by keyboard
LOOK = """
    const drawing = document.querySelector('.flow'), svg = drawing.querySelector('svg');
    const text = svg.querySelector('text');
    const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
    const fills = nodes => [...nodes].map(node => getComputedStyle(node).fill);
    return {page: [document.documentElement.clientWidth, document.documentElement.scrollWidth],
        letters: parseFloat(getComputedStyle(text).fontSize) * scale,
        ink: getComputedStyle(text).fill, paper: getComputedStyle(document.body).backgroundColor,
        bars: fills(svg.querySelectorAll('rect')), ribbons: fills(svg.querySelectorAll('path')),
        moves: drawing.scrollWidth > drawing.clientWidth, focus: drawing.tabIndex};
"""


@pytest.fixture(scope="module")
def addresses(tmp_path_factory):
    """The report in a file, and a run's page of the web UI."""
    uvicorn = pytest.importorskip("uvicorn")
    from tdtsql.serve.app import application
    from tdtsql.serve.server import Server

    folder = tmp_path_factory.mktemp("flow")
    shutil.copytree(EXAMPLE, folder / "clusters")
    with tdtsql.evaluate(folder / "clusters" / "bundle.toml", db=folder / "x.duckdb") as store:
        store.report(folder / "report.html")
    server = Server(str(folder / "x.duckdb"))
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        running = uvicorn.Server(
            uvicorn.Config(application(server), log_level="warning", lifespan="off", timeout_graceful_shutdown=1)
        )
        thread = threading.Thread(target=running.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        while not running.started:
            time.sleep(0.05)
        yield {
            "report": (folder / "report.html").as_uri(),
            "server": f"http://127.0.0.1:{listening.getsockname()[1]}/run?condition=events&run=broad",
        }
        running.should_exit = True
        thread.join(10)
    server.close()


def looked(driver, address: str, width: int, scheme: str) -> dict:
    driver.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    )
    driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride", {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    )
    try:
        driver.get(address)
        found = driver.execute_script(LOOK)
    finally:
        driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    assert complaints(driver) == []
    return found


def light(colour: str) -> float:
    """Return the relative luminance of ``rgb(r, g, b)`` (WCAG 2.2)."""
    parts = [int(part) / 255 for part in colour[colour.index("(") + 1 : -1].split(",")[:3]]
    return sum(
        weight * (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4)
        for weight, part in zip((0.2126, 0.7152, 0.0722), parts, strict=True)
    )


def contrast(one: str, other: str) -> float:
    dark, bright = sorted((light(one), light(other)))
    return (bright + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("where", ["report", "server"])
@pytest.mark.parametrize("width", [390, 800, 1280])
def test_names_are_readable_and_nothing_runs_off_the_side(driver, addresses, where, width):
    found = looked(driver, addresses[where], width, "light")

    assert 9.5 <= found["letters"] <= 13
    assert found["page"][1] <= found["page"][0]
    assert found["moves"] == (width == 390) and found["focus"] == 0


@pytest.mark.parametrize("where", ["report", "server"])
def test_colours_are_those_of_the_page_by_day_and_by_night(driver, addresses, where):
    day, night = (looked(driver, addresses[where], 1280, scheme) for scheme in ("light", "dark"))

    for found in (day, night):
        assert contrast(found["ink"], found["paper"]) >= 4.5
        assert min(contrast(fill, found["paper"]) for fill in found["bars"]) >= 3 - 0.05
    assert day["paper"] != night["paper"] and all(
        one != other for one, other in zip(day["bars"] + day["ribbons"], night["bars"] + night["ribbons"], strict=True)
    )
