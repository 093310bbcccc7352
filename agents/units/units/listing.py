"""The units there are, by what they measure."""
from dataclasses import dataclass

from units.vocabulary import LOGARITHMIC

# What people measure, each with a unit of it. What measures nothing of this can be converted and is not listed.
QUANTITIES = {
    "length": "meter", "area": "meter^2", "volume": "meter^3", "mass": "gram", "time": "second",
    "temperature": "kelvin", "speed": "meter per second", "acceleration": "meter per second^2", "force": "newton",
    "pressure": "pascal", "energy": "joule", "power": "watt", "frequency": "hertz", "angle": "radian",
    "data": "bit", "data rate": "bit per second", "current": "ampere", "voltage": "volt", "resistance": "ohm",
    "charge": "coulomb", "capacitance": "farad", "inductance": "henry", "amount of substance": "mole",
    "luminous intensity": "candela", "density": "kilogram per meter^3", "flow": "meter^3 per second",
}


@dataclass(frozen=True)
class Listed:
    """A unit: its name, its symbol where it has one, its quantity, and what else it is called."""

    name: str
    symbol: str
    quantity: str
    also: tuple[str, ...]


class Catalogue:
    """The list, made once, when it is first asked for (some 0.3 s)."""

    def __init__(self, converter):
        self.converter = converter
        self._by_measure = None

    def list(self, like=""):
        """Every unit of a known quantity, by quantity and name; with `like`, those that it can be converted to.

        Raises InputError or UnknownName for `like`.
        """
        with self.converter.lock:
            if self._by_measure is None:
                self._by_measure = by_measure(self.converter)
            if not like.strip():
                return [unit for units in self._by_measure.values() for unit in units]
            readings = self.converter.readings("like", like)
            likeliest = [reading for reading in readings if reading.rank == readings[0].rank]
            measures = dict.fromkeys(self.converter.measure(reading) for reading in likeliest)
            return [unit for measure in measures for unit in self._by_measure.get(measure, ())]


def by_measure(converter):
    """The units of each quantity, by name."""
    registry, listed = converter.vocabulary.registry, {}
    for quantity, unit in QUANTITIES.items():
        measure = converter.measure(converter.vocabulary.parse(unit)[0])
        entries = [entry(definition, quantity) for definition in units_of(registry, measure)]
        listed[measure] = sorted(entries, key=lambda one: one.name)
    return listed


def units_of(registry, measure):
    """pint's definitions of one measure, each once."""
    found = {}
    for definition in registry._units.values():
        name = definition.name
        if name in found or name in LOGARITHMIC or name.startswith("delta_"):
            continue
        if registry.get_base_units(registry.Unit(registry.UnitsContainer({name: 1})))[1] == measure:
            found[name] = definition
    return found.values()


def entry(definition, quantity):
    """One line of the list."""
    also = tuple(name.replace("_", " ") for name in definition.aliases if name.isascii())
    return Listed(definition.name.replace("_", " "), definition.defined_symbol or "", quantity, also)
