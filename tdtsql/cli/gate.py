"""`tdtsql gate`: a gate for continuous evaluation."""

import click

from tdtsql.cli.options import NEW_FILE, format_option, method_options, missing_option, store_options
from tdtsql.cli.output import print_rows, say
from tdtsql.output_file import check_writable, write_whole
from tdtsql.progress import counting
from tdtsql.report.tables import PEOPLE


@click.command("gate")
@click.argument("run", metavar="NEW")
@click.argument("baseline", metavar="BASELINE")
@click.option(
    "--fail-if",
    "rules",
    multiple=True,
    required=True,
    metavar="RULE",
    help="Fail where NEW is worse than BASELINE by more than RULE allows, and significantly; repeatable. For example "
    "'c_det_norm > +0.02', 'c_det_norm > +5%', 'f1[language=ENGLISH] < -0.01' ([*]: every subset).",
)
@click.option(
    "--alpha", type=float, default=0.05, show_default=True, help="Corrected p values below this are significant."
)
@click.option(
    "--baseline-id", "baseline_run", metavar="RUN", help="The baseline's name in its file, where it is not that of NEW."
)
@click.option("--markdown", "markdown_path", type=NEW_FILE, metavar="FILE", help="Write the verdicts as markdown.")
@click.option("--json", "json_path", type=NEW_FILE, metavar="FILE", help="Write the verdicts as JSON.")
@click.option("--junit", "junit_path", type=NEW_FILE, metavar="FILE", help="Write the verdicts as JUnit XML.")
@click.option("--condition", "conditions", multiple=True, help="Only these conditions; repeatable.")
@click.option("-p", "--profile", "profiles", multiple=True, help="Only these scoring profiles; repeatable.")
@click.option("--subset", "subsets", multiple=True, help="For example language=ENGLISH (default all); repeatable.")
@missing_option("common")
@method_options
@store_options
@format_option
def command(run, baseline, rules, requested, opened, format_, **chosen) -> None:
    """Fail where run NEW is significantly worse than BASELINE by more than a rule allows.

    BASELINE is a run, an archive (.zip), or another store (.duckdb). Exit codes: 0 nothing failed
    (undecided rules are listed on stderr), 1 a rule is broken, 2 a wrong call, such as an invalid rule. P values are
    corrected over all conditions, profiles and subsets that are compared.
    """
    from tdtsql.gate import output
    from tdtsql.gate.gate import gate
    from tdtsql.gate.rule import parse_rule

    parsed = [parse_rule(text) for text in dict.fromkeys(rules)]
    writers = {"markdown": output.markdown, "json": output.as_json, "junit": output.junit}
    files = [(chosen.pop(f"{kind}_path"), write) for kind, write in writers.items()]
    for path, _ in files:
        if path is not None:
            check_writable(path)  # before the work, not after it
    with opened.scored() as (store, progress):
        step = counting(progress, requested.n_permutation + requested.n_draw, "comparing")
        found = gate(store.engine, run, baseline, parsed, requested=requested, progress=step, **chosen)
    for path, write in files:  # before anything is printed
        if path is not None:
            write_whole(path, write(found).encode())
    rows = [output.as_row(check) for check in found.checks]
    columns = output.short_columns(found) if format_ in PEOPLE else list(output.COLUMNS)
    print_rows(
        columns,
        [[row[name] for name in columns] for row in rows],
        format_,
        keep=("verdict", "condition_id", "rule", "difference", "p_adjusted"),
    )
    for check in found.checks:
        if check.reasons:
            say(f"{output.heading(check)}: {check.note}.", err=True)
    for note in found.notes:
        say(note, err=True)
    say(found.summary, err=True)
    if found.failed:
        raise click.exceptions.Exit(1)
