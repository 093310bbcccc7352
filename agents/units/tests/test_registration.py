"""The agent's side of Register, KeepAlive and Deregister, against a registry on loopback that speaks the contract."""
import queue
from concurrent import futures

import grpc
import pytest

from units.registration import Registration
from units.server import registry_address
from units.stubs import manifest_pb2, registry_pb2, registry_pb2_grpc

TIMEOUT = 10
State = manifest_pb2.Instance


class Registry(registry_pb2_grpc.RegistryServicer):
    """Writes down what it is told; a lease lapses when the test says so."""

    def __init__(self, port=0, ttl=1):
        self.told, self.ttl, self.lapsed = queue.Queue(), ttl, False
        self.server = grpc.server(futures.ThreadPoolExecutor(4), options=[("grpc.so_reuseport", 0)])
        registry_pb2_grpc.add_RegistryServicer_to_server(self, self.server)
        self.port = self.server.add_insecure_port(f"127.0.0.1:{port}")
        self.server.start()

    def Register(self, request, context):
        self.told.put(("register", request.endpoint))
        instance = manifest_pb2.Instance(id="units-1", incarnation=7, domain="units", endpoint=request.endpoint)
        response = registry_pb2.RegisterResponse(instance=instance)
        response.ttl.FromSeconds(self.ttl)
        return response

    def KeepAlive(self, requests, context):
        for request in requests:
            self.told.put(("beat", request.instance_id, request.incarnation, request.state))
            lapsed, self.lapsed = self.lapsed, False
            yield registry_pb2.KeepAliveResponse(lapsed=lapsed)

    def Deregister(self, request, context):
        self.told.put(("deregister", request.instance_id, request.incarnation))
        return registry_pb2.DeregisterResponse()

    def hears(self, *expected):
        """Waits until it is told that; beats before it are passed over."""
        while True:
            told = self.told.get(timeout=TIMEOUT)
            if told == expected:
                return
            assert told[0] == "beat", told


@pytest.fixture
def registry():
    registry = Registry()
    yield registry
    registry.server.stop(0)


@pytest.fixture
def registration(registry):
    registration = Registration(f"127.0.0.1:{registry.port}", "127.0.0.1:4711")
    registration.start()
    registry.hears("register", "127.0.0.1:4711")
    registry.hears("beat", "units-1", 7, State.SERVING)
    yield registration
    registration.leave(TIMEOUT)


def test_it_registers_its_endpoint_and_keeps_the_lease(registry, registration):
    for _ in range(3):
        registry.hears("beat", "units-1", 7, State.SERVING)


def test_a_lapsed_lease_is_registered_again(registry, registration):
    registry.lapsed = True
    registry.hears("register", "127.0.0.1:4711")


def test_it_drains_then_deregisters(registry, registration):
    registration.drain(TIMEOUT)
    registry.hears("beat", "units-1", 7, State.DRAINING)
    registration.leave(TIMEOUT)
    registry.hears("deregister", "units-1", 7)
    assert not registration.is_alive()


def test_it_finds_a_registry_that_starts_later_and_one_that_is_restarted():
    first = Registry()
    port = first.port
    first.server.stop(0).wait()
    registration = Registration(f"127.0.0.1:{port}", "127.0.0.1:4711")
    registration.start()
    for _ in range(2):
        registry = Registry(port)
        registry.hears("register", "127.0.0.1:4711")
        registry.hears("beat", "units-1", 7, State.SERVING)
        registry.server.stop(0).wait()
    registration.leave(TIMEOUT)
    assert not registration.is_alive()


def test_leaving_does_not_wait_for_a_registry_that_is_not_there():
    registration = Registration("127.0.0.1:1", "127.0.0.1:4711")
    registration.start()
    registration.drain(0.1)
    registration.leave(TIMEOUT)
    assert not registration.is_alive()


def test_the_registry_is_a_grpc_address():
    assert registry_address("grpc://127.0.0.1:7400") == "127.0.0.1:7400"
    for url in ("etcd://127.0.0.1:2379", "grpc://", ""):
        with pytest.raises(SystemExit):
            registry_address(url)
