"""The web UI in headless Chromium, at three widths; run with `-m browser`."""

import socket
import threading
import time
from urllib.parse import quote

import pytest
from browser import chromium, complaints, requests, when_loaded

pytestmark = pytest.mark.browser

PAGES = [
    "/",
    "/run?condition=trk-eng-1&run=osprey",
    "/topic?condition=trk-eng-1&topic=70001",
    "/number?condition=trk-eng-1&run=osprey&metric=c_det_norm&topic=70001",
    "/metrics",
    "/metric?name=c_det_norm&task=tracking",
    "/compare?condition=trk-eng-1&run=osprey&run=sparrow&run=kestrel",
    "/sql?q=select+*+from+report.score",
    "/cookbook",
    "/question?name=worst_topics&run=osprey",
    "/ledger",
    "/audit",
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
    WebDriverWait(driver, 10).until(lambda d: d.find_elements("css selector", "table tbody th"))

    assert driver.find_element("css selector", "table tbody th").text == "35"
    assert "data=" in driver.current_url and "report.leaderboard" in driver.current_url


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
    for page in ("/metric?name=c_det_norm&task=tracking", "/question?name=worst_topics"):
        driver.get(address + page)
        block = driver.find_element("css selector", "pre.sql")
        assert ["keyword", "select"] in driver.execute_script(
            "return [...arguments[0].querySelectorAll('span')].map((span) => [span.className.slice(4), "
            "span.textContent])",
            block,
        )


@pytest.mark.parametrize(
    "page",
    [
        f"/sql?q={quote('select run_id, condition_id, value from report.leaderboard')}&sort=3&down=1",
        "/question?name=leaderboard&condition=trk-eng-1&sort=7",
    ],
)
def test_an_address_gives_the_same_in_a_second_browser(driver, second_driver, address, page):
    said = []
    driver.get(address + page)
    for browser in (driver, second_driver):
        browser.get(driver.current_url)
        said.append(
            [
                browser.execute_script(
                    "return [...document.querySelectorAll('main tr')].map((row) => [...row.children].map((cell) => "
                    "cell.textContent))"
                ),
                browser.execute_script(
                    "return [...document.querySelectorAll('form select, form input, form textarea')].map((field) => "
                    "field.name + ' ' + field.value)"
                ),
            ]
        )

    assert "data=" in driver.current_url
    assert said[0] == said[1] and len(said[0][0]) > 5


def test_a_column_is_sorted_by_its_head(driver, address):
    driver.get(f"{address}/sql?q={quote('select run_id, value from report.leaderboard')}")
    driver.find_element("css selector", "thead th:nth-child(2) a").click()
    when_loaded(driver, "sort=2")

    assert driver.find_element("css selector", "thead th:nth-child(2)").get_attribute("aria-sort") == "ascending"
    values = [
        float(cell.text)
        for cell in driver.find_elements("css selector", "tbody td:nth-child(2)")
        if cell.text != "NULL"
    ]
    assert values == sorted(values) and len(values) == 35


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


def test_the_way_from_the_leaderboard_to_a_line_is_clicks(driver, address):
    driver.get(f"{address}/")
    driver.find_element("css selector", ".board tbody td:nth-child(3) a").click()
    when_loaded(driver, "/number?")
    assert "Computation" in driver.page_source
    topics = driver.find_elements("css selector", "section:last-of-type tbody td:nth-child(2) a")
    driver.execute_script("arguments[0].click()", topics[0])
    when_loaded(driver, "topic=")

    assert "Lines of the input files" in driver.page_source and "What counted" in driver.page_source
    closed = next(
        step for step in driver.find_elements("css selector", "main details") if not step.get_attribute("open")
    )
    summary = closed.find_element("css selector", "summary")
    driver.execute_script("arguments[0].scrollIntoView({block: 'center'}); arguments[0].focus()", summary)
    summary.send_keys("\ue007")  # Enter
    assert closed.get_attribute("open") is not None
