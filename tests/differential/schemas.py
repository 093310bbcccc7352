"""Random proto files: every kind of field, nested, repeated, mapped, in oneofs, with and without presence."""

SCALARS = (
    "double float int32 int64 uint32 uint64 sint32 sint64 fixed32 fixed64 sfixed32 sfixed64 bool string bytes".split()
)
KEYS = "int32 int64 uint32 uint64 sint32 sint64 fixed32 fixed64 sfixed32 sfixed64 bool string".split()
KNOWN = {
    "Timestamp": "timestamp",
    "Duration": "duration",
    "FieldMask": "field_mask",
    "Struct": "struct",
    "Value": "struct",
    "ListValue": "struct",
    "Empty": "empty",
    "Any": "any",
    **{
        name: "wrappers"
        for name in "DoubleValue FloatValue Int64Value UInt64Value Int32Value UInt32Value BoolValue StringValue "
        "BytesValue".split()
    },
}
WORDS = "depart at wide x y2 unit total id from price r2d2 name key value type kind".split()


class Names:
    """Names of fields that differ in more than spelling."""

    def __init__(self, random):
        self.random = random
        self.taken = set()

    def next(self):
        while True:
            words = self.random.choices(WORDS, k=self.random.randint(1, 3))
            join = self.random.choice(["snake", "camel", "upper"])
            if join == "snake":
                name = "_".join(words)
            elif join == "camel":
                name = words[0] + "".join(word.capitalize() for word in words[1:])
            else:
                name = "_".join(words).upper()
            if self.random.random() < 0.3:
                name += str(self.random.randint(0, 99))
            plain = name.replace("_", "").lower()
            if plain not in self.taken:
                self.taken.add(plain)
                return name


def proto(random, messages=4):
    """The text of a file of package `drawn.v1`, one field a line."""
    syntax = random.choice(["proto3", "proto3", "proto2"])
    enums = [enum(random, index, syntax) for index in range(2)]
    types = [f"M{index}" for index in range(messages)]
    bodies = [message(random, name, types, syntax) for name in types]
    imports = sorted({*KNOWN.values()})
    return "\n".join(
        [
            f'syntax = "{syntax}";',
            "package drawn.v1;",
            'import "convoke/v1/annotations.proto";',
            *(f'import "google/protobuf/{name}.proto";' for name in imports),
            *enums,
            *bodies,
            "",
        ]
    )


def enum(random, index, syntax):
    numbers = [0, *random.sample([-2147483648, -1, 1, 2, 3, 100, 2147483647], 4)]
    values = [f"  E{index}_V{at} = {number};" for at, number in enumerate(numbers)]
    option = []
    if random.random() < 0.5:
        option = ["  option allow_alias = true;"]
        values.append(f"  E{index}_AGAIN = {numbers[1]};")
    if syntax == "proto2" and index == 1:
        values = values[1:]
    return "\n".join([f"enum E{index} {{", *option, *values, "}"])


def message(random, name, types, syntax):
    names = Names(random)
    numbers = iter(sorted(random.sample([*range(1, 60), 536870911], 16), key=lambda _: random.random()))
    lines = [field(random, names.next(), next(numbers), types, syntax) for _ in range(random.randint(3, 10))]
    if random.random() < 0.6:
        members = [f"    {kind(random, types)} {names.next()} = {next(numbers)};" for _ in range(random.randint(1, 4))]
        lines += [f"  oneof {names.next()} {{", *members, "  }"]
    return "\n".join([f"message {name} {{", *lines, "}"])


def kind(random, types):
    which = random.random()
    if which < 0.55:
        return random.choice(SCALARS)
    if which < 0.65:
        return random.choice(["E0", "E1"])
    if which < 0.75:
        return random.choice(types)
    return "google.protobuf." + random.choice(list(KNOWN))


def field(random, name, number, types, syntax):
    shape = random.choice(["plain", "plain", "optional", "repeated", "map"])
    of = kind(random, types)
    while shape == "map" and of == "E1":  # In proto2 it may have no zero, which the values of a map need.
        of = kind(random, types)
    options = []
    if of in ("double", "float") and random.random() < 0.6:
        options.append("(convoke.v1.field).allow_non_finite = true")
    if random.random() < 0.1:
        options.append(f'json_name = "{name}@{number}"')
    tail = f" [{', '.join(options)}];" if options else ";"
    if shape == "map":
        return f"  map<{random.choice(KEYS)}, {of}> {name} = {number}{tail}"
    if shape == "repeated":
        return f"  repeated {of} {name} = {number}{tail}"
    if syntax == "proto2":
        needed = "required" if of in SCALARS and random.random() < 0.3 else "optional"
        return f"  {needed} {of} {name} = {number}{tail}"
    return f"  {'optional ' if shape == 'optional' else ''}{of} {name} = {number}{tail}"


def non_finite(proto):
    """Message and field of each field that takes NaN and the infinities, read off a file that was made here."""
    found = set()
    for line in proto.splitlines():
        if line.startswith("message "):
            name = line.split()[1]
        elif "allow_non_finite" in line:
            found.add((name, line.split(" = ")[0].split()[-1]))
    return found
