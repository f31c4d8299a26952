"""Headless Chromium, driven by Selenium, for tests marked `browser`. It makes no requests of its own, and records the
console errors and requests of pages.

Needs chromium and chromedriver on the PATH and the extra `browser`.
"""

import json
import shutil
from collections.abc import Iterator

import pytest

FLAGS = (
    "--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --force-prefers-reduced-motion --window-size=1280,1000"
).split()


def chromium() -> Iterator:
    """Yield a new browser, and end it; skip if none is installed. Body of the fixtures `driver` and
    `second_driver`.
    """
    webdriver = pytest.importorskip("selenium.webdriver")
    from selenium.webdriver.chrome.service import Service

    program, chromedriver = shutil.which("chromium"), shutil.which("chromedriver")
    if not program or not chromedriver:
        pytest.skip("chromium and chromedriver are not installed")
    options = webdriver.ChromeOptions()
    for flag in FLAGS:
        options.add_argument(flag)
    options.binary_location = program
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})

    class Browser(webdriver.Chrome):
        def get(self, url: str) -> None:
            super().get(url)
            when_loaded(self)

    driver = Browser(options=options, service=Service(chromedriver))
    yield driver
    driver.quit()


def when_loaded(driver, part: str = "") -> None:
    """Wait until a page is wholly there whose address has ``part``: on a busy machine the driver's own waiting ends
    before that, now and then.
    """
    from selenium.webdriver.support.ui import WebDriverWait

    WebDriverWait(driver, 30).until(
        lambda d: part in d.current_url and d.execute_script("return document.readyState") == "complete"
    )


def complaints(driver) -> list[str]:
    """Return the severe console messages since the last call."""
    return [entry["message"] for entry in driver.get_log("browser") if entry["level"] == "SEVERE"]


def requests(driver) -> list[str]:
    """Return the addresses requested since the last call."""
    return [
        json.loads(entry["message"])["message"]["params"]["request"]["url"]
        for entry in driver.get_log("performance")
        if '"Network.requestWillBeSent"' in entry["message"]
    ]
