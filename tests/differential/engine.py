"""The two readers that are compared: `convoke schema coerce`, and Python's own protobuf."""

import json
import os
import pathlib
import subprocess
import sys

from google.protobuf import descriptor_pb2, descriptor_pool, json_format, message_factory
from grpc_tools import protoc

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
PROTOS = REPOSITORY / "proto"
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", REPOSITORY / "target"))
CONVOKE = os.environ.get("CONVOKE_BINARY", str(TARGET / "debug" / "convoke"))
STOCK = pathlib.Path(protoc.__file__).parent / "_proto"


def load(proto, folder):
    """The messages of a proto file by full name, with a pool of their own; `folder` takes what is compiled."""
    compiled = pathlib.Path(folder) / (proto.stem + ".binpb")
    arguments = [f"-I{proto.parent}", f"-I{PROTOS}", f"-I{STOCK}", "--include_imports"]
    if protoc.main(["protoc", *arguments, f"--descriptor_set_out={compiled}", str(proto)]) != 0:
        raise AssertionError(f"{proto} does not compile:\n{proto.read_text()}")
    pool = descriptor_pool.DescriptorPool()
    files = descriptor_pb2.FileDescriptorSet.FromString(compiled.read_bytes())
    for file in files.file:
        pool.Add(file)
    return message_factory.GetMessageClassesForFiles([proto.name], pool), pool


def coerce(proto, message, lines):
    """What the engine answers to each line: `value` and `report`."""
    command = [CONVOKE, "schema", "coerce", "--proto", str(proto), "--message", message]
    text = "".join(line + "\n" for line in lines)
    done = subprocess.run(command, input=text.encode(), capture_output=True, check=False, timeout=300)
    answers = done.stdout.decode().split("\n")[:-1]
    if done.returncode not in (0, 2) or len(answers) != len(lines):
        raise AssertionError(f"{command} ended with {done.returncode}: {done.stderr.decode()}")
    return [json.loads(answer) for answer in answers]


def read(message_class, text, pool):
    """The message that Python reads from JSON text; None where it refuses."""
    try:
        return json_format.Parse(text, message_class(), descriptor_pool=pool)
    except (json_format.ParseError, ValueError, TypeError, OverflowError, AttributeError):
        return None


def text_of(value):
    """A value of an answer as the text that it was."""
    return json.dumps(value)


def means(message, pool):
    """A text that is equal for messages that mean the same, NaN and minus zero told apart."""
    return json_format.MessageToJson(
        message, preserving_proto_field_name=True, sort_keys=True, indent=None, descriptor_pool=pool
    )


# Integers of any length are digits here, not an attack.
sys.set_int_max_str_digits(0)
