"""What Python's parser reads and the engine refuses stands in `refused.json` with the reason, and nothing else does.

`python test_parsed.py` prints the rows that the table has to have, without their reasons.
"""

import json
import pathlib
import sys
import tempfile

import engine
import texts

HERE = pathlib.Path(__file__).parent
PROTO = HERE / "kinds.proto"
MESSAGE = "kinds.v1.Kinds"


def inputs(message_class):
    """Field (empty: the whole message), text, and the line that is read."""
    for field in message_class.DESCRIPTOR.fields:
        for text in [*texts.NUMBERS, *map(json.dumps, texts.WORDS), *texts.OTHERS]:
            yield field.name, text, f'{{"{field.name}": {text}}}'
    for text in texts.WHOLES:
        yield "", text, text


def compare(folder):
    """Which field and text Python reads and the engine refuses by which rule; what both read but not alike."""
    classes, pool = engine.load(PROTO, folder)
    message_class = classes[MESSAGE]
    asked = list(inputs(message_class))
    refused, unlike = {}, []
    for (field, text, line), answer in zip(asked, engine.coerce(PROTO, MESSAGE, [it[2] for it in asked]), strict=True):
        theirs = engine.read(message_class, line, pool)
        if theirs is None:
            continue
        violations = answer["report"]["violations"]
        if violations:
            refused[field, text] = violations[0]["rule"]
            continue
        ours = engine.read(message_class, engine.text_of(answer["value"]), pool)
        if ours is None or engine.means(ours, pool) != engine.means(theirs, pool):
            unlike.append((field, text, answer["value"]))
    return refused, unlike


def listed(name):
    """The rows of a table by field and text."""
    rows = json.loads((HERE / name).read_text(encoding="utf-8"))["rows"]
    found = {(field, text): row for row in rows for field in row["fields"] for text in row["texts"]}
    assert len(found) == sum(len(row["fields"]) * len(row["texts"]) for row in rows), "a text stands in two rows"
    assert all(row["reason"] for row in rows)
    return found


def test_what_python_reads_and_we_refuse_is_listed_with_its_reason(tmp_path):
    refused, _ = compare(tmp_path)
    expected = {place: row["rule"] for place, row in listed("refused.json").items()}
    assert refused == expected


def test_what_both_read_means_the_same_but_for_what_is_listed(tmp_path):
    _, unlike = compare(tmp_path)
    assert {(field, text) for field, text, _ in unlike} == set(listed("unlike.json"))


def rows(places):
    """Places by rule and texts, then by fields, so that a person can read them."""
    by_texts = {}
    for field, rule in {(field, rule) for (field, _), rule in places.items()}:
        among = tuple(text for (other, text), its in places.items() if other == field and its == rule)
        by_texts.setdefault((rule, among), []).append(field)
    for (rule, among), fields in sorted(by_texts.items()):
        yield {"rule": rule, "fields": sorted(fields), "texts": list(among), "reason": ""}


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        REFUSED, UNLIKE = compare(temporary)
        json.dump({"rows": list(rows(REFUSED))}, sys.stdout, ensure_ascii=False, indent=1)
        json.dump({"rows": list(rows({(f, t): "" for f, t, _ in UNLIKE}))}, sys.stdout, ensure_ascii=False, indent=1)
        print(*UNLIKE, sep="\n", file=sys.stderr)
