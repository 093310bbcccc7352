"""Random messages of any type: the edges of each kind as often as what lies between them."""

import math
import struct

from google.protobuf.descriptor import FieldDescriptor as Field

BOUNDS = {
    Field.CPPTYPE_INT32: (-(2**31), 2**31 - 1),
    Field.CPPTYPE_INT64: (-(2**63), 2**63 - 1),
    Field.CPPTYPE_UINT32: (0, 2**32 - 1),
    Field.CPPTYPE_UINT64: (0, 2**64 - 1),
}
TEXTS = ["", " ", "0", "-1", "true", "null", "[1]", '{"a": 1}', "a, b", "\u0000", "é", "\U0001f600\u2028", '"\\', "NaN"]
SAFE = 2**53 - 1


class Draw:
    """Draws messages; `finite` says of a field whether it takes numbers that are none."""

    def __init__(self, random, pool, may_be_infinite):
        self.random = random
        self.pool = pool
        self.may_be_infinite = may_be_infinite

    def message(self, message_class, depth=0):
        message = message_class()
        known = getattr(self, "_" + message.DESCRIPTOR.full_name.replace(".", "_"), None)
        if known:
            known(message, depth)
            return message
        members = {oneof.name: self.random.choice([None, *oneof.fields]) for oneof in message.DESCRIPTOR.oneofs}
        for field in message.DESCRIPTOR.fields:
            oneof = field.containing_oneof
            if oneof is not None and members[oneof.name] is not field:
                continue
            if oneof is not None or field.is_required or self.random.random() < 0.7:
                self.fill(message, field, depth)
        return message

    def fill(self, message, field, depth):
        if field.message_type is not None and field.message_type.GetOptions().map_entry:
            self.fill_map(getattr(message, field.name), field, depth)
        elif field.is_repeated:
            self.fill_list(getattr(message, field.name), field, depth)
        elif field.message_type is not None:
            if depth < 4:
                getattr(message, field.name).CopyFrom(self.value(field, depth))
        else:
            setattr(message, field.name, self.value(field, depth))

    def fill_map(self, entries, field, depth):
        key, value = (field.message_type.fields_by_name[name] for name in ("key", "value"))
        for _ in range(self.count(depth)):
            if value.message_type is not None:
                entries[self.value(key, depth)].CopyFrom(self.value(value, depth))
            else:
                entries[self.value(key, depth)] = self.value(value, depth, of=field)

    def fill_list(self, items, field, depth):
        for _ in range(self.count(depth)):
            if field.message_type is not None:
                items.add().CopyFrom(self.value(field, depth))
            else:
                items.append(self.value(field, depth))

    def count(self, depth):
        return self.random.choice([0, 1, 1, 2, 3]) if depth < 4 else 0

    def value(self, field, depth, of=None):
        """A value for a field; `of` is the field of the map that it stands in."""
        if field.message_type is not None:
            return self.message(self.pool_class(field.message_type), depth + 1)
        if field.cpp_type == Field.CPPTYPE_BOOL:
            return self.random.random() < 0.5
        if field.cpp_type == Field.CPPTYPE_ENUM:
            return self.random.choice(field.enum_type.values).number
        if field.cpp_type in (Field.CPPTYPE_DOUBLE, Field.CPPTYPE_FLOAT):
            single = field.cpp_type == Field.CPPTYPE_FLOAT
            return self.number(single, self.may_be_infinite(of or field))
        if field.cpp_type in BOUNDS:
            return self.integer(*BOUNDS[field.cpp_type])
        return self.bytes() if field.type == Field.TYPE_BYTES else self.text()

    def pool_class(self, descriptor):
        from google.protobuf import message_factory

        return message_factory.GetMessageClass(descriptor)

    def integer(self, least, most):
        edges = [least, least + 1, 0, 1, most - 1, most, 2**53 - 1, 2**53, 2**53 + 1, -(2**53) - 1]
        within = [edge for edge in edges if least <= edge <= most]
        return self.random.choice([*within, self.random.randint(least, most)])

    def number(self, single, infinite):
        form, size = ("<f", 4) if single else ("<d", 8)
        while True:
            drawn = self.random.choice(
                [
                    0.0,
                    -0.0,
                    1.0,
                    0.1,
                    1e20,
                    self.random.uniform(-1e6, 1e6),
                    float(self.random.randint(-1000, 1000)),
                    struct.unpack(form, self.random.randbytes(size))[0],
                    struct.unpack(form, self.random.randbytes(size))[0],
                    *([math.nan, math.inf, -math.inf] if infinite else []),
                ]
            )
            if infinite or math.isfinite(drawn):
                return struct.unpack(form, struct.pack(form, drawn))[0] if single else drawn

    def text(self):
        if self.random.random() < 0.4:
            return self.random.choice(TEXTS)
        points = [*range(32, 127), 9, 10, 233, 0x3C3, 0x1F600]
        return "".join(chr(self.random.choice(points)) for _ in range(self.random.randint(0, 12)))

    def bytes(self):
        return self.random.randbytes(self.random.randint(0, 9))

    # === the well-known types ===

    def _google_protobuf_Timestamp(self, message, _):
        message.seconds = self.random.choice([0, -1, -62135596800, 253402300799, self.random.randint(-(2**33), 2**33)])
        message.nanos = self.nanos()

    def _google_protobuf_Duration(self, message, _):
        sign = self.random.choice([-1, 1])
        message.seconds = sign * self.random.choice([0, 1, 315576000000, self.random.randint(0, 10**6)])
        message.nanos = 0 if abs(message.seconds) == 315576000000 else sign * self.nanos()

    def nanos(self):
        return self.random.choice([0, 1, 999999999, 500000000, 120000, self.random.randint(0, 999999999)])

    def _google_protobuf_FieldMask(self, message, _):
        paths = ["a", "departs_at", "legs.from", "a_b.c_d", "x9"]
        message.paths.extend(self.random.sample(paths, self.random.randint(0, 3)))

    def _google_protobuf_Empty(self, message, _):
        pass

    def _google_protobuf_Struct(self, message, depth):
        for _ in range(self.count(depth)):
            self._google_protobuf_Value(message.fields[self.text()], depth + 1)

    def _google_protobuf_ListValue(self, message, depth):
        for _ in range(self.count(depth)):
            self._google_protobuf_Value(message.values.add(), depth + 1)

    def _google_protobuf_Value(self, message, depth):
        which = self.random.choice(["null", "bool", "number", "text", *(["struct", "list"] if depth < 5 else [])])
        if which == "null":
            message.null_value = 0
        elif which == "bool":
            message.bool_value = self.random.random() < 0.5
        elif which == "number":
            # Beyond, Python prints the digits of an integer, and those become text in a Struct: a test of its own.
            drawn = self.number(False, False)
            message.number_value = drawn if abs(drawn) <= SAFE else 0.5
        elif which == "text":
            message.string_value = self.text()
        elif which == "struct":
            message.struct_value.SetInParent()
            self._google_protobuf_Struct(message.struct_value, depth + 1)
        else:
            message.list_value.SetInParent()
            self._google_protobuf_ListValue(message.list_value, depth + 1)

    def _google_protobuf_Any(self, message, depth):
        names = ["drawn.v1.M0", "drawn.v1.M1", "google.protobuf.Duration", "google.protobuf.Int64Value"]
        inner = self.pool_class(self.pool.FindMessageTypeByName(self.random.choice(names)))
        message.Pack(self.message(inner, depth + 1), deterministic=True)
