"""From a request to a converted value.

Every reading of `from` is paired with every reading of `to`; a pair that measures the same thing is possible, and the
likeliest possible pair is the answer. Where several are equally likely ("tons" to "kilograms": three masses) the
caller is asked. Arithmetic is decimal: a mile is 1609.344 metres, not nearly so.
"""
import math
import threading
from dataclasses import dataclass, field
from decimal import Decimal

from units.vocabulary import UnknownUnit

MAX_VALUE = 1e300


class InputError(ValueError):
    """What the caller got wrong: one field, what it should be, what it was."""

    def __init__(self, message, path, rule, expected, got):
        super().__init__(message)
        self.path, self.rule, self.expected, self.got = path, rule, expected, got


class UnknownName(ValueError):
    """A field that names no unit, with the nearest names."""

    def __init__(self, path, cause):
        super().__init__(str(cause))
        self.path, self.text, self.nearest = path, cause.text, cause.nearest


class Ambiguous(ValueError):
    """A field whose word means several units; each choice is (value, label)."""

    def __init__(self, path, text, choices):
        super().__init__(f"{text!r} means several units")
        self.path, self.text, self.choices = path, text, choices


@dataclass(frozen=True)
class Converted:
    """A value in the unit that was wanted, and how both units are called."""

    value: float
    source_value: float
    source: str
    target: str


@dataclass(eq=False)
class Converter:
    """Conversions over one vocabulary. Safe to share between threads."""

    vocabulary: "Vocabulary"
    lock: threading.Lock = field(default_factory=threading.Lock)

    def convert(self, value, source, target):
        """Raises InputError, UnknownName or Ambiguous, in this order of weight: value, names, meaning."""
        if not math.isfinite(value) or abs(value) > MAX_VALUE:
            raise InputError(f"{value} cannot be converted", "value", "NOT_FINITE", "a number up to 1e300", str(value))
        with self.lock:
            return self._convert(value, source, target)

    def readings(self, path, text):
        """What a field may mean."""
        if not text.strip():
            raise InputError(f"`{path}` is missing", path, "MISSING", "the name of a unit", '""')
        try:
            return self.vocabulary.parse(text)
        except UnknownUnit as unknown:
            raise UnknownName(path, unknown) from unknown

    def measure(self, reading):
        """What a reading measures: its base units. Equal dimensions are too little: a byte is no angle."""
        _, units = self.vocabulary.registry.get_base_units(self._units(reading))
        return units

    def size(self, reading):
        """One of it, in base units."""
        return self.vocabulary.registry.Quantity(Decimal(1), self._units(reading)).to_base_units()

    def _convert(self, value, source, target):
        given, wanted = self.readings("from", source), self.readings("to", target)
        measures = {id(reading): self.measure(reading) for reading in [*given, *wanted]}
        pairs = [(one, other) for one in given for other in wanted if measures[id(one)] == measures[id(other)]]
        if not pairs:
            what = f"{given[0].spelling} and {wanted[0].spelling} do not measure the same"
            expected = f"a unit of the same kind as {given[0].spelling}"
            raise InputError(what, "to", "CONSTRAINT", expected, target)
        best = min(one.rank + other.rank for one, other in pairs)
        pairs = [(one, other) for one, other in pairs if one.rank + other.rank == best]
        self._ask_where_open("from", source, [one for one, _ in pairs])
        self._ask_where_open("to", target, [other for _, other in pairs])
        return self._answer(value, *pairs[0])

    def _ask_where_open(self, path, text, readings):
        choices = dict.fromkeys(readings)
        if len(choices) > 1:
            raise Ambiguous(path, text.strip(), [(choice.spelling, self._label(choice)) for choice in choices])

    def _label(self, reading):
        """ "US gallon (3.78541 liter)": the size that tells it from the others."""
        registry = self.vocabulary.registry
        (factor, *others) = reading.factors
        if others or factor.unit.startswith("degree"):
            return reading.spelling
        size = self.size(reading)
        for unit in ("kilogram", "liter", "meter", "newton", "coulomb", "farad"):
            if size.check(registry.get_dimensionality(unit)):
                return f"{reading.spelling} ({number(float(size.to(unit).magnitude))} {unit})"
        return reading.spelling

    def _answer(self, value, source, target):
        quantity = self.vocabulary.registry.Quantity(Decimal(repr(value)), self._units(source))
        converted = float(quantity.to(self._units(target)).magnitude)
        if not math.isfinite(converted):
            message = f"{number(value)} {source.spelling} is more {target.spelling} than a double holds"
            raise InputError(message, "value", "MAXIMUM", "a smaller number", str(value))
        return Converted(converted, value, source.spelling, target.spelling)

    def _units(self, reading):
        """pint's container. A degree in a product is a difference: 5 °C/m is 9 °F/m, not 41."""
        registry = self.vocabulary.registry
        alone = len(reading.factors) == 1 and reading.factors[0].exponent == 1
        container = registry.UnitsContainer()
        for factor in reading.factors:
            difference = not alone and f"delta_{factor.unit}" in registry
            unit = f"delta_{factor.unit}" if difference else factor.unit
            container *= registry.UnitsContainer({unit: Decimal(factor.exponent)})
        return registry.Unit(container)


def number(value):
    """As a sentence shows it: six significant digits, more where the integer part has more."""
    if 1e6 <= abs(value) < 1e15:
        return f"{value:,.0f}"
    return f"{value:,.6g}" if abs(value) < 1e6 else f"{value:.6g}"
