"""The web UI in headless Chromium, at three widths; run with `-m browser`."""

import socket
import threading
import time
from urllib.parse import quote

import pytest
from browser import chromium, complaints, requests

pytestmark = pytest.mark.browser

PAGES = [
    "/",
    "/run?condition=trk-eng-1&run=osprey",
    "/topic?condition=trk-eng-1&topic=70001",
    "/number?condition=trk-eng-1&run=osprey&metric=c_det_norm",
    "/condition?condition=trk-eng-1",
    "/metrics",
    "/metric?metric=c_det_norm",
    "/compare?condition=trk-eng-1",
    "/sql?q=select+*+from+report.score",
    "/cookbook",
    "/sql?name=worst_topics&run=osprey",
    "/ledger",
]


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
second_driver = pytest.fixture(scope="module")(chromium)


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


def test_the_colours_of_the_editor_lie_where_its_letters_are(driver, address):
    sql = (
        "select count(*) /* all */ as n, 'it''s', 1.5e3\nfrom report.score -- here\n"
        + "\n".join(f"-- line {number}" for number in range(40))
        + f"\nwhere true and '{'long ' * 60}' = \"from\""
    )
    driver.get(f"{address}/sql?q={quote(sql)}")
    spans = driver.execute_script(
        "return [...document.querySelectorAll('.paint span')].map((span) => [span.className.slice(4), "
        "span.textContent])"
    )

    assert spans[:10] == [
        ["keyword", "select"],
        ["function", "count"],
        ["comment", "/* all */"],
        ["keyword", "as"],
        ["text", "'it''s'"],
        ["number", "1.5e3"],
        ["keyword", "from"],
        ["comment", "-- here"],
        ["comment", "-- line 0"],
        ["comment", "-- line 1"],
    ]
    assert spans[-4:] == [["keyword", "where"], ["keyword", "true"], ["keyword", "and"], ["text", f"'{'long ' * 60}'"]]
    assert driver.find_element("css selector", ".paint").get_attribute("textContent") == sql + "\n"
    # typed on, scrolled and made smaller: the same size, the same height of all lines, the same place
    for width in (390, 1280):
        driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False},
        )
        driver.find_element("id", "q").send_keys(" or 1")
        driver.execute_script(
            "const editor = document.getElementById('q'); editor.scrollTop = 1e6; editor.style.height = '200px'; "
            "editor.scrollTop = 1e6"
        )
        time.sleep(0.3)
        of = (
            "const of = document.querySelector(arguments[0]); return [of.clientWidth, of.clientHeight, of.scrollTop, "
            "of.scrollHeight]"
        )
        editor, below = driver.execute_script(of, "#q"), driver.execute_script(of, ".paint")
        assert (
            editor[2] > 100
            and below[:3] == pytest.approx(editor[:3], abs=1)
            and below[3] == pytest.approx(editor[3], abs=20)
        )
    driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    assert driver.execute_script("return getComputedStyle(document.getElementById('q')).color") == "rgba(0, 0, 0, 0)"


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
