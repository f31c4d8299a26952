"""What is shown of a store: tables, sections, figures."""
