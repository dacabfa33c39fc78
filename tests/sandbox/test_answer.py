from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.match import Fault
from sandbox import answer

ID = "00112233aabbccdd"


def line(action: str) -> bytes:
    return f'{{"id":"{ID}","action":{json.dumps(action)}}}'.encode()


@given(st.text(max_size=50))
def test_an_action_is_read_as_json_reads_it_or_refused(text: str) -> None:
    read = answer.read(line(text), ID)

    assert read == text if text.isprintable() else isinstance(read, Fault)


@given(st.binary(max_size=200))
def test_no_bytes_at_all_make_the_reader_fail(data: bytes) -> None:
    assert isinstance(answer.read(data, ID), Fault)


@given(st.binary(max_size=60))
def test_whatever_stands_between_the_quotes_is_one_text_or_refused(data: bytes) -> None:
    read = answer.read(b'{"id":"%b","action":"' % ID.encode() + data + b'"}', ID)

    if not isinstance(read, Fault):
        assert read == json.loads(b'"' + data + b'"')
        assert read.isprintable()


def test_an_escaped_text_is_read_as_what_it_means() -> None:
    assert answer.read(b'{"action":"\\u0061\\"b", "id":"%b"}' % ID.encode(), ID) == 'a"b'


@pytest.mark.parametrize(
    ("data", "word"),
    [
        (b'{"id":"%b","action":"a","action":"b"}', "twice"),
        (b'{"id":"%b","\\u0061ction":"a","action":"b"}', "twice"),
        (b'{"id":"%b","action":NaN}', "NaN"),
        (b'{"id":"%b","action":-Infinity}', "Infinity"),
        (b'{"id":"%b","action":1e400}', "a text"),
        (b'{"id":"%b","action":null}', "a text"),
        (b'{"id":"%b","action":["a"]}', "a text"),
        (b'{"id":"%b"}', "nothing else"),
        (b'{"id":"%b","action":"a","more":1}', "nothing else"),
        (b'["%b"]', "not an object"),
        (b'{"id":"%b","action":"\\u0000"}', "characters"),
        (b'{"id":"%b","action":"\\ud800"}', "characters"),
        (b'{"id":"%b","action":"\xff"}', "UTF-8"),
        (b'{"id":"%b","action":"a"}{}', "not JSON"),
    ],
)
def test_the_refusal_says_what_is_wrong(data: bytes, word: str) -> None:
    read = answer.read(data.replace(b"%b", ID.encode()), ID)

    assert isinstance(read, Fault)
    assert read.kind == "protocol"
    assert word in read.sentence


def test_an_answer_to_another_question_is_refused() -> None:
    read = answer.read(line("a"), "ffffffffffffffff")

    assert isinstance(read, Fault)
    assert "another" in read.sentence


def test_a_deeply_nested_answer_is_refused() -> None:
    read = answer.read(b'{"id":' + b"[" * 60000, ID)

    assert isinstance(read, Fault)
