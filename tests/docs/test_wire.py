import pytest

from tests.docs.transcript import record, settled, shown


@pytest.mark.jail
def test_the_session_in_the_page_is_what_a_bot_and_the_referee_say():
    before, after = shown()
    lines = record()

    real = settled(lines)

    assert settled(before) == real[: len(before)]
    assert [
        {k: v for k, v in told.items() if k not in ("id", "cpu_left_ms")} for _, told in after
    ] == [
        {k: v for k, v in told.items() if k not in ("id", "cpu_left_ms")}
        for _, told in lines[-len(after) :]
    ]
    assert before[0][1] == {"ready": 1}
    assert after[-1][1]["type"] == "end"
