"""The report opened in headless Chromium; run with `-m browser`."""

import pytest
from browser import chromium, complaints, requests

import tdtsql
from tdtsql.show.report import report

pytestmark = pytest.mark.browser

driver = pytest.fixture(scope="module")(chromium)


@pytest.fixture(scope="module")
def file(example_store, tmp_path_factory):
    path = tmp_path_factory.mktemp("report") / "report.html"
    with tdtsql.connect(str(example_store), read_only=True) as store:
        path.write_text(report(store.engine), encoding="utf-8")
    return path


@pytest.fixture
def page(driver, file):
    from selenium.webdriver.support.ui import WebDriverWait

    driver.get_log("performance")
    driver.get(file.as_uri())
    WebDriverWait(driver, 20).until(lambda d: d.execute_script("return window.tdtsqlReport?.ready === true"))
    yield driver
    assert complaints(driver) == []


def choose(driver, selector, value):
    driver.execute_script(
        "const box = document.querySelector(arguments[0]); box.value = arguments[1]; box.dispatchEvent(new "
        "Event('change', {bubbles: true}))",
        selector,
        value,
    )


SEEN = "return [...document.querySelectorAll(arguments[0])].filter((part) => part.getClientRects().length).length"


def column(driver, section, at):
    return driver.execute_script(
        "return [...document.querySelectorAll(`#${arguments[0]} tbody tr`)].map((row) => "
        "row.children[arguments[1]].textContent)",
        section,
        at,
    )


def test_curves_are_drawn_and_a_run_is_switched_off(page):
    assert page.execute_script(SEEN, "#det_curves path.curve") == 3
    box = page.find_element("css selector", '#det_curves input[data-run="osprey"]')
    page.execute_script("arguments[0].scrollIntoView({block: 'center'})", box)
    box.click()

    assert page.execute_script(SEEN, "#det_curves path.curve") == 2
    assert page.execute_script(SEEN, '#det_curves [data-run="osprey"] path.curve') == 0
    assert page.find_element("id", "live").get_attribute("textContent") == "osprey hidden"
    assert page.switch_to.active_element.get_attribute("data-run") == "osprey"  # the keyboard stays where it was


def test_another_choice_and_another_condition_are_drawn(page):
    before = page.find_element("css selector", "#det_curves svg.chart").get_attribute("outerHTML")
    choose(page, "#det_curves select", "story")
    assert page.find_element("css selector", "#det_curves svg.chart").get_attribute("outerHTML") != before
    assert not page.find_element("id", "over_time").is_displayed()
    numbers = page.execute_script("return [...document.querySelectorAll('#board option')].map((o) => o.textContent)")
    for name, shown, hidden in (("ts · ts-seed", "over_time", "det_curves"), ("htd-mul", "hierarchy", "over_time")):
        at = next(at for at, text in enumerate(numbers) if text.startswith(name))
        choose(page, "#board", str(at))
        assert page.find_element("id", shown).is_displayed() and not page.find_element("id", hidden).is_displayed()


def test_a_table_is_sorted_with_the_best_first_and_filtered(page):
    assert column(page, "topics_by_run", 0) == ["70001", "70002", "70003", "70006"]
    heads = page.find_elements("css selector", "#topics_by_run thead button")
    page.execute_script("arguments[0].click()", heads[4])
    values = [float(text) for text in column(page, "topics_by_run", 4)]
    assert values == sorted(values), "a cost: the first click shows the best first"
    assert page.execute_script("return document.querySelector('#topics_by_run th[aria-sort]').ariaSort") == "ascending"
    field = page.find_element("css selector", "#all_scores input[type=search]")
    page.execute_script("arguments[0].scrollIntoView({block: 'center'})", field)
    field.send_keys("osprey p_miss topic")
    assert set(column(page, "all_scores", 0)) == {"osprey"} and set(column(page, "all_scores", 1)) >= {"p_miss"}


def test_the_best_value_of_a_topic_is_bold_and_a_table_is_one_stop_for_tab(page):
    weights = page.execute_script(
        "return [...document.querySelector('#topics_by_run tbody tr').querySelectorAll('button')].map((b) => "
        "[Number(b.textContent), getComputedStyle(b).fontWeight])"
    )
    best = min(value for value, _ in weights)
    assert {weight for value, weight in weights if value == best} == {"700"}
    stops = page.find_elements("css selector", '#topics_by_run button.value[tabindex="0"]')
    assert len(stops) == 1
    page.execute_script("arguments[0].focus()", stops[0])
    stops[0].send_keys("\ue014")  # right
    page.switch_to.active_element.send_keys("\ue015")  # down
    place = "const cell = document.activeElement.parentElement; return [cell.parentElement.rowIndex, cell.cellIndex]"
    assert page.execute_script(place) == [2, 4]


def test_the_sql_of_a_number_is_one_click_away(page):
    button = page.find_element("css selector", "#leaderboard button.value")
    page.execute_script("arguments[0].scrollIntoView({block: 'center'})", button)
    button.click()

    dialog = page.find_element("id", "recipe")
    assert dialog.get_attribute("open") is not None and "tdtsql explain osprey c_det_norm --condition" in dialog.text
    assert page.find_element("css selector", "#recipe .view").text.startswith(("select", "with", "-- "))
    assert page.find_element("id", "recipe-signature").text.startswith("c_det_norm:v1|w:topic|profile:tdt2004")
    page.switch_to.active_element.send_keys("\ue00c")  # Escape
    assert dialog.get_attribute("open") is None
    page.execute_script("document.querySelector('#topics_by_run td button').click()")
    assert page.find_element("id", "recipe-title").text == "c_det_norm of kestrel on 70001"


@pytest.mark.parametrize("width", [1280, 390])
def test_nothing_runs_off_the_side_and_no_request_leaves(page, width):
    page.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride", {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    )
    over = page.execute_script("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
    page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    assert over <= 0
    assert [url for url in requests(page) if not url.startswith(("file:", "data:"))] == []
