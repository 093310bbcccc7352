"""The agent's errors as gRPC statuses: a google.rpc.Status with a ToolError, or a Clarification, in its details."""
import json
import logging

from google.protobuf import any_pb2, struct_pb2
from google.rpc import code_pb2, status_pb2

from units.conversion import Ambiguous, InputError, UnknownName
from units.stubs import error_pb2, output_pb2

MAX_TEXT = 200
ToolError, Violation = error_pb2.ToolError, error_pb2.Violation


def status_of(error):
    """The google.rpc.Status that says what went wrong, for a program and for a person."""
    if isinstance(error, Ambiguous):
        return status(code_pb2.FAILED_PRECONDITION, *clarification(error))
    if isinstance(error, UnknownName):
        return status(code_pb2.NOT_FOUND, *unknown_unit(error))
    if isinstance(error, InputError):
        return status(code_pb2.INVALID_ARGUMENT, *input_error(error))
    logging.error("unexpected failure", exc_info=error)
    failure = ToolError(code="INTERNAL", message="the conversion failed", category=ToolError.SERVICE_ERROR)
    return status(code_pb2.INTERNAL, failure.message, failure)


def status(code, message, detail):
    packed = any_pb2.Any()
    packed.Pack(detail)
    return status_pb2.Status(code=code, message=message, details=[packed])


def clarification(error):
    question = f"Which {error.text} do you mean?"
    candidates = [
        output_pb2.Clarification.Candidate(value=struct_pb2.Value(string_value=value), label=label)
        for value, label in error.choices
    ]
    return question, output_pb2.Clarification(question=question, parameter=error.path, candidates=candidates)


def unknown_unit(error):
    violation = Violation(
        path=error.path, rule=Violation.NOT_ALLOWED, expected="the name of a unit", got=quoted(error.text),
    )
    return str(error), ToolError(
        code="UNIT_NOT_FOUND",
        message=str(error),
        category=ToolError.NOT_FOUND,
        retryable=True,
        outcome=ToolError.NOT_APPLIED,
        details={"candidates": json.dumps(error.nearest, ensure_ascii=False), "parameter": error.path},
        field_violations=[violation],
        remediation_hint="use one of the candidates, or a unit that list_units names",
    )


def input_error(error):
    violation = Violation(
        path=error.path, rule=Violation.Rule.Value(error.rule), expected=error.expected, got=quoted(error.got),
    )
    return str(error), ToolError(
        code="INVALID_PARAMETERS",
        message=str(error),
        category=ToolError.INPUT_ERROR,
        retryable=True,
        outcome=ToolError.NOT_APPLIED,
        field_violations=[violation],
    )


def quoted(value):
    """JSON text of what came, cut to a bound."""
    return json.dumps(value, ensure_ascii=False)[:MAX_TEXT]
