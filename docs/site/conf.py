"""Settings of Sphinx for the documentation; `build.py` brings the pages together."""

project = "tdtsql"
author = "tdtsql contributors"
extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
root_doc = "index"
exclude_patterns = ["site", "notebook/README.md"]
myst_heading_anchors = 3
myst_enable_extensions = ["deflist", "fieldlist", "attrs_inline"]
suppress_warnings = [
    "misc.highlighting_failure"
]  # SQL with macros, TOML with dots: shown plain where the highlighter gives up
html_theme = "furo"
html_title = "tdtsql"
html_static_path = ["static"]
html_css_files = ["tdtsql.css"]
html_show_sourcelink = False
html_show_sphinx = False
html_copy_source = False
html_show_copyright = False
# nothing is fetched when a page is looked at: no web fonts, no icons from elsewhere, the search runs in the browser
# over its own index
html_theme_options = {"top_of_page_buttons": [], "footer_icons": []}
pygments_style = "friendly"
pygments_dark_style = "monokai"
