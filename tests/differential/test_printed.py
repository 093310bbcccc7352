"""What Python's protobuf prints for random messages of random types is taken as it is, and means the same."""

import itertools
import random

import pytest
from google.protobuf import json_format

import engine
import messages
import schemas

SCHEMAS = 60
MESSAGES = 25
PRINTERS = [
    {
        "preserving_proto_field_name": names,
        "always_print_fields_with_no_presence": defaults,
        "use_integers_for_enums": numbers,
    }
    for names, defaults, numbers in itertools.product([False, True], [False, True], [False, True])
]


@pytest.mark.parametrize("seed", range(SCHEMAS))
def test_what_is_printed_is_taken_and_means_the_same(seed, tmp_path):
    drawn = random.Random(seed)
    proto = tmp_path / f"drawn{seed}.proto"
    proto.write_text(schemas.proto(drawn), encoding="utf-8")
    classes, pool = engine.load(proto, tmp_path)
    message_class = classes["drawn.v1.M0"]
    non_finite = schemas.non_finite(proto.read_text())
    draw = messages.Draw(drawn, pool, lambda field: (field.containing_type.name, field.name) in non_finite)
    sent = [draw.message(message_class) for _ in range(MESSAGES)]
    lines, meant = [], []
    for message, printer in itertools.product(sent, PRINTERS):
        lines.append(json_format.MessageToJson(message, indent=None, descriptor_pool=pool, **printer))
        meant.append(engine.means(message, pool))
    for line, expected, answer in zip(lines, meant, engine.coerce(proto, "drawn.v1.M0", lines), strict=True):
        problem = difference(message_class, expected, answer, pool)
        assert problem is None, f"{line}\n{problem}\n{proto.read_text()}"


def difference(message_class, expected, answer, pool):
    """What is wrong with the engine's answer to a message that means `expected`."""
    if answer["report"]["violations"]:
        return f"is refused: {answer['report']['violations']}"
    text = engine.text_of(answer["value"])
    taken = engine.read(message_class, text, pool)
    if taken is None:
        return f"became what Python does not read: {text}"
    meant = engine.means(taken, pool)
    return None if meant == expected else f"became {meant}\nshould be {expected}"


@pytest.mark.parametrize("number", [2**53, -(2**53), 1e22, 1.7976931348623157e308])
def test_an_integer_beyond_a_double_in_a_struct_becomes_text_on_the_record(number):
    """Where the two differ on purpose: such digits name a record more often than they measure something."""
    proto = engine.REPOSITORY / "tests/differential/kinds.proto"
    (answer,) = engine.coerce(proto, "kinds.v1.Kinds", [f'{{"value": {int(number)}}}'])
    assert answer["value"] == {"value": str(int(number))}
    assert [entry["rule"] for entry in answer["report"]["entries"]] == ["NUMBER_TO_TEXT"]
