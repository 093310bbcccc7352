#!/usr/bin/env python3
"""Writes words.tsv: what units are called in German, Spanish, French and Portuguese.

Run it in this folder beside an unpacked `cldr-units-full` (npm), with the agent's requirements installed:

    npm pack cldr-units-full@48.2.0 && tar xzf cldr-units-full-48.2.0.tgz
    python3 make_words.py package/main > words.tsv

One line per word: the word in lower case without accents, and the English expression that it stands for. Words that
mean the same to the agent without this file ("liter", "mile") are left out.
"""
import json
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from units.vocabulary import Vocabulary, fold  # noqa: E402

LOCALES = ["de", "es", "fr", "pt"]
KINDS = {
    "acceleration", "angle", "area", "digital", "duration", "electric", "energy", "force", "frequency", "length",
    "mass", "power", "pressure", "speed", "temperature", "volume",
}
# CLDR's names of units whose English name here is another. What is neither here nor known to pint is left out.
ENGLISH = {
    "arc-minute": "arcminute",
    "arc-second": "arcsecond",
    "british-thermal-unit": "british thermal unit",
    "celsius": "degree celsius",
    "fahrenheit": "degree fahrenheit",
    "gallon-imperial": "imperial gallon",
    "fluid-ounce-imperial": "imperial fluid ounce",
    "ounce-troy": "troy ounce",
    "pint-imperial": "imperial pint",
    "quart-imperial": "imperial quart",
    "ton": "short ton",
    "tonne": "metric ton",
}
SKIPPED = {"point", "quarter", "therm-us", "dram", "drop", "pinch", "night", "carat", "light-speed"}


def main():
    vocabulary = Vocabulary(words={})
    rows = {}
    for locale in LOCALES:
        path = pathlib.Path(sys.argv[1]) / locale / "units.json"
        units = json.loads(path.read_text(encoding="utf-8"))["main"][locale]["units"]["long"]
        for key, forms in units.items():
            kind, _, name = key.partition("-")
            if kind not in KINDS or name in SKIPPED:
                continue
            english = ENGLISH.get(name, name.replace("-per-", " per ").replace("-", " "))
            try:
                vocabulary.parse(english)
            except ValueError:
                continue
            for form, text in forms.items():
                if form == "displayName" or "count" in form:
                    add(rows, vocabulary, fold(re.sub(r"\{0\}", "", text)), english)
    for word, english in sorted(rows.items()):
        print(word, english, sep="\t")


def add(rows, vocabulary, word, english):
    if units_of(vocabulary, word) != units_of(vocabulary, english):
        rows.setdefault(word, english)


def units_of(vocabulary, text):
    try:
        return [(factor.unit, factor.exponent) for factor in vocabulary.parse(text)[0].factors]
    except ValueError:
        return None


if __name__ == "__main__":
    main()
