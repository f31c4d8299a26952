"""The local copy of a store that lies in another engine."""

from inside import LocalCopy


class Behind:
    """What stands for the other engine: it knows whether it was ended."""

    title, version, is_open = "nothing", "1", True

    def close(self):
        self.is_open = False


def test_a_connection_beside_it_leaves_the_engine_behind_open():
    copy = LocalCopy(Behind())

    copy.cursor().close()
    assert copy.remote.is_open

    copy.close()
    assert not copy.remote.is_open
