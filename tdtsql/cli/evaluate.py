"""`tdtsql evaluate`: the main job."""

import dataclasses
from pathlib import Path

import click

from tdtsql.cli.filling import store_to_fill
from tdtsql.cli.options import (
    NEW_FILE,
    OLD_FILE,
    StoreOption,
    by_option,
    format_option,
    new_store_options,
    signature_option,
)
from tdtsql.cli.output import counted, print_problems, print_rows, say
from tdtsql.cli.progress import progress_bar
from tdtsql.cli.score import print_runs
from tdtsql.output_file import check_page
from tdtsql.report.tables import PEOPLE


@click.command("evaluate")
@click.argument("bundle", type=OLD_FILE)
@click.option("--check", is_flag=True, help="Read and report every problem; store nothing.")
@click.option("--report", "page", type=NEW_FILE, metavar="OUT.html", help="Write the HTML report as well.")
@by_option
@new_store_options
@signature_option
@format_option
def command(bundle, check, page, opened: StoreOption, format_) -> None:
    """Load everything BUNDLE names, print the scores (runs x metrics, as `tdtsql score` does).

    Every file is read; what has the content that is stored is not stored or scored again. Problems are
    printed on stderr. With an error in any file nothing is stored and the exit code is 1. As a table, the
    main numbers of each run are printed; in the other formats all of report.score.
    """
    from tdtsql.loading.bundle import evaluate_into

    if page is not None and not check:
        check_page(page)
    with store_to_fill(":memory:" if check else opened.path, trace=opened.trace) as store, progress_bar() as progress:
        report = evaluate_into(store.engine, bundle, progress=progress, score=not check)
        print_problems(report.warnings)
        for line in report.notes:
            say(line, err=True)
        if check:
            if format_ != "table":
                print_rows(
                    "code path line column message value advice".split(),
                    [dataclasses.astuple(warning)[:7] for warning in report.warnings],
                    format_,
                )
            n_warning = sum(problem.n for problem in report.warnings)
            say(
                f"{bundle}: {counted(len(report.loaded), 'part')} read, {counted(n_warning, 'warning')}, no errors.",
                err=format_ != "table",
            )
        elif format_ not in PEOPLE:
            found = store.score()
            print_rows(found.columns, found.fetchall(), format_)
        else:
            print_runs(store.score().pivot(), format_)
        if page is not None and not check:
            from tdtsql.report.write import write_report

            size = write_report(
                store.engine,
                page,
                title=bundle_title(bundle),
                progress=progress,
                tell=lambda sentence: say(sentence, err=True),
            )
            say(f"Wrote {page} ({size / 1e6:.1f} MB).", err=True)
        if not check and opened.path != ":memory:" and format_ == "table":
            say(
                f"Scored {counted(report.n_scored, 'run')}. Print all scores with `tdtsql score --long --db "
                f"{store.path}`.",
                err=True,
            )


def bundle_title(bundle: Path) -> str:
    """Return the headline of a bundle's report."""
    import tomllib

    return f"Evaluation report: {tomllib.loads(bundle.read_text(encoding='utf-8-sig')).get('name', bundle.stem)}"
