"""Values, meanings and refusals. Expected values are the definitions of the units, worked out by hand."""
import pytest

from units.conversion import Ambiguous, InputError, UnknownName, number
from units.listing import Catalogue


@pytest.mark.parametrize(
    "value, source, target, expected",
    [
        (5, "miles", "kilometres", 8.04672),
        (26.2, "miles", "kilometres", 42.1648128),
        (1, "inch", "cm", 2.54),
        (12, "inches", "feet", 1.0),
        (1, "stone", "pounds", 14.0),
        (1, "pound", "kilograms", 0.45359237),
        (1, "US gallon", "litres", 3.785411784),
        (1, "imperial gallon", "litres", 4.54609),
        (1, "long ton", "kg", 1016.0469088),
        (2, "ounces", "grams", 56.69904625),
        (100, "celsius", "fahrenheit", 212.0),
        (-40, "F", "C", -40.0),
        (0, "K", "°C", -273.15),
        (9, "°F/m", "°C/m", 5.0),
        (36, "km/h", "m/s", 10.0),
        (1, "kWh", "MJ", 3.6),
        (90, "minutes", "hours", 1.5),
        (1, "MB", "kb", 1000.0),
        (1, "hectare", "square metres", 10000.0),
        (5, "Meilen", "Kilometer", 8.04672),
        (0, "m", "cm", 0.0),
    ],
)
def test_a_value_is_converted_exactly(converter, value, source, target, expected):
    assert converter.convert(float(value), source, target).value == expected


@pytest.mark.parametrize(
    "source, target, path, choices",
    [
        ("ton", "kg", "from", ["short ton", "long ton", "metric ton"]),
        ("kg", "tons", "to", ["short ton", "long ton", "metric ton"]),
        ("gallons", "litres", "from", ["US gallon", "imperial gallon"]),
        ("litres", "gallon", "to", ["US gallon", "imperial gallon"]),
        ("oz", "ml", "from", ["US fluid ounce", "imperial fluid ounce"]),
        ("miles per gallon", "km/l", "from", ["mile per US gallon", "mile per imperial gallon"]),
        ("degrees", "kelvin", "from", ["degree Celsius", "degree Fahrenheit"]),
    ],
)
def test_a_word_for_several_units_is_a_question(converter, source, target, path, choices):
    with pytest.raises(Ambiguous) as question:
        converter.convert(1.0, source, target)
    assert (question.value.path, [value for value, _ in question.value.choices]) == (path, choices)


def test_every_choice_is_an_answer_to_the_question(converter):
    with pytest.raises(Ambiguous) as question:
        converter.convert(1.0, "ton", "kg")
    values = [converter.convert(1.0, value, "kg").value for value, _ in question.value.choices]
    assert values == [907.18474, 1016.0469088, 1000.0]


def test_the_other_side_tells_what_an_abbreviation_means(converter):
    assert converter.convert(1.0, "C", "coulomb").value == 1.0
    assert converter.convert(0.0, "C", "F").value == 32.0
    assert converter.convert(180.0, "degrees", "radians").value == pytest.approx(3.141592653589793)


@pytest.mark.parametrize(
    "source, target", [("miles", "kg"), ("byte", "radian"), ("rpm", "hertz"), ("celsius", "metres"), ("tons", "litres")]
)
def test_what_does_not_measure_the_same_is_an_input_error(converter, source, target):
    with pytest.raises(InputError) as refused:
        converter.convert(1.0, source, target)
    assert (refused.value.path, refused.value.rule) == ("to", "CONSTRAINT")


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf"), 1e301])
def test_a_value_that_is_no_number_is_an_input_error(converter, value):
    with pytest.raises(InputError) as refused:
        converter.convert(value, "m", "km")
    assert refused.value.path == "value"


def test_a_result_beyond_a_double_is_an_input_error(converter):
    with pytest.raises(InputError):
        converter.convert(1e300, "light years", "angstrom")


def test_an_unknown_name_outranks_a_question(converter):
    with pytest.raises(UnknownName) as unknown:
        converter.convert(1.0, "tons", "flurbs")
    assert unknown.value.path == "to"


def test_every_listed_unit_is_known_by_its_name_and_converts_to_its_kind(converter):
    catalogue = Catalogue(converter)
    for listed in catalogue.list():
        assert converter.vocabulary.parse(listed.name), listed.name
    assert {one.quantity for one in catalogue.list("miles")} == {"length"}
    assert {"mile", "kilometer", "meter"} <= {one.name for one in catalogue.list("foot")}


def test_numbers_are_shown_as_people_write_them():
    shown = [number(value) for value in (42.1648128, 1000.0, 1234567.8, 0.000012345678, -40.0, 0.0, 1e21)]
    assert shown == ["42.1648", "1,000", "1,234,568", "1.23457e-05", "-40", "0", "1e+21"]
