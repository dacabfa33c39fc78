import pytest

from tests.docs.transcript import record, settled, shown


@pytest.mark.jail
def test_the_session_in_the_page_is_byte_for_byte_what_a_bot_and_the_referee_say():
    before, after = shown()
    lines = record()

    assert settled(before) == settled(lines)[: len(before)]
    assert settled(after) == settled(lines[-len(after) :])
    assert before[0] == ("<- ", '{"ready":1}')
    assert after[-1][1].startswith('{"type":"end",')
