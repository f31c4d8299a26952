"""The report opened in headless Chromium; run with `-m browser`."""

import re

import pytest
from browser import chromium, complaints, requests
from made_up_report import synthetic_report
from small_bundle import add_hierarchy, write_small_bundle

import tdtsql
from tdtsql.report.page import render_page

pytestmark = pytest.mark.browser

driver = pytest.fixture(scope="module")(chromium)


@pytest.fixture
def page(driver, tmp_path):
    """The report of six runs and forty topics, opened and drawn."""
    from selenium.webdriver.support.ui import WebDriverWait

    path = tmp_path / "report.html"
    path.write_text(render_page(synthetic_report(6, 40)), encoding="utf-8")
    driver.get_log("performance")
    driver.get(path.as_uri())
    WebDriverWait(driver, 20).until(lambda d: d.execute_script("return window.tdtsqlReport?.ready === true"))
    yield driver
    assert complaints(driver) == []


def count(driver, selector: str) -> int:
    return driver.execute_script("return document.querySelectorAll(arguments[0]).length", selector)


def press(driver, selector: str) -> None:
    """Click what ``selector`` finds, in the middle of the window: not below the menu that stays on top."""
    found = driver.find_element("css selector", selector)
    driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", found)
    found.click()


SEEN = "return [...document.querySelectorAll(arguments[0])].filter((part) => part.getClientRects().length).length"


def test_curves_are_drawn_and_a_run_is_switched_off(page):
    assert page.execute_script(SEEN, "#det-chart path.curve") == 6
    assert count(page, "#det-chart path.minimum") == 6 and count(page, "#det-chart path.iso") > 2

    press(page, '#det input[data-run="2"]')

    assert page.execute_script(SEEN, "#det-chart path.curve") == 5
    assert page.execute_script(SEEN, '#det-chart [data-run="System02"] path.curve') == 0
    assert page.find_element("id", "live").get_attribute("textContent") == "System02 hidden"
    assert page.switch_to.active_element.get_attribute("data-run") == "2"  # the keyboard stays where it was


def test_weighting_and_subset_are_chosen(page):
    page.execute_script(
        "const box = document.querySelector('#det-subset'); box.value = 'language=ENGLISH'; box.dispatchEvent(new "
        "Event('change'))"
    )
    assert "language=ENGLISH" in page.find_element("css selector", "#det-chart svg").get_attribute("aria-label")


def test_a_table_is_sorted_and_filtered(page):
    def column(index):
        return page.execute_script(
            "return [...document.querySelectorAll('#topic-table tbody tr')].map((row) => "
            "row.children[arguments[0]].textContent)",
            index,
        )

    assert column(0)[0] == "55001"
    page.execute_script("document.querySelectorAll('#topic-table thead button')[1].click()")
    means = [float(text) for text in column(1)]
    assert means == sorted(means), "a cost: the first click shows the best first"
    assert (
        page.execute_script("return document.querySelectorAll('#topic-table th')[1].getAttribute('aria-sort')")
        == "ascending"
    )
    page.execute_script("document.querySelectorAll('#topic-table thead button')[1].click()")
    assert [float(text) for text in column(1)] == sorted(means, reverse=True)
    page.execute_script("document.querySelectorAll('#topic-table thead button')[2].click()")
    spreads = [float(text) for text in column(2)]
    assert spreads == sorted(spreads, reverse=True), "a number without a better end: the largest first"
    page.find_element("id", "topic-filter").send_keys("5503")
    assert set(column(0)) == {f"5503{digit}" for digit in range(10)}


def test_the_best_value_of_a_topic_is_bold(page):
    weights = page.execute_script(
        "const row = document.querySelector('#topic-table tbody tr'); return "
        "[...row.querySelectorAll('button')].map((b) => [Number(b.textContent), getComputedStyle(b).fontWeight])"
    )
    best = min(value for value, _ in weights)
    assert {weight for value, weight in weights if value == best} == {"700"}
    assert {weight for value, weight in weights if value != best} == {"400"}


def test_a_table_is_one_stop_for_tab_and_arrow_keys_walk_in_it(page):
    assert count(page, '#topic-table button.value[tabindex="0"]') == 1
    first = page.find_element("css selector", '#topic-table button.value[tabindex="0"]')
    page.execute_script("arguments[0].focus()", first)
    first.send_keys("\ue014")  # right
    page.switch_to.active_element.send_keys("\ue015")  # down
    place = page.execute_script(
        "const cell = document.activeElement.parentElement; return [cell.parentElement.rowIndex, cell.cellIndex]"
    )
    assert place == [2, 4]
    assert count(page, '#topic-table button.value[tabindex="0"]') == 1


def test_the_sql_of_a_number_is_one_click_away(page):
    press(page, "#summary button.value")

    assert page.find_element("id", "recipe").get_attribute("open") is not None
    assert page.find_element("id", "recipe-sql").text.startswith("select")
    assert page.find_element("id", "recipe-signature").text.startswith("c_det_norm:v1|w:topic|profile:tdt2004")
    page.switch_to.active_element.send_keys("\ue00c")  # Escape
    assert page.find_element("id", "recipe").get_attribute("open") is None
    page.execute_script("document.querySelector('#topic-table td button').click()")
    assert "System00 on 55001" in page.find_element("id", "recipe-title").text


