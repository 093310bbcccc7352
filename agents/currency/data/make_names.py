#!/usr/bin/env python3
"""Writes names.tsv: what people call the currencies of eurofxref-hist.csv.

Run it in this folder beside an unpacked `cldr-numbers-full` (npm):

    npm pack cldr-numbers-full@48.2.0 && tar xzf cldr-numbers-full-48.2.0.tgz
    python3 make_names.py package/main > names.tsv

One line per code and text: code, kind, text, the locales that say so.

    label   the English CLDR name, one per currency: what an answer shows
    name    an exact name: CLDR's display names, singular and plural, and the few of ALSO
    symbol  CLDR's symbols, the narrow ones too
    noun    the head noun of a name ("dollars" of "US dollars"): several currencies may share it
"""
import csv
import json
import pathlib
import re
import sys

LOCALES = ["en", "de", "es", "fr", "pt"]
NOUN_COMES_LAST = {"en", "de"}
ADJECTIVES = {"nuevo", "nuevos", "antiguo", "antiguos", "nouveau", "nouveaux", "ancien", "anciens", "novo", "novos"}
# Everyday English names that CLDR spells otherwise.
ALSO = {
    "CNY": ["renminbi", "Chinese renminbi"],
    "GBP": ["pound sterling", "pounds sterling", "sterling", "UK pound", "UK pounds"],
    "ILS": ["Israeli shekel", "Israeli shekels"],
    "KRW": ["Korean won"],
    "USD": ["American dollar", "American dollars", "U.S. dollar", "U.S. dollars"],
}


def head_noun(locale, name):
    words = [w for w in re.split(r"[\s-]+", re.sub(r"\(.*?\)", "", name).strip()) if w.lower() not in ADJECTIVES]
    return words[-1 if locale in NOUN_COMES_LAST else 0]


def texts(locale, entry):
    """(kind, text) of one currency in one locale."""
    for key, value in entry.items():
        if key.startswith("displayName"):
            yield "name", value
            yield "noun", head_noun(locale, value)
        elif key in ("symbol", "symbol-alt-narrow") or (locale == "en" and key == "symbol-alt-variant"):
            yield "symbol", value


def main():
    main_folder = pathlib.Path(sys.argv[1])
    with open("eurofxref-hist.csv", encoding="ascii", newline="") as file:
        codes = ["EUR"] + [c for c in next(csv.reader(file))[1:] if c.strip()]
    cldr = {}
    for locale in LOCALES:
        document = json.loads((main_folder / locale / "currencies.json").read_text(encoding="utf-8"))
        cldr[locale] = document["main"][locale]["numbers"]["currencies"]
    for code in sorted(codes):
        rows = {("label", cldr["en"][code]["displayName"]): ["en"]}
        for locale in LOCALES:
            for row in texts(locale, cldr[locale][code]):
                if row[1] != code and locale not in rows.setdefault(row, []):
                    rows[row].append(locale)
        for text in ALSO.get(code, []):
            rows[("name", text)] = ["also"]
        for (kind, text), locales in rows.items():
            print(code, kind, text, ",".join(locales), sep="\t")


if __name__ == "__main__":
    main()
