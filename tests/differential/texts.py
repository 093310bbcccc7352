"""JSON texts that readers disagree about, for every field of `kinds.proto`, and whole messages."""

NUMBERS = """0 1 2 9 42 -1 42.0 4.2e1 4.2 -0 -0.0 1e3 1e400 1e-400 2147483647 2147483648 -2147483649 4294967296
9007199254740993 9007199254740993.0 9223372036854775807 9223372036854775808 18446744073709551616 16777217 3.5e38
0.1234567890123456789 253402300800 1700000000""".split()
WORDS = [
    "", " ", "x", "0", "1", "42", " 7 ", "+5", "-0", "042", "42.0", "4.2e1", "4.2", "1e3", "1e400", "1_000", "１２", "0x10",
    ".5", "5.", "1,5", "46,828.5", "12 km", "\u00a07", "7\n", "--1", "1 2", "9007199254740993", "9223372036854775808",
    "18446744073709551616", "NaN", "nan", "-NaN", "Infinity", "-Infinity", "+Infinity", "inf", "INFINITY", "true", "True",
    "false", "null", "yes", "t", "COLOUR_RED", "RED", "red", "colour_red", " COLOUR_RED", "COLOUR_GREEN", "AQI=", "AQI",
    "-_8=", "-_8", "+/8", "+_8=", "+/9=", "A", "AQ==AQ==", "AQ I=", "a!", "=", "2024-01-31T09:00:00Z", "2024-01-31",
    "2024-01-31T09:00:00", "2024-01-31T09:00:00+05:30", "2024-01-31T09:00:00+0530", "2024-01-31t09:00:00z",
    "2024-01-31 09:00:00Z", "2024-01-31T09:00:00.1234567891Z", "2024-01-31T09:00:00.Z", "2024-01-31T09:00Z",
    "2024-01-31T24:00:00Z", "2016-12-31T23:59:60Z", "2023-02-29T00:00:00Z", "0000-01-01T00:00:00Z",
    "10000-01-01T00:00:00Z", "2024-1-1T0:0:0Z", "2024-01-31T09:00:00+25:00", "2024-01-31T09:00:00-00:00", "1s", "1.5s",
    "-1.5s", "1m30s", "PT1M30S", "1.0000000001s", "315576000001s", "1e3s", "+1s", " 1s", ".5s", "1.s", "s", "1_0s", "１s",
    "departsAt", "departs_at", "departsAt,legs.from", "a,,b", "a b", "A", "a.b,", "*", "{}", "[]", '{"a": 1}', "[1]",
    "\u0000", "\ud83d\ude00",
]  # fmt: skip
OTHERS = [
    "null", "true", "false", "{}", "[]", "[1]", "[null]", '["1"]', "[1, 2]", "[[1]]", "[[]]", "[{}]", '[{"across": 1}]',
    '{"a": 1}', '{"a": "1"}', '{"a": null}', '{"1": "x"}', '{"1": 1}', '{"01": "x"}', '{" 1": "x"}', '{"+1": "x"}',
    '{"1.0": "x"}', '{"1_0": "x"}', '{"x": "y"}', '{"2147483648": "x"}', '{"true": "x"}', '{"True": "x"}', '{"1": null}',
    '{"": "x"}', '{"": 1}', '{"a": 1, "a": 2}', '{"1": "x", "1": "y"}', '{"1": "x", "01": "y"}', '{"across": 1}',
    '{"across": "1"}', '{"farUp": 1}', '{"far_up": 1}', '{"FarUp": 1}', '{"far_up": 1, "farUp": 2}',
    '{"across": 1, "across": 2}', '{"text": "a", "number": 1}', '{"text": null, "number": 1}', '{"unknown": 1}',
    '{"unknown": null}', '{"value": 1}', '{"value": "1"}', '{"paths": ["a"]}', '{"seconds": 1}', '{"fields": {}}',
    '{"@type": "type.googleapis.com/kinds.v1.Point", "across": 1}',
    '{"@type": "type.googleapis.com/google.protobuf.Duration", "value": "1s"}',
    '{"@type": "kinds.v1.Point"}', '{"@type": "/kinds.v1.Point"}', '{"@type": "https://a/b/kinds.v1.Point"}',
    '{"@type": "type.googleapis.com/kinds.v1.Nothing"}', '{"@type": 1}', '{"value": "1s", "@type": "x/google.protobuf.Duration"}',
    '{"@type": "x/google.protobuf.Duration", "value": "1s", "more": 1}', '{"@type": "x/kinds.v1.Point", "unknown": 1}',
    '{"@type": "x/google.protobuf.Struct", "value": {"a": 1}}', '{"@type": "x/google.protobuf.Empty"}',
    '{"@type": "x/google.protobuf.Empty", "value": {}}', '{"a": 1e400}', "NaN", "Infinity", "-Infinity",
]  # fmt: skip
WHOLES = [
    "", " ", "{}", "null", "[]", "1", '"x"', "{} {}", "{},", '{"int32": 1,}', "{'int32': 1}", '{"int32": 01}',
    '{"int32": 1, "int32": 2}', '{"double": 1, "Double": 2}', '{"byText": {}, "by_text": {}}', '{"unknown": 1}',
    '{"by_text": {"a": 1}}', '{"[ext]": 1}', '{"string": "\\ud800"}', '{"string": "\\udc00\\ud800"}', '{"string": "\\x"}',
    '{"string": "\t"}', "\ufeff{}", '{"INT32": 1}', '{"mess-age": {}}', '{"string": "a" /* b */}', '{"": 1}',
    '{"int32": null, "int32": 1}', '{"timestamp": null}', '{"unknown": null}',
]  # fmt: skip
