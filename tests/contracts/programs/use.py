"""Reads the options of an agent's own proto back, and makes a client of the orchestrator."""

import grpc
from convoke.v1 import annotations_pb2, orchestrator_pb2, orchestrator_pb2_grpc
from hello.v1 import hello_pb2, hello_pb2_grpc

service = hello_pb2.DESCRIPTOR.services_by_name["Hello"]
domain = service.GetOptions().Extensions[annotations_pb2.domain]
assert (domain.name, domain.version) == ("hello", "1.0.0"), domain

capability = service.methods_by_name["Greet"].GetOptions().Extensions[annotations_pb2.capability]
assert capability.effects == annotations_pb2.Capability.READ_ONLY, capability

name = hello_pb2.GreetRequest.DESCRIPTOR.fields_by_name["name"]
assert name.GetOptions().Extensions[annotations_pb2.field].required

with grpc.insecure_channel("127.0.0.1:7400") as channel:
    orchestrator_pb2_grpc.OrchestratorStub(channel)
request = orchestrator_pb2.AskRequest(input_text="Greet Ada")
assert orchestrator_pb2.AskRequest.FromString(request.SerializeToString()) == request
assert issubclass(hello_pb2_grpc.HelloServicer, object)
