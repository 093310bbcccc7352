"""Holds the cases of data/buf_validate.json against protovalidate itself: what it admits is "good", all else "bad".

    python3 -m venv venv && venv/bin/pip install 'protovalidate<2' grpcio-tools
    venv/bin/python orchestrator/schema/tests/buf_validate.py

tests/buf_validate.rs holds the engine against the same cases.
"""

import json
import pathlib
import sys
import tempfile

from google.protobuf import json_format
from grpc_tools import protoc

HERE = pathlib.Path(__file__).resolve().parent
RULES = HERE.parents[2] / "tests/data/proto"
STOCK = pathlib.Path(protoc.__file__).parent / "_proto"
HEAD = """syntax = "proto3"; package t;
import "buf/validate/validate.proto"; import "google/protobuf/duration.proto";
import "google/protobuf/timestamp.proto"; import "google/protobuf/wrappers.proto";
enum E { E_UNSPECIFIED = 0; E_ONE = 1; E_TWO = 2; } message N {}
"""


def messages(cases):
    """One message for each case."""
    bodies = [case["field"].replace("(F)", "(buf.validate.field)") for case in cases]
    text = HEAD + "\n".join(f"message M{index} {{ {body} }}" for index, body in enumerate(bodies))
    folder = tempfile.mkdtemp()
    pathlib.Path(folder, "t.proto").write_text(text)
    includes = [f"-I{folder}", f"-I{RULES}", f"-I{STOCK}"]
    if protoc.main(["protoc", *includes, f"--python_out={folder}", "t.proto", "buf/validate/validate.proto"]) != 0:
        sys.exit("the cases do not compile")
    sys.path.insert(0, folder)
    import t_pb2

    return [getattr(t_pb2, f"M{index}") for index in range(len(cases))]


def admits(message, value):
    # It takes the types of the rules from wherever they were generated: here, by `messages`.
    import protovalidate

    try:
        protovalidate.validate(json_format.ParseDict({} if value is None else {"x": value}, message()))
    except protovalidate.ValidationError:
        return False
    return True


def main():
    cases = json.loads((HERE / "data/buf_validate.json").read_text())
    values = unlike = 0
    for case, message in zip(cases, messages(cases), strict=True):
        expected = [(value, True) for value in case["good"]] + [(value, False) for value, _ in case["bad"]]
        for value, good in expected:
            values += 1
            if admits(message, value) != good:
                unlike += 1
                print(f"{case['field']} {value!r}: protovalidate says {'bad' if good else 'good'}")
    print(f"{values} values, {unlike} unlike")
    sys.exit(unlike > 0)


main()
