"""No bytes make a reader raise, and every problem is well formed.

Two minutes of the same, with other files each time, are `python tests/fuzz/run.py`; what that has found is in corpus/.
"""

import gzip

import pytest
from hypothesis import HealthCheck, given
from lanes import examples
from hypothesis import strategies as st

from reader_kinds import READERS, read
from spoiling import ALL_KINDS, SEEDS, check, spoilt_file
from tdtsql.errors import Problems


def test_every_reader_has_a_valid_seed():
    assert SEEDS.keys() == READERS.keys()
    for kind, seeds in SEEDS.items():
        for seed in seeds:
            problems = Problems("file")
            read(kind, seed, problems)
            assert problems.found == [], kind


@pytest.mark.parametrize("kind", sorted(ALL_KINDS))
@examples(default=3, full=60, suppress_health_check=[HealthCheck.too_slow])
@given(chance=st.randoms(use_true_random=False))
def test_a_spoilt_file_never_raises(kind, chance):
    check(kind, *spoilt_file(kind, chance))


@examples(default=2, full=60)
@given(data=st.binary(max_size=200))
def test_arbitrary_bytes_never_raise(data):
    for kind in READERS:
        check(kind, data)
        check(kind, data, "file.tsv")
        check(kind, data, "file.gz")


@examples(default=3, full=60)
@given(text=st.text(max_size=200))
def test_arbitrary_text_never_raises(text):
    for kind in READERS:
        check(kind, text.encode("utf-8", "surrogatepass"))


@examples(default=20, full=200)
@given(cut=st.integers(0, 200), kind=st.sampled_from(sorted(READERS)))
def test_a_cut_gzip_never_raises(cut, kind):
    check(kind, gzip.compress(SEEDS[kind][0], mtime=0)[:cut], "file.gz")