def test_the_other_conditions_show_their_own_charts(page):
    assert not page.find_element("id", "tau").is_displayed()
    for board, shown, hidden in (("1", "tau", "det"), ("2", "hierarchy", "tau")):
        page.execute_script(
            "const box = document.querySelector('#board'); box.value = arguments[0]; box.dispatchEvent(new "
            "Event('change'))",
            board,
        )
        assert page.find_element("id", shown).is_displayed()
        assert not page.find_element("id", hidden).is_displayed()
    assert count(page, "#hierarchy-chart li") == 61


def test_the_heat_map_and_distributions_are_complete(page):
    assert count(page, "#heat-chart rect[data-topic]") == 6 * 40
    assert count(page, "#score-charts figure") == 6


@pytest.mark.parametrize("width", [1280, 420])
def test_nothing_runs_off_the_side(page, width):
    page.set_window_size(width, 1000)
    overflow = page.execute_script("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
    page.set_window_size(1280, 1000)
    assert overflow <= 0


def test_dark_mode_changes_the_paper_and_the_ink(page):
    def colours():
        return page.execute_script(
            "const style = getComputedStyle(document.body); return [style.backgroundColor, style.color]"
        )

    button = page.find_element("id", "theme")
    button.click()
    light = colours()
    button.click()
    dark = colours()
    button.click()
    assert light == ["rgb(255, 255, 255)", "rgb(28, 35, 48)"]
    assert dark == ["rgb(20, 24, 31)", "rgb(232, 235, 240)"]


def test_no_request_leaves_the_page(page):
    asked = requests(page)
    assert asked
    assert all(url.startswith(("file:", "data:", "blob:")) for url in asked)


def test_names_are_not_markup_in_the_tables_either(page):
    assert count(page, "#problem-table img") == 0
    assert "<img src=x" in page.find_element("id", "problem-table").text


@pytest.mark.smoke
def test_the_report_of_a_real_store_opens_without_a_complaint(driver, tmp_path):
    from selenium.webdriver.support.ui import WebDriverWait

    bundle = write_small_bundle(tmp_path / "bundle", gap=True)
    add_hierarchy(bundle)
    path = tmp_path / "report.html"
    with tdtsql.evaluate(bundle) as store:
        store.report(path)
    driver.get(path.as_uri())
    WebDriverWait(driver, 20).until(lambda d: d.execute_script("return window.tdtsqlReport?.ready === true"))

    assert count(driver, "#det-chart path.curve") == 3
    press(driver, "#det-recipe")
    assert "metric.detection_det_curve__v1" in driver.find_element("id", "recipe").text
    driver.switch_to.active_element.send_keys("\ue00c")
    press(driver, "#summary button.value")
    assert "left join metric.detection_rate__v1 using" in driver.find_element("id", "recipe-sql").text
    driver.switch_to.active_element.send_keys("\ue00c")
    driver.execute_script(
        "const box = document.querySelector('#board'); box.value = '2'; box.dispatchEvent(new Event('change'))"
    )
    assert count(driver, "#hierarchy-chart details:first-child li") == 16
    assert complaints(driver) == []


def test_what_was_written_for_each_condition_follows_the_choice(page):
    """Of the parts of a section that stand for conditions only the chosen one is shown; a section without one is
    hidden.
    """
    shown = """return [...document.querySelectorAll('[data-board]')]
        .filter((part) => !part.hidden).map((part) => part.dataset.board)"""
    choose = (
        "const box = document.getElementById('board'); box.value = arguments[0]; box.dispatchEvent(new Event('change'))"
    )
    everything = page.execute_script(
        "return [...document.querySelectorAll('[data-board]')].map((part) => part.dataset.board)"
    )
    values = page.execute_script("return [...document.getElementById('board').options].map((option) => option.value)")
    assert everything and set(values) - set(everything), "some boards have such parts, some have none"
    for value in values:
        page.execute_script(choose, value)
        assert page.execute_script(shown) == [board for board in everything if board == value]
        hidden = page.execute_script("return document.getElementById('compare').hidden")
        assert hidden == (
            value
            not in page.execute_script(
                "return [...document.querySelectorAll('#compare [data-board]')].map((part) => part.dataset.board)"
            )
        )
    page.execute_script(choose, values[0])


def test_a_command_in_a_dialog_is_complete(page):
    page.execute_script("document.querySelector('button[data-score]').click()")
    command = page.execute_script(
        "return [...document.querySelectorAll('#recipe pre')].map((pre) => pre.textContent).find((text) => "
        "text.startsWith('tdtsql'))"
    )
    page.execute_script("document.getElementById('recipe').close()")
    assert re.fullmatch(r"tdtsql explain \S+ \S+ --condition \S+ --profile \S+( --db \S+)?", command), command
