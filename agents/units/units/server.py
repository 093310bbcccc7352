"""Boot, serve, drain.

Boot: serve on a loopback port, then register. Drain, on SIGTERM or Ctrl-C: the mesh is told first, then health says so,
calls that were on their way are still taken for a moment, those that run are finished, and the lease is given back.
"""
import logging
import os
import signal
import sys
import threading
from concurrent import futures

import grpc
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from units.registration import Registration
from units.service import NAME, Units
from units.stubs import units_pb2_grpc

DEFAULT_REGISTRY = "grpc://127.0.0.1:7400"
DEFAULT_LISTEN = "127.0.0.1:0"
WORKERS = 8
TOLD = 1.0  # seconds for the mesh to hear of the drain
LATE_CALLS = 2.0  # seconds in which calls on their way still arrive
RUNNING_CALLS = 5.0  # seconds for what runs to finish
ANSWERS_SENT = 0.2  # seconds for the last answers to leave


class Agent:
    """The gRPC server with its health and reflection."""

    def __init__(self, listen=DEFAULT_LISTEN):
        self.health, self.units = health.HealthServicer(), Units()
        self.server = grpc.server(futures.ThreadPoolExecutor(max_workers=WORKERS))
        units_pb2_grpc.add_UnitsServicer_to_server(self.units, self.server)
        health_pb2_grpc.add_HealthServicer_to_server(self.health, self.server)
        reflection.enable_server_reflection((NAME, health.SERVICE_NAME, reflection.SERVICE_NAME), self.server)
        host, _, _ = listen.rpartition(":")
        self.endpoint = f"{host}:{self.server.add_insecure_port(listen)}"

    def start(self):
        for service in ("", NAME):
            self.health.set(service, health_pb2.HealthCheckResponse.SERVING)
        self.server.start()

    def stop(self, hurry=None):
        """Returns when the last call has ended; `hurry`, an event, cuts the wait for late calls short."""
        self.health.enter_graceful_shutdown()
        (hurry or threading.Event()).wait(LATE_CALLS)
        self.server.stop(RUNNING_CALLS)
        self.units.idle(RUNNING_CALLS)
        # What is left are streams that never end by themselves: health is watched.
        self.server.stop(ANSWERS_SENT).wait()


def run():
    """The process, from its environment to its end."""
    logging.basicConfig(level=logging.INFO, format="units: %(message)s", stream=sys.stderr)
    registry = registry_address(os.environ.get("CONVOKE_REGISTRY") or DEFAULT_REGISTRY)
    agent = Agent(os.environ.get("UNITS_LISTEN") or DEFAULT_LISTEN)
    endpoint = os.environ.get("UNITS_ENDPOINT") or agent.endpoint
    stop, hurry = threading.Event(), threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: hurry.set() if stop.is_set() else stop.set())

    agent.start()
    print(f"units: serving on {agent.endpoint}", flush=True)
    registration = Registration(registry, endpoint, lambda instance: announce(instance, registry))
    registration.start()
    stop.wait()

    print("units: draining", flush=True)
    registration.drain(TOLD)
    agent.stop(hurry)
    registration.leave(TOLD)


def announce(instance, registry):
    print(f"units: registered at {registry} as {instance.id}", flush=True)


def registry_address(url):
    """host:port of a `grpc://` address. This agent has the Registry service alone, no client of etcd."""
    scheme, separator, address = url.rpartition("://")
    if not address or (separator and scheme != "grpc"):
        raise SystemExit(f"CONVOKE_REGISTRY: this agent registers at a grpc://host:port, not at {url!r}")
    return address
