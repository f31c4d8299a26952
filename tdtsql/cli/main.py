"""The command `tdtsql`: nouns, each in a module of its own that is loaded when it is called."""

import gc
import importlib
import sys

import click

#: noun -> (module below tdtsql.cli, one line of help); the order is that of the help page
COMMANDS = {
    "evaluate": ("evaluate", "Load everything a bundle names, and print the scores."),
    "example": ("example", "Write the bundled example evaluation into a folder."),
    "run": ("run", "Add, check, list, show and drop runs."),
    "corpus": ("corpus", "Add, list, show and drop corpora."),
    "score": ("score", "Print numbers of the loaded runs."),
    "compare": ("compare", "Compare runs topic by topic."),
    "report": ("report", "The HTML report, the leaderboard, drawings of curves."),
    "metric": ("metric", "What is computed, how, and who says so."),
    "adjudicate": ("adjudicate", "Candidates for re-annotation, and what new judgments change."),
    "ledger": ("ledger", "What was done to the store, and whether that is still true."),
    "explain": ("explain", "Follow one number down to the files it came from."),
    "audit": ("audit", "Ask the store every invariant."),
    "archive": ("archive", "A store in one file that another machine can compute again."),
    "verify": ("verify", "Compute a number again from its signature."),
    "copy": ("copy", "Copy the store into a new file or database."),
    "export": ("export", "Write the store as Parquet files."),
    "sql": ("sql", "Ask the store in SQL."),
}


class LazyGroup(click.Group):
    """A group whose commands are imported when they are called: help comes at once."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        module = importlib.import_module(f"tdtsql.cli.{COMMANDS[name][0]}")
        return module.command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="tdtsql", prog_name="tdtsql")
def cli() -> None:
    """The evaluation database for topic detection and tracking, filtering and temporal summarization.

    Load corpus, judgments and system outputs once; every official number is a SQL view.
    """


def main() -> None:
    """Run the command line; errors that a user can mend are printed, not raised."""
    from tdtsql.errors import InvalidInput, InvalidQuery, TdtsqlError, UnknownName

    # the rows of a file all stay until it is stored: looking for cycles among them takes time and finds none
    gc.set_threshold(100_000, 20, 20)
    try:
        cli(standalone_mode=False)
    except click.exceptions.Exit as stop:
        sys.exit(stop.exit_code)
    except click.Abort:
        click.echo("Stopped.", err=True)
        sys.exit(130)
    except click.ClickException as error:
        error.show()
        sys.exit(2)
    except InvalidInput as error:
        from tdtsql.cli.output import print_problems

        print_problems(error.problems, is_refused=True)
        sys.exit(1)
    except TdtsqlError as error:
        click.echo(str(error), err=True)
        sys.exit(2 if isinstance(error, UnknownName | InvalidQuery) else 1)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)
    except OSError as error:  # a file that may not be read, a folder that may not be written to, a full disk
        click.echo(f"{error.filename or 'tdtsql'}: {error.strerror or error}.", err=True)
        sys.exit(1)


if __name__ == "__main__":
    main()
