"""What protovalidate itself says to the cases that the schema engine is held against.

It judges each value of orchestrator/schema/tests/data/buf_validate.json: what it admits is "good", all else "bad".
"""

import importlib
import json
import sys

import pytest
from google.protobuf import json_format
from grpc_tools import protoc

import engine

DATA = engine.REPOSITORY / "orchestrator/schema/tests/data/buf_validate.json"
RULES = engine.REPOSITORY / "tests/data/proto"
CASES = json.loads(DATA.read_text(encoding="utf-8"))
HEAD = """syntax = "proto3"; package ruled;
import "buf/validate/validate.proto"; import "google/protobuf/duration.proto";
import "google/protobuf/timestamp.proto"; import "google/protobuf/wrappers.proto";
enum E { E_UNSPECIFIED = 0; E_ONE = 1; E_TWO = 2; } message N {}
"""


@pytest.fixture(scope="module", name="ruled")
def compiled(tmp_path_factory):
    """The module of one message `M{index}` for each case."""
    folder = tmp_path_factory.mktemp("ruled")
    bodies = [case["field"].replace("(F)", "(buf.validate.field)") for case in CASES]
    messages = (f"message M{index} {{ {body} }}" for index, body in enumerate(bodies))
    (folder / "ruled.proto").write_text(HEAD + "\n".join(messages), encoding="utf-8")
    includes = [f"-I{folder}", f"-I{RULES}", f"-I{engine.STOCK}"]
    files = ["ruled.proto", "buf/validate/validate.proto"]
    assert protoc.main(["protoc", *includes, f"--python_out={folder}", *files]) == 0
    # protovalidate takes the types of the rules from wherever they were generated: here.
    sys.path.insert(0, str(folder))
    yield importlib.import_module("ruled_pb2")
    sys.path.remove(str(folder))


@pytest.mark.parametrize("index", range(len(CASES)), ids=[case["field"] for case in CASES])
def test_each_case_is_as_protovalidate_has_it(index, ruled):
    case, message = CASES[index], getattr(ruled, f"M{index}")
    expected = [(value, True) for value in case["good"]] + [(value, False) for value, _ in case["bad"]]
    unlike = [value for value, good in expected if admits(message, value) != good]
    assert expected and unlike == []


def test_the_cases_are_many():
    assert sum(len(case["good"]) + len(case["bad"]) for case in CASES) >= 290


def admits(message, value):
    """Whether protovalidate finds nothing wrong where the field is that value; absent where it is null."""
    import protovalidate

    try:
        protovalidate.validate(json_format.ParseDict({} if value is None else {"x": value}, message()))
    except protovalidate.ValidationError:
        return False
    return True
