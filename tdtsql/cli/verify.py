"""`tdtsql verify`: a number again, from its signature."""

import click

from tdtsql.cli.options import StoreOption, format_option, store_options
from tdtsql.cli.output import print_rows, say
from tdtsql.errors import format_value


@click.command("verify")
@click.argument("signature")
@store_options
@format_option
def command(signature, opened: StoreOption, format_) -> None:
    """Recompute the number (or comparison) of SIGNATURE, and report which part differs."""
    from tdtsql.report.verifying import is_comparison, verify

    with opened.inspect() as store:
        found = verify(signature, store.engine)
    rows = [(part.name, part.signed, part.now, "yes" if part.agrees else "NO") for part in found.parts]
    print_rows(("part", "signed", "now", "agrees"), rows, format_)
    if not found:
        different = ", ".join(part.name for part in found.parts if not part.agrees)
        say(f"run {found.run} in {found.condition}: {different} differ.", err=True)
        raise click.exceptions.Exit(1)
    what = "compared again" if is_comparison(signature) else format_value(found.value)
    say(
        f"{'runs' if is_comparison(signature) else 'run'} {found.run} in {found.condition}: {what}, as signed.",
        err=True,
    )
