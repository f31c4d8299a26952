"""What people look at: the HTML report, tables for papers, DET drawings.

| module   | content                                                       |
|----------|---------------------------------------------------------------|
| page     | a Report (plain data) to one self-contained HTML page         |
| gather   | a store to a Report; charts: the part that is drawn            |
| write    | the Report and drawings as files                              |
| comparing | runs of a store to a comparison                              |
| standing | leaderboards with significance groups                         |
| tables   | comparisons and leaderboards for papers: LaTeX, markdown      |
| drawing  | DET curves as SVG and PDF (extra `plot`)                      |
| hierarchy_svg | a hierarchy around the best vertex of a topic            |
"""
