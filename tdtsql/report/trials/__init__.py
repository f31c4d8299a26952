"""Scored trials in the HTML report and the web UI: tables of subsets x runs, scores by class and attribute."""
