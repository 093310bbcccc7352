"""What people call the units of measurement.

    text ─ normalise ─► factors ("miles", "per", "gallon") ─ look up ─► readings, the likeliest first

A reading is one way to understand a text. Most have one; "C" is coulomb or Celsius, which the other side of a
conversion decides; a "ton" is three different masses, which nobody can decide but the person who asked.

pint parses units by evaluating them as an arithmetic expression. Texts from the network never get there: this grammar
knows words, products, quotients and small exponents, is bounded in length, and asks pint for single names only.
"""
import csv
import difflib
import itertools
import pathlib
import re
import unicodedata
from dataclasses import dataclass
from decimal import Decimal

import pint

MAX_LENGTH = 64
MAX_FACTORS = 6
MAX_READINGS = 32
NEAREST = 5

WORDS_FILE = pathlib.Path(__file__).resolve().parent.parent / "data" / "words.tsv"

# One word for several units of different size. The values are names that mean one of them alone.
SEVERAL = {
    "ton": ("short ton", "long ton", "metric ton"),
    "gallon": ("US gallon", "imperial gallon"),
    "gal": ("US gallon", "imperial gallon"),
    "quart": ("US quart", "imperial quart"),
    "qt": ("US quart", "imperial quart"),
    "pint": ("US pint", "imperial pint"),
    "pt": ("US pint", "imperial pint"),
    "cup": ("US cup", "imperial cup"),
    "gill": ("US gill", "imperial gill"),
    "fluid ounce": ("US fluid ounce", "imperial fluid ounce"),
    "bushel": ("US bushel", "imperial bushel"),
    "peck": ("US peck", "imperial peck"),
    "barrel": ("oil barrel", "US barrel", "imperial barrel"),
    "hundredweight": ("short hundredweight", "long hundredweight"),
    "cwt": ("short hundredweight", "long hundredweight"),
    # Of different quantities: the other side of the conversion mostly tells which.
    "ounce": ("avoirdupois ounce", "US fluid ounce", "imperial fluid ounce"),
    "oz": ("avoirdupois ounce", "US fluid ounce", "imperial fluid ounce"),
    "pound": ("avoirdupois pound", "pound force"),
    "lb": ("avoirdupois pound", "pound force"),
    "degree": ("degree of arc", "degree Celsius", "degree Fahrenheit"),
    "deg": ("degree of arc", "degree Celsius", "degree Fahrenheit"),
    "°": ("degree of arc", "degree Celsius", "degree Fahrenheit"),
    "C": ("coulomb", "degree Celsius"),
    "F": ("farad", "degree Fahrenheit"),
}

# Names that mean one unit: folded, and what pint calls it.
QUALIFIED = {
    "short ton": "short_ton", "us ton": "short_ton", "long ton": "long_ton", "imperial ton": "long_ton",
    "uk ton": "long_ton", "metric ton": "metric_ton", "kiloton": "kilometric_ton", "megaton": "megametric_ton",
    "short hundredweight": "short_hundredweight", "long hundredweight": "long_hundredweight",
    "us hundredweight": "US_hundredweight", "us barrel": "barrel", "oil barrel": "oil_barrel",
    "avoirdupois ounce": "ounce", "avoirdupois pound": "pound", "pound force": "force_pound",
    "troy ounce": "troy_ounce", "degree of arc": "degree",
    "degree celsius": "degree_Celsius", "degree centigrade": "degree_Celsius", "centigrade": "degree_Celsius",
    "degree c": "degree_Celsius", "deg c": "degree_Celsius", "° c": "degree_Celsius", "grad celsius": "degree_Celsius",
    "degree fahrenheit": "degree_Fahrenheit", "degree f": "degree_Fahrenheit", "deg f": "degree_Fahrenheit",
    "° f": "degree_Fahrenheit", "degree kelvin": "kelvin", "degree k": "kelvin", "degree rankine": "degree_Rankine",
    "metre of water": "meter_H2O", "mm hg": "millimeter_Hg", "inch of mercury": "inch_Hg",
    "click": "kilometer", "klick": "kilometer", "micron": "micrometer", "sec": "second", "cc": "cubic_centimeter",
}
QUALIFIED |= {
    f"{of} {word}": unit
    for word in ("gallon", "quart", "pint", "cup", "gill", "fluid ounce", "bushel", "peck")
    for name in [word.replace(" ", "_")]
    for unit, origins in [(name, ("us", "american")), (f"imperial_{name}", ("imperial", "uk", "british"))]
    for of in origins
}
QUALIFIED["imperial barrel"] = "imperial_barrel"

