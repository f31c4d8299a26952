"""Tidy tables from bytes and from columns, as the loading modules read them."""

from tdtsql.reader.scan import column_rows, text_rows
from tdtsql.reader.tidy import tidy_table


def read_tidy(data, problems, form, *, delimiter=","):
    """Return the rows of a CSV (``delimiter`` ``,``) or TSV (tab) file of a form of ``FORMS``."""
    return tidy_table(text_rows(data, problems, delimiter), problems, form)


def check_columns(form, columns, problems):
    """Return the checked rows of a table given as columns; problems name rows, from 1, as lines."""
    return tidy_table(column_rows(columns), problems, form)
