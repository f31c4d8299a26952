"""Duplicates file of 2015: pairs of update ids with the same text, one pair a line.

Code   Meaning
W500   a bad row, skipped as the track's program does
E511   a line with fewer than two ids
"""

from tdtsql.errors import Problems
from tdtsql.reader.ts_rows import Counted, FileRules, byte_lines, split_blanks, text_of


def read_ts_duplicates(data: bytes, problems: Problems, rules: FileRules) -> dict[str, str]:
    """Return the update of the same text of each update id, both ways; the last line that names an id counts."""
    duplicates: dict[str, str] = {}
    counted = Counted(problems)
    for line, text in byte_lines(data, problems):
        parts = split_blanks(text)
        if len(parts) >= 2:
            first, second = text_of(parts[0]), text_of(parts[1])
            duplicates[second] = first
            duplicates[first] = second
        elif parts:
            counted.add(
                "W500" if rules.skips_bad_rows else "E511",
                "one id, expected two" + ("; line skipped" if rules.skips_bad_rows else ""),
                "" if rules.skips_bad_rows else "Write two update ids, or drop the line.",
                line,
                value=text.strip(),
            )
    counted.report()
    return duplicates
