"""Layouts of keys and score files: recognised by content, read to the words of a tidy file, refused with what to
say; files of which the lines show the format: fixtures/malformed/read.toml.
"""

import pytest

from rows_of_files import read_key
from tdtsql.errors import Problems
from tdtsql.load.trial_layouts import IDS, Options, find_layout

KEYS = {
    "asvspoof (2021 CM, 8 fields)": "LA_1 LA_E_9 alaw ita_tx A07 spoof notrim eval",
    "asvspoof (2021 ASV, 8 fields)": "LA_1-alaw LA_E_9-alaw alaw ita_tx bonafide nontarget notrim eval",
    "asvspoof (2021 PA, 12 fields)": "PA_1 PA_E_1 R3 M3 d4 r1 m1 s4 c4 spoof notrim eval",
    "asvspoof (2021 DF, 13 fields)": "LA_2 DF_E_2 nocodec asvspoof A14 spoof notrim progress vocoder - - - -",
    "asvspoof (5 track 1, 10 fields)": "E_1607 E_0009538969 M C05 3 E_0000500002 AC1 A28 spoof -",
    "asvspoof (5 track 2, 5 fields)": "E_1607 E_0009538969 F A28 spoof",
    "asvspoof (2019, 5 fields)": "LA_0039 LA_E_2834763 - A11 spoof",
    "asvspoof (5, scores of the baseline)": "E_1 E_2 -0.5 bonafide",
    "kaldi (3 fields, label last)": "enrol sid_dev/sp0032/test.wav imp",
    "voxceleb (3 fields, label first)": "1 a.wav b.wav",
    "wespeaker (4 fields)": "id1 id2.wav 0.25 nontarget",
    "speechbrain (4 fields)": "id1 id2 1 0.912345",
}


def ids(trials):
    return {name: trials.columns[name] for name in IDS if name in trials.columns}


def read(lines, *, is_key=True, has_pairs=None, format_=None, **spec):
    problems = Problems("key.txt" if "," not in lines[0] else "key.csv")
    data = "".join(f"{line}\n" for line in lines).encode()
    return read_key(format_, is_key, data, problems, has_pairs, **spec), problems.found


@pytest.mark.parametrize("name", KEYS)
def test_a_line_tells_its_layout(name):
    found = find_layout([KEYS[name]], Options(is_key=True))
    assert str(found) in (name, name.partition(" (")[0]) and f"{found.format} ({found.line.name})" == name


def test_a_third_label_is_ignored_or_of_non_targets():
    lines = [f"m{number} u{number} F - {word}" for number, word in enumerate(("target", "nontarget", "spoof"))]
    assert read(lines, ignore_label="spoof")[0].columns["label"] == [True, False]
    assert read(lines, nontarget_label=["nontarget", "spoof"])[0].columns["label"] == [True, False, False]


@pytest.mark.parametrize(("first", "second"), [("real", "fake"), ("Y", "N")])
def test_words_that_are_used_both_ways_are_named(first, second):
    lines = ["file,speaker,label", f"a.wav,A B,{first}", f"b.wav,C,{second}", f"c.wav,D,{second}"]
    trials, problems = read(lines, target_label=first, nontarget_label=[second], id_suffix=".wav")
    assert (
        not problems
        and trials.columns["label"] == [True, False, False]
        and trials.columns["trial_id"] == ["a", "b", "c"]
    )
    assert trials.attributes == {"speaker": ["A B", "C", "D"]}


@pytest.mark.parametrize("option", ["trial_column", "label_column"])
def test_a_column_that_the_key_does_not_have_is_refused(option):
    """A key with a column trial_id was read by that one, whatever trial_column said."""
    message, advice = find_layout(["trial_id,label", "a,target"], Options(**{option: "utt"}))

    assert (message, advice) == ("missing column utt, expected one of trial_id, label", f"Correct {option}.")


def test_what_is_ambiguous_is_refused_with_the_option():
    message, advice = find_layout(["a b 0 1", "c d 1 0"], Options(is_key=True))
    assert "fields 3 and 4 are 0 or 1" in message and "speechbrain" in advice
    assert read(["a b 0 1", "c d 1 0"], format_="speechbrain")[0].columns["label"] == [False, True]
    header = "spk\tfilename\tcm-score\tasv-score\tsasv-score"
    message, advice = find_layout([header], Options(is_key=False))
    assert "3 columns of scores" in message and 'score_column = "sasv-score"' in advice
    scores, _ = read([header, "E_1\tE_2\t-\t-\t-1.5"], is_key=False, score_column="sasv-score")
    assert (ids(scores), scores.columns["score"]) == ({"trial_id": ["E_1"], "test_id": ["E_2"]}, [-1.5])


def test_three_numbers_are_two_ids_and_a_score_where_the_key_has_pairs():
    scores, _ = read(["1272 7001 0.5", "1272 7002 nan"], is_key=False, has_pairs=True)
    assert ids(scores) == {"trial_id": ["1272"], "test_id": ["7001"]}
    assert find_layout(["1272 7001 0.5"], Options(is_key=False), has_pairs=False).format == "kaldi"


@pytest.mark.parametrize(
    ("lines", "options", "labels"),
    [
        (["s f - A1 fake", "s g - - real"], {"target_label": "real", "nontarget_label": "fake"}, [False, True]),
        (
            ["s f M C 3 E AC1 A28 fake -", "s g F - - - - real real -"],
            {"target_label": "real", "nontarget_label": "fake"},
            [False, True],
        ),
        (["yes a b", "no a c"], {"target_label": "yes", "nontarget_label": "no"}, [True, False]),
        (["file,label", "a.wav,genuine", "b.wav,forged"], {"target_label": "genuine"}, [True, False]),
        (["file,label", "a.wav,bonafide", "b.wav,forged"], {"nontarget_label": "forged"}, [True, False]),
        (["target a b", "nontarget a c"], {}, [True, False]),
    ],
)
def test_a_layout_has_the_words_that_are_named(lines, options, labels):
    trials, problems = read(lines, **options)
    assert trials.columns["label"] == labels and problems == []


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (["a b yes", "a c no"], "the labels would be 'yes' (1), 'no' (1)"),
        (["a b target x", "a c nontarget x"], "4 fields, and no layout has such lines"),
        (["a b c d e f g h i spoof k"], "The nearest layouts are asvspoof (5 track 1, 10 fields): SPEAKER TRIAL_ID"),
        (["1 a 1", "0 b 0"], "fields 1 and 3 are 0 or 1"),
    ],
)
def test_what_fits_no_layout_is_compared_with_the_nearest(lines, said):
    message, advice = find_layout(lines, Options(is_key=True))
    assert said in message and advice


def test_scores_whose_label_may_be_either_of_two_fields():
    """They were read as a tidy table, of which the header was missing."""
    message, _ = find_layout(["a b 0 1", "c d 1 0"], Options(is_key=False), format_="tidy")
    assert "fields 3 and 4 are 0 or 1" in message
