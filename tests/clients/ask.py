import sys

import grpc
from convoke.v1 import error_pb2, orchestrator_pb2, orchestrator_pb2_grpc
from grpc_status import rpc_status

sentence, address = (sys.argv[1:] + ["127.0.0.1:7400"])[:2]
orchestrator = orchestrator_pb2_grpc.OrchestratorStub(grpc.insecure_channel(address))
error = error_pb2.ToolError()
try:
    output = orchestrator.Ask(orchestrator_pb2.AskRequest(input_text=sentence), timeout=30).output
    print(output.explanation or output.clarification.question)
    error = output.error
except grpc.RpcError as failure:
    status = rpc_status.from_call(failure)
    if not (status and any([detail.Unpack(error) for detail in status.details])):
        sys.exit(f"{failure.code().name}: {failure.details()}")
if error.code:
    sys.exit(f"{error.Category.Name(error.category)} {error.code}: {error.message}")
