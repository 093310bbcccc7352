"""The agent under test: in process, on a loopback port, over real gRPC."""
import pathlib
import sys

import grpc
import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from units.conversion import Converter  # noqa: E402
from units.server import Agent  # noqa: E402
from units.vocabulary import Vocabulary  # noqa: E402


@pytest.fixture(scope="session")
def vocabulary():
    return Vocabulary()


@pytest.fixture(scope="session")
def converter(vocabulary):
    return Converter(vocabulary)


@pytest.fixture(scope="session")
def agent():
    agent = Agent()
    agent.start()
    yield agent
    agent.server.stop(0)


@pytest.fixture
def channel(agent):
    with grpc.insecure_channel(agent.endpoint) as channel:
        yield channel
