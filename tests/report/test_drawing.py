"""DET drawings: the same bytes, and the points of scikit-learn's DetCurveDisplay."""

import subprocess
import sys
from itertools import pairwise

import numpy as np
import pytest

pytest.importorskip("matplotlib")

from sklearn.metrics import DetCurveDisplay, det_curve

from tdtsql.errors import InvalidComparison
from tdtsql.report.charts import Curve, deviate
from tdtsql.report.figure import det_figure, draw_det

GENERATOR = np.random.default_rng(7)
TARGET = GENERATOR.random(500) < 0.2
SCORES = GENERATOR.normal(0, 1, 500) + TARGET
FALSE_ALARM, MISS, _ = det_curve(TARGET, SCORES)
CURVE = Curve("A", FALSE_ALARM[::-1].tolist(), MISS[::-1].tolist(), minimum=(0.1, 0.3), actual=(0.2, 0.2))


@pytest.mark.full
@pytest.mark.parametrize("form", ["svg", "pdf"])
def test_the_same_bytes_in_another_process(form):
    here = draw_det([CURVE], title="one run", form=form)
    code = (
        "import sys; sys.path.insert(0, 'tests/report'); import test_drawing as t\n"
        f"sys.stdout.buffer.write(t.draw_det([t.CURVE], title='one run', form={form!r}))"
    )
    there = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout

    assert here == there
    assert here.startswith(b"<?xml" if form == "svg" else b"%PDF")
    assert b"curve-0" in here or form == "pdf"


def test_axes_and_points_are_those_of_scikit_learn():
    from matplotlib.figure import Figure

    display = DetCurveDisplay(fpr=FALSE_ALARM, fnr=MISS).plot(ax=Figure().add_subplot())
    x, y = display.line_.get_xdata(), display.line_.get_ydata()
    inside = (FALSE_ALARM > 0) & (FALSE_ALARM < 1) & (MISS > 0) & (MISS < 1)  # the ends have no normal deviate

    assert inside.sum() > 100
    assert np.array([deviate(p) for p in FALSE_ALARM[inside]]) == pytest.approx(x[inside], abs=1e-12)
    assert np.array([deviate(p) for p in MISS[inside]]) == pytest.approx(y[inside], abs=1e-12)


def test_what_cannot_be_drawn_is_said():
    with pytest.raises(InvalidComparison, match="invalid image format 'png', expected one of svg, pdf."):
        draw_det([CURVE], title="", form="png")
    with pytest.raises(InvalidComparison, match="no DET curve to plot"):
        draw_det([], title="", form="svg")


def test_ticks_of_a_figure_do_not_touch():
    """From 0.01 % to 90 % there is no room for 0.2 beside 0.1."""
    curve = Curve("a", [1e-4, 0.01, 0.9], [0.95, 0.5, 0.01])
    [axes] = det_figure([curve], looks={}, title="t").axes
    labels = [label.get_text() for label in axes.get_xticklabels()]
    assert labels == ["0.01", "0.1", "0.5", "2", "5", "10", "20", "40", "60", "80", "90"]
    places = [float(place) for place in axes.get_xticks()]
    low, high = axes.get_xlim()
    assert min(b - a for a, b in pairwise(places)) * 350 / (high - low) >= 24
