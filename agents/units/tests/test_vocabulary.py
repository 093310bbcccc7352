"""What texts are read as, and that no text does harm."""
import time

import pytest

from units.vocabulary import MAX_LENGTH, NEAREST, UnknownUnit


def units(vocabulary, text):
    return [(factor.unit, factor.exponent) for factor in vocabulary.parse(text)[0].factors]


@pytest.mark.parametrize(
    "text, expected",
    [
        ("kilometres", [("kilometer", 1)]),
        ("Kilometers", [("kilometer", 1)]),
        ("KM", [("kilometer", 1)]),
        ("litres", [("liter", 1)]),
        ("feet", [("foot", 1)]),
        ("inches", [("inch", 1)]),
        ("centuries", [("century", 1)]),
        ("nautical miles", [("nautical_mile", 1)]),
        ("light-years", [("light_year", 1)]),
        ("kilowatt-hours", [("kilowatt_hour", 1)]),
        ("metres per second", [("meter", 1), ("second", -1)]),
        ("m/s²", [("meter", 1), ("second", -2)]),
        ("m·s⁻²", [("meter", 1), ("second", -2)]),
        ("cubic metres", [("meter", 3)]),
        ("metres squared", [("meter", 2)]),
        ("°C", [("degree_Celsius", 1)]),
        ("℃", [("degree_Celsius", 1)]),
        ("degrees celsius", [("degree_Celsius", 1)]),
        ("US gallons", [("gallon", 1)]),
        ("UK pints", [("imperial_pint", 1)]),
        ("tonnes", [("metric_ton", 1)]),
        ("Mb", [("megabit", 1)]),
        ("MB", [("megabyte", 1)]),
        ("Meilen", [("mile", 1)]),
        ("quilômetros", [("kilometer", 1)]),
        ("pieds carrés", [("square_foot", 1)]),
        ("kilómetros por hora", [("kilometer_per_hour", 1)]),
    ],
)
def test_a_name_is_read_whatever_its_spelling(vocabulary, text, expected):
    assert units(vocabulary, text) == expected


@pytest.mark.parametrize("text", ["ton", "tons", "gallon", "Gallons", "gal", "pints", "fl oz", "cups", "mpg"])
def test_a_word_for_several_units_has_all_their_readings_at_one_rank(vocabulary, text):
    readings = vocabulary.parse(text)
    assert len([reading for reading in readings if reading.rank == 0]) > 1


@pytest.mark.parametrize("text", ["mile", "miles", "kilometre", "tonne", "US gallon", "stone", "hour"])
def test_a_word_for_one_unit_has_one_likeliest_reading(vocabulary, text):
    readings = vocabulary.parse(text)
    assert [reading.rank for reading in readings].count(readings[0].rank) == 1


@pytest.mark.parametrize(
    "text", ["ton", "gallon", "miles per gallon", "oz", "pound", "degree", "barrel", "cwt", "bushels", "m/s²", "km/h"]
)
def test_every_reading_spells_itself_so_that_it_is_read_again(vocabulary, converter, text):
    for reading in vocabulary.parse(text):
        assert converter.convert(1.0, reading.spelling, reading.spelling).value == 1.0
        assert converter.size(vocabulary.parse(reading.spelling)[0]) == converter.size(reading)


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "flurbs", "yen", "euros", "dollars", "USD", "kr", "1e999999", "meter**99999999", "meter^9^9^9",
        "__import__('os').system('true')", "((((((((((meter))))))))))", "m" * MAX_LENGTH, "m" * 1_000_000,
        "m*" * 31, "/" * 60, "^" * 60, "per per per", "a/b/c/d/e/f/g/h", "10 km", "m\0", "\ud800", "🙂", "m+m", "m/0",
        "lambda: 0", "dB", "decibels",
    ],
)
def test_what_is_no_unit_is_unknown_at_once_and_has_neighbours(vocabulary, text):
    started = time.monotonic()
    with pytest.raises(UnknownUnit) as unknown:
        vocabulary.parse(text)
    assert 1 <= len(unknown.value.nearest) <= NEAREST
    assert time.monotonic() - started < 1.0


def test_the_neighbours_of_a_misspelt_name_begin_with_the_right_one(vocabulary):
    assert {"kilometer", "kilometre"} & set(vocabulary.nearest("kilometrs")[:2])
    assert "gallon" in vocabulary.nearest("galon")[0]
    assert "celsius" in " ".join(vocabulary.nearest("celcius"))


def test_every_neighbour_is_a_name_that_is_known(vocabulary):
    for name in vocabulary.names:
        assert vocabulary.parse(name)
