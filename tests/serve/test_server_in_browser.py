"""The web UI in headless Chromium, at three widths; run with `-m browser`."""

import socket
import threading
import time

import pytest
from browser import chromium, complaints, requests

pytestmark = pytest.mark.browser

PAGES = (
    "/ /run?condition=trk-eng-1&run=osprey /topic?condition=trk-eng-1&topic=70001 "
    "/number?condition=trk-eng-1&run=osprey&metric=c_det_norm /condition?condition=trk-eng-1 /metrics "
    "/metric?metric=c_det_norm /compare?condition=trk-eng-1 /sql?q=select+*+from+report.score /cookbook "
    "/sql?name=worst_topics&run=osprey /ledger"
).split()


@pytest.fixture(scope="module")
def address(server):
    """The server on a free port, served in another thread."""
    uvicorn = pytest.importorskip("uvicorn")
    from tdtsql.serve.app import application

    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        running = uvicorn.Server(
            uvicorn.Config(application(server), log_level="warning", lifespan="off", timeout_graceful_shutdown=1)
        )
        thread = threading.Thread(target=running.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        while not running.started:
            time.sleep(0.05)
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        running.should_exit = True
        thread.join(10)


driver = pytest.fixture(scope="module")(chromium)


@pytest.mark.parametrize("width", [390, 800, 1280])
def test_nothing_runs_off_the_side_and_no_policy_is_broken(driver, address, width):
    driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride", {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    )
    wide = {}
    for page in PAGES:
        driver.get(address + page)
        over = driver.execute_script(
            "return document.documentElement.scrollWidth - document.documentElement.clientWidth"
        )
        said = complaints(driver)
        if over > 0 or said:
            wide[page] = (over, said)
    driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    assert wide == {}


@pytest.mark.smoke
def test_no_request_leaves_the_desk(driver, address):
    driver.get_log("performance")
    for page in PAGES:
        driver.get(address + page)
    asked = requests(driver)

    assert len(asked) > len(PAGES)
    assert [url for url in asked if not url.startswith((address, "data:"))] == []


def test_the_editor_runs_with_the_keyboard(driver, address):
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.ui import WebDriverWait

    driver.get(f"{address}/sql")
    editor = driver.find_element("id", "q")
    editor.clear()
    editor.send_keys("select count(*) as n from report.leaderboard")
    ActionChains(driver).key_down(Keys.CONTROL).send_keys(Keys.ENTER).key_up(Keys.CONTROL).perform()
    WebDriverWait(driver, 10).until(lambda d: d.find_elements("css selector", "table tbody td"))

    assert driver.find_element("css selector", "table tbody td").text == "35"
    assert "report.leaderboard" in driver.current_url


def test_sql_on_other_pages_has_colours_too(driver, address):
    for page in ("/metric?metric=c_det_norm",):
        driver.get(address + page)
        block = driver.find_element("css selector", "pre.sql")
        assert ["keyword", "select"] in driver.execute_script(
            "return [...arguments[0].querySelectorAll('span')].map((span) => [span.className.slice(4), "
            "span.textContent])",
            block,
        )


def test_dark_mode_stays_from_page_to_page(driver, address):
    def paper():
        return driver.execute_script("return getComputedStyle(document.body).backgroundColor")

    driver.get(f"{address}/")
    button = driver.find_element("id", "theme")
    button.click()
    light = paper()
    button.click()
    assert (light, paper(), button.text) == ("rgb(255, 255, 255)", "rgb(20, 24, 31)", "Colours: dark")
    driver.get(f"{address}/sql")
    assert paper() == "rgb(20, 24, 31)"
    driver.find_element("id", "theme").click()
