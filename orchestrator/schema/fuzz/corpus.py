"""Corpora as text: one input a line, what is not printable ASCII and the backslash as `\\xNN`.

    corpus.py unpack TARGET FOLDER    the committed inputs of a target, and its seeds, as files
    corpus.py pack TARGET FOLDER      the files of a minimised corpus as the committed inputs
"""

import hashlib
import itertools
import json
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
DATA = HERE.parents[2] / "tests" / "data"
# How many bytes a committed corpus may have.
LIMIT = 1_000_000
PLAIN = frozenset(range(0x20, 0x7F)) - {ord("\\")}


def line(data):
    return "".join(chr(byte) if byte in PLAIN else f"\\x{byte:02x}" for byte in data)


def read(text):
    return re.sub(rb"\\x([0-9a-f]{2})", lambda found: bytes([int(found[1], 16)]), text.encode())


def cases():
    """The table of cases as inputs of `coerce`: the letter of the message by its place in the file, and the text."""
    names = re.findall(r"^message (\w+)", (DATA / "cases.proto").read_text(encoding="utf-8"), re.MULTILINE)
    for case in json.loads((DATA / "coercion.json").read_text(encoding="utf-8"))["cases"]:
        if case["message"] not in names:
            continue
        text = case["input"]
        if repeat := case.get("repeat"):
            # Long inputs slow a fuzzer down and show it nothing new.
            text = text.replace("@", repeat["text"].replace("#", "0") * min(repeat["count"], 3))
        yield bytes([ord("A") + names.index(case["message"])]) + text.encode()


def committed(target):
    """The minimised corpus, and what broke something once."""
    files = [HERE / folder / f"{target}.txt" for folder in ("corpus", "found")]
    return [read(text) for file in files if file.exists() for text in file.read_text(encoding="ascii").splitlines()]


def unpack(target, folder):
    inputs = [*committed(target), *(cases() if target == "coerce" else [])]
    folder.mkdir(parents=True, exist_ok=True)
    for data in inputs:
        (folder / hashlib.sha256(data).hexdigest()[:16]).write_bytes(data)


def pack(target, folder):
    lines = sorted({line(file.read_bytes()) for file in folder.iterdir()} - {""}, key=lambda it: (len(it), it))
    sizes = itertools.accumulate(len(it) + 1 for it in lines)
    # The shortest first: what is left out is what costs most.
    kept = [it for it, size in zip(lines, sizes, strict=True) if size <= LIMIT]
    (HERE / "corpus").mkdir(exist_ok=True)
    (HERE / "corpus" / f"{target}.txt").write_text("".join(it + "\n" for it in kept), encoding="ascii")


if __name__ == "__main__":
    {"unpack": unpack, "pack": pack}[sys.argv[1]](sys.argv[2], pathlib.Path(sys.argv[3]))
