"""Over gRPC, as the mesh sees it: answers, statuses with details, health, reflection."""
import json
import re
import threading
import time

import grpc
import pytest
from google.protobuf import descriptor_pb2
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc
from grpc_status import rpc_status

from units.server import RUNNING_CALLS, Agent
from units.service import NAME
from units.stubs import annotations_pb2, error_pb2, output_pb2, units_pb2, units_pb2_grpc


def convert(channel, value, source, target):
    request = units_pb2.ConvertUnitsRequest(value=value, to=target, **{"from": source})
    return units_pb2_grpc.UnitsStub(channel).ConvertUnits(request, timeout=10)


def refusal(channel, value, source, target, detail):
    """The code of a failure, and the one detail that its status carries."""
    with pytest.raises(grpc.RpcError) as failed:
        convert(channel, value, source, target)
    (packed,) = rpc_status.from_call(failed.value).details
    assert packed.Unpack(detail)
    assert rpc_status.from_call(failed.value).ByteSize() <= 4096
    return failed.value.code(), detail


def test_an_answer_has_value_units_and_a_sentence(channel):
    answer = convert(channel, 26.2, "miles", "kilometres")
    assert (answer.value, getattr(answer, "from"), answer.to) == (42.1648128, "mile", "kilometer")
    assert answer.explanation == "26.2 miles = 42.1648 kilometres"


def test_an_unknown_unit_is_not_found_retryable_with_the_nearest_names(channel):
    code, error = refusal(channel, 1, "kilometrs", "miles", error_pb2.ToolError())
    assert (code, error.category) == (grpc.StatusCode.NOT_FOUND, error_pb2.ToolError.NOT_FOUND)
    assert error.retryable and error.code == "UNIT_NOT_FOUND"
    assert {"kilometer", "kilometre"} & set(json.loads(error.details["candidates"]))
    assert error.field_violations[0].path == "from"


@pytest.mark.parametrize("word", ["ton", "gallon"])
def test_an_ambiguous_unit_is_a_clarification_with_candidates(channel, word):
    other = {"ton": "kg", "gallon": "litres"}[word]
    code, question = refusal(channel, 1, word, other, output_pb2.Clarification())
    assert (code, question.parameter) == (grpc.StatusCode.FAILED_PRECONDITION, "from")
    for candidate in question.candidates:
        assert candidate.label and convert(channel, 1, candidate.value.string_value, other).value > 0


def test_incompatible_units_are_an_input_error_with_the_field(channel):
    code, error = refusal(channel, 1, "miles", "kg", error_pb2.ToolError())
    assert (code, error.category) == (grpc.StatusCode.INVALID_ARGUMENT, error_pb2.ToolError.INPUT_ERROR)
    assert [(one.path, one.got) for one in error.field_violations] == [("to", '"kg"')]


def test_an_enormous_text_gets_a_small_answer(channel):
    refusal(channel, 1, "é" * 1_000_000, "kg", error_pb2.ToolError())


def test_missing_fields_are_named(channel):
    _, error = refusal(channel, 1, "", "kg", error_pb2.ToolError())
    assert error.field_violations[0].path == "from"


def test_the_list_is_whole_or_of_one_kind(channel):
    stub = units_pb2_grpc.UnitsStub(channel)
    whole = stub.ListUnits(units_pb2.ListUnitsRequest(), timeout=10)
    lengths = stub.ListUnits(units_pb2.ListUnitsRequest(like="mile"), timeout=10)
    assert len(whole.units) > len(lengths.units) > 10
    assert {unit.quantity for unit in lengths.units} == {"length"}


def test_health_says_serving(channel):
    health = health_pb2_grpc.HealthStub(channel)
    for service in ("", NAME):
        answer = health.Check(health_pb2.HealthCheckRequest(service=service), timeout=10)
        assert answer.status == health_pb2.HealthCheckResponse.SERVING


def test_reflection_serves_the_annotations(channel):
    request = reflection_pb2.ServerReflectionRequest(file_containing_symbol=NAME)
    stub = reflection_pb2_grpc.ServerReflectionStub(channel)
    (answer,) = stub.ServerReflectionInfo(iter([request]), timeout=10)
    raw_files = answer.file_descriptor_response.file_descriptor_proto
    files = [descriptor_pb2.FileDescriptorProto.FromString(raw) for raw in raw_files]
    (service,) = [service for file in files for service in file.service if service.name == "Units"]
    assert service.options.Extensions[annotations_pb2.domain].name == "units"


def test_every_slot_of_a_hint_is_a_field_and_no_hint_gives_a_number():
    for method in units_pb2.DESCRIPTOR.services_by_name["Units"].methods:
        fields = set(method.input_type.fields_by_name)
        for hints in method.GetOptions().Extensions[annotations_pb2.capability].intent_hints:
            for example in hints.examples:
                assert set(re.findall(r"{(\w+)}", example)) <= fields and not re.search(r"\d", example), example


def test_a_watched_agent_stops_when_its_calls_have_ended():
    agent = Agent()
    agent.start()
    with grpc.insecure_channel(agent.endpoint) as channel:
        watch = health_pb2_grpc.HealthStub(channel).Watch(health_pb2.HealthCheckRequest(service=NAME))
        assert next(watch).status == health_pb2.HealthCheckResponse.SERVING
        hurry, started = threading.Event(), time.monotonic()
        hurry.set()
        agent.stop(hurry)
        assert next(watch).status == health_pb2.HealthCheckResponse.NOT_SERVING
        assert time.monotonic() - started < RUNNING_CALLS
