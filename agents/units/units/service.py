"""The gRPC face: requests in, answers or statuses out. No conversion is decided here."""
import threading

from grpc_status import rpc_status

from units.conversion import Converter, number
from units.failures import status_of
from units.listing import Catalogue
from units.stubs import units_pb2, units_pb2_grpc
from units.vocabulary import Vocabulary

NAME = units_pb2.DESCRIPTOR.services_by_name["Units"].full_name


class Units(units_pb2_grpc.UnitsServicer):
    """Answers the RPCs of units.v1.Units."""

    def __init__(self):
        self.converter = Converter(Vocabulary())
        self.catalogue = Catalogue(self.converter)
        self._running, self._ended = 0, threading.Condition()

    def ConvertUnits(self, request, context):
        # `from` is a keyword of Python, so the field is reached by name.
        source, target = getattr(request, "from"), request.to
        return self._answered(context, lambda: self._convert(request.value, source, target))

    def ListUnits(self, request, context):
        return self._answered(context, lambda: self._list(request.like))

    def idle(self, timeout):
        """Waits until no call is running, at most `timeout` seconds."""
        with self._ended:
            self._ended.wait_for(lambda: self._running == 0, timeout)

    def _answered(self, context, answer):
        """The answer, or the status that its error is."""
        with self._ended:
            self._running += 1
        try:
            return answer()
        except Exception as error:  # whatever it is, the caller gets a typed status and no trace of ours
            return context.abort_with_status(rpc_status.to_status(status_of(error)))
        finally:
            with self._ended:
                self._running -= 1
                self._ended.notify_all()

    def _convert(self, value, source, target):
        converted = self.converter.convert(value, source, target)
        said = f"{exactly(value)} {words(source)} = {number(converted.value)} {words(target)}"
        fields = {"from": converted.source, "to": converted.target}
        return units_pb2.ConvertUnitsResponse(
            value=converted.value, source_value=value, explanation=said, **fields,
        )

    def _list(self, like):
        units = self.catalogue.list(like)
        entries = [
            units_pb2.ListUnitsResponse.Entry(name=one.name, symbol=one.symbol, quantity=one.quantity, also=one.also)
            for one in units
        ]
        kind = f" that {words(like)} can be converted to" if like.strip() else ""
        return units_pb2.ListUnitsResponse(units=entries, explanation=f"{len(entries)} units{kind}.")


def words(text):
    """The caller's own words, on one line."""
    return " ".join(text.split())


def exactly(value):
    """The value as it was given: 5, not 5.0."""
    return repr(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
