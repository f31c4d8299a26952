"""The cookbook: questions that evaluations are asked, as SQL files in ``sql/query``, with parameters and a contract
each.
"""
