"""The cookbook: saved queries as SQL files in ``sql/query``, each with parameters and a contract."""
