"""How the mesh learns of this agent and keeps it: Register once, then KeepAlive for as long as the agent lives.

    register ──► keep alive ──► (lapsed, or the stream broke) ──► wait a little ──► register …

The order in which agent and orchestrator start does not matter, and either may be restarted. One thread does it all;
the gRPC server never waits for it.
"""
import logging
import queue
import random
import threading

import grpc

from units.stubs import manifest_pb2, registry_pb2, registry_pb2_grpc

FIRST_WAIT = 0.1
LONGEST_WAIT = 2.0
CALL_TIMEOUT = 12.0  # the orchestrator gives up reading an agent after 10 s
BEATS_PER_LEASE = 3
State = manifest_pb2.Instance


class Registration(threading.Thread):
    """Keeps one endpoint registered until it is told to drain."""

    def __init__(self, registry, endpoint, on_registered=lambda instance: None):
        super().__init__(name="registration", daemon=True)
        self.registry, self.endpoint, self.on_registered = registry, endpoint, on_registered
        self._wake, self._drain, self._drained, self._leave = (threading.Event() for _ in range(4))
        self._trouble = None

    def drain(self, timeout):
        """Tells the mesh to send no new call. Returns when it knows, or after `timeout` seconds."""
        self._drain.set()
        self._wake.set()
        self._drained.wait(timeout)

    def leave(self, timeout):
        """Ends the registration; waits at most `timeout` seconds for it."""
        self._drain.set()
        self._leave.set()
        self._wake.set()
        self.join(timeout)

    def run(self):
        wait = FIRST_WAIT
        while not self._drain.is_set():
            try:
                with grpc.insecure_channel(self.registry) as channel:
                    stub = registry_pb2_grpc.RegistryStub(channel)
                    request = registry_pb2.RegisterRequest(endpoint=self.endpoint)
                    lease = stub.Register(request, timeout=CALL_TIMEOUT)
                    wait, self._trouble = FIRST_WAIT, None
                    self.on_registered(lease.instance)
                    self._keep(stub, lease)
            except grpc.RpcError as error:
                self._log(error)
            self._drain.wait(random.uniform(wait / 2, wait))
            wait = min(wait * 2, LONGEST_WAIT)
        self._drained.set()

    def _log(self, error):
        """Once per kind of trouble, not once per attempt."""
        if error.code() != self._trouble:
            self._trouble = error.code()
            logging.warning("not registered at %s: %s: %s", self.registry, error.code().name, error.details())

    def _keep(self, stub, lease):
        """Beats until the lease lapses or the agent leaves. A stream that breaks raises at once."""
        beats = queue.SimpleQueue()
        answers = stub.KeepAlive(iter(beats.get, None))
        answers.add_callback(self._wake.set)
        ttl = lease.ttl.ToTimedelta().total_seconds() or 10.0
        try:
            while True:
                self._wake.clear()
                draining = self._drain.is_set()
                state = State.DRAINING if draining else State.SERVING
                if self._beat(answers, beats, lease.instance, state, ttl).lapsed:
                    return
                if draining:
                    self._drained.set()
                if self._leave.is_set():
                    self._deregister(stub, lease.instance)
                    return
                self._wake.wait(ttl / BEATS_PER_LEASE)
        finally:
            beats.put(None)
            answers.cancel()

    def _beat(self, answers, beats, instance, state, ttl):
        """One beat and its answer. An orchestrator that hangs counts as gone after a lease's length."""
        request = registry_pb2.KeepAliveRequest(
            instance_id=instance.id, incarnation=instance.incarnation, state=state
        )
        beats.put(request)
        timer = threading.Timer(ttl, answers.cancel)
        timer.start()
        try:
            return next(answers)
        except StopIteration:
            return registry_pb2.KeepAliveResponse(lapsed=True)
        finally:
            timer.cancel()

    def _deregister(self, stub, instance):
        request = registry_pb2.DeregisterRequest(instance_id=instance.id, incarnation=instance.incarnation)
        stub.Deregister(request, timeout=1.0)