# Abbreviations that pint lacks or reads as something that nobody means, as they are spelled, case and all.
ABBREVIATIONS = {
    "kb": "kilobyte", "mb": "megabyte", "gb": "gigabyte", "tb": "terabyte", "pb": "petabyte",
    "Kb": "kilobit", "Mb": "megabit", "Gb": "gigabit", "Tb": "terabit",
    "kbps": "kilobit per second", "Mbps": "megabit per second", "Gbps": "gigabit per second",
    "mpg": "mile per gallon", "gpm": "gallon per minute", "fl oz": "fluid ounce", "floz": "fluid ounce",
    "sqft": "square foot", "sqm": "square meter", "kmph": "kilometer per hour", "\"": "inch", "'": "foot",
}
POWERS_BEFORE = {"square": 2, "sq": 2, "cubic": 3, "cu": 3}
POWERS_AFTER = {"squared": 2, "cubed": 3}
PER = re.compile(r"\s+(?:per|pro|por|par)\s+")
SUPERSCRIPTS = re.compile("[⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
EXPONENT = re.compile(r"(?P<name>.*?[^\d^+\s-])\^?(?P<exponent>[+-]?[1-9])")
NAME = re.compile(r"[^\W\d]\w*|[°%'\"]\w*")
PLAIN = re.compile(r"[a-z][a-z_]{2,}")
# Logarithms of ratios are no multiples of a unit, and "dB" is not the tenth of a barn that it would be read as.
LOGARITHMIC = {
    "decade", "decibel", "decibelmicrowatt", "decibelmilliwatt", "decibelwatt", "decibyte", "neper", "octave",
}
REFUSED = {"dB", "dBm", "dBW"}


class UnknownUnit(ValueError):
    """A text that is no unit. Carries the nearest names."""

    def __init__(self, text, nearest):
        super().__init__(f"no unit is called {text[:MAX_LENGTH]!r}")
        self.text = text
        self.nearest = nearest


@dataclass(frozen=True)
class Factor:
    """A unit to a power: pint's name of it, and how an answer spells it."""

    unit: str
    spelling: str
    exponent: int = 1


@dataclass(frozen=True)
class Reading:
    """One way to understand a text. Rank 0 is the likeliest."""

    factors: tuple[Factor, ...]
    rank: int = 0

    @property
    def spelling(self):
        """As a person writes it, and as this vocabulary reads it again: "mile per US gallon"."""
        above = [spell(factor) for factor in self.factors if factor.exponent > 0]
        below = [spell(factor) for factor in self.factors if factor.exponent < 0]
        return " per ".join([" ".join(above), *below])


def spell(factor):
    power = abs(factor.exponent)
    return factor.spelling if power == 1 else f"{factor.spelling}^{power}"


class Vocabulary:
    """Every name of every unit, over one pint registry with exact decimal arithmetic."""

    def __init__(self, words=None):
        self.registry = pint.UnitRegistry(non_int_type=Decimal)
        self.words = read_words() if words is None else words
        self.names = self._names()

    def parse(self, text):
        """The readings of a text, the likeliest first. Raises UnknownUnit."""
        readings = self._expression(text) if len(text) <= MAX_LENGTH else []
        if not readings:
            raise UnknownUnit(text, self.nearest(text))
        return distinct(readings)

    def nearest(self, text):
        """The known names nearest to a text, best first: those that are like it, or else the least unlike ones."""
        folded = fold(text[:MAX_LENGTH])
        like = difflib.get_close_matches(folded, self.names, n=NEAREST, cutoff=0.75)
        return like or difflib.get_close_matches(folded, self.names, n=NEAREST, cutoff=0.0)

    def _expression(self, text):
        text = normalise(text)
        whole = self._group(text.split())
        if whole:
            return whole
        factors = []
        for index, part in enumerate(PER.sub("/", text).split("/")):
            groups = self._groups(part)
            if not groups:
                return []
            factors += [(group, -exponent if index else exponent) for group, exponent in groups]
        if len(factors) > MAX_FACTORS:
            return []
        products = itertools.islice(itertools.product(*(group for group, _ in factors)), MAX_READINGS)
        exponents = [exponent for _, exponent in factors]
        return [multiply(readings, exponents) for readings in products]

    def _groups(self, part):
        """Splits one side of a quotient into known names, longest first, each with its exponent."""
        words, groups = part.replace("*", " ").split(), []
        while words:
            power = POWERS_BEFORE.get(words[0].lower(), 1) if len(words) > 1 else 1
            rest = words[1:] if power > 1 else words
            for length in range(min(len(rest), 4), 0, -1):
                readings, exponent = self._power(rest[:length])
                if readings:
                    break
            else:
                return []
            words = rest[length:]
            if words and words[0].lower() in POWERS_AFTER:
                exponent *= POWERS_AFTER[words.pop(0).lower()]
            groups.append((readings, exponent * power))
        return groups

    def _power(self, words):
        """A name as it stands, else a name with an exponent behind it: "m2", "s^-1"."""
        readings = self._group(words)
        match = None if readings else EXPONENT.fullmatch(" ".join(words))
        if not match:
            return readings, 1
        return self._group(match["name"].split()), int(match["exponent"])

    def _group(self, words):
        """The readings of one name, of one or more words, without operators."""
        text = " ".join(words)
        if text in REFUSED:
            return []
        if text in ABBREVIATIONS:
            return self._expression(ABBREVIATIONS[text])
        folded = fold(text)
        for key in dict.fromkeys([text, folded, *singulars(folded)]):
            if key in QUALIFIED:
                return [Reading((Factor(QUALIFIED[key], display(key)),))]
            if key in SEVERAL:
                return [Reading((Factor(self._single(name), name),)) for name in SEVERAL[key]]
        if folded in self.words:
            return self._expression(self.words[folded])
        found = self._known("_".join(words), 0)
        if len(folded) > 1 or text.isascii():
            found += self._known("_".join(folded.split()), 1)
        return distinct(found)

    def _single(self, name):
        folded = fold(name)
        return QUALIFIED.get(folded) or folded.replace(" ", "_")

    def _known(self, name, rank):
        """pint's readings of a name, with prefix and plural; the order is pint's."""
        if not NAME.fullmatch(name):
            return []
        tried = [name, *singulars(name)] if rank else [name]
        found = itertools.chain.from_iterable(self.registry.parse_unit_name(each) for each in tried)
        units = dict.fromkeys(prefix + unit for prefix, unit, _ in found)
        units = [unit for unit in units if unit not in LOGARITHMIC]
        return [Reading((Factor(unit, unit.replace("_", " ")),), rank + index) for index, unit in enumerate(units)]

    def _names(self):
        """What is offered to somebody who misspelt: words of three letters and more."""
        metric = ("meter", "metre", "gram", "liter", "litre", "watt", "joule", "byte", "hertz", "pascal")
        names = {prefix + unit for unit in metric for prefix in ("", "kilo", "centi", "milli", "mega")}
        known = (name for name, unit in self.registry._units.items() if unit.name not in LOGARITHMIC)
        names |= {name.replace("_", " ") for name in known if PLAIN.fullmatch(name)}
        names |= {*QUALIFIED, *(word for word in SEVERAL if len(word) > 2)}
        return sorted(names)


def distinct(readings):
    """Each meaning once, with its best rank, the likeliest first."""
    best = {}
    for reading in sorted(readings, key=lambda reading: reading.rank):
        best.setdefault(tuple((factor.unit, factor.exponent) for factor in reading.factors), reading)
    return list(best.values())


def display(name):
    """A qualified name as an answer writes it: "us gallon" is "US gallon"."""
    of, _, word = name.partition(" ")
    return f"US {word}" if of in ("us", "american") else QUALIFIED[name].replace("_", " ")


def multiply(readings, exponents):
    """One reading of a product out of one of each of its groups."""
    factors = tuple(
        Factor(factor.unit, factor.spelling, factor.exponent * exponent)
        for reading, exponent in zip(readings, exponents)
        for factor in reading.factors
    )
    return Reading(factors, sum(reading.rank for reading in readings))


def normalise(text):
    """One spelling for signs of multiplication, exponents, widths and spaces; letters keep their case."""
    text = SUPERSCRIPTS.sub(lambda match: "^" + unicodedata.normalize("NFKC", match[0]).replace("−", "-"), text)
    text = unicodedata.normalize("NFKC", text).replace("−", "-").replace("**", "^")
    text = re.sub(r"[·⋅×∙]", "*", text)
    text = re.sub(r"(?<=[^\W\d])[.-](?=\s|[^\W\d]|$)", " ", text)
    return re.sub(r"\s*([/*^])\s*", r"\1", " ".join(text.split()))


def fold(text):
    """Lower case without accents."""
    decomposed = unicodedata.normalize("NFKD", text.lower().replace("ß", "ss"))
    plain = "".join(char for char in decomposed if not unicodedata.combining(char))
    return " ".join(plain.replace("-", " ").split())


def singulars(text):
    """What a plural may be the plural of: "centuries", "inches", "tons"."""
    if text.endswith("ies"):
        yield text[:-3] + "y"
    if text.endswith(("ches", "shes", "ses", "xes", "zes")):
        yield text[:-2]
    if text.endswith("s"):
        yield text[:-1]
    if " " in text:
        head, _, tail = text.partition(" ")
        if head.endswith("s"):
            yield f"{head[:-1]} {tail}"


def read_words():
    """The words of other languages, each with its English expression."""
    with open(WORDS_FILE, encoding="utf-8", newline="") as file:
        return dict(csv.reader(file, delimiter="\t"))
