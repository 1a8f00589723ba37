"""Writes FlatBuffers, parents before children: every offset then points forward, as the format asks.

A value is one of Scalar, Vector, Text, Table. A Table maps field ids to values.
"""
import struct
from dataclasses import dataclass

_SIZES = {"b": 1, "B": 1, "h": 2, "H": 2, "i": 4, "I": 4, "f": 4, "q": 8}


@dataclass
class Scalar:
    format: str  # of the struct module
    value: object


@dataclass
class Vector:
    """`data` are the elements' bytes, or a list of Table and Text."""
    data: object
    element_size: int = 4
    alignment: int = 4


@dataclass
class Text:
    value: str


@dataclass
class Table:
    fields: dict


def ints(values, format="i"):
    size = _SIZES[format]
    return Vector(b"".join(struct.pack("<" + format, v) for v in values), size, size)


class _Writer:
    def __init__(self):
        self.out = bytearray()

    def pad(self, alignment, ahead=0):
        """So that the byte `ahead` bytes from here is aligned."""
        self.out += bytes(-(len(self.out) + ahead) % alignment)

    def point(self, where):
        """The offset field at `where` refers to what is written next."""
        struct.pack_into("<I", self.out, where, len(self.out) - where)

    def value(self, where, value):
        if isinstance(value, Table):
            self.table(where, value)
        elif isinstance(value, Text):
            data = value.value.encode()
            self.pad(4)
            self.point(where)
            self.out += struct.pack("<I", len(data)) + data + b"\0"
        elif isinstance(value.data, list):
            self.pad(4)
            self.point(where)
            self.out += struct.pack("<I", len(value.data)) + bytes(4 * len(value.data))
            first = len(self.out) - 4 * len(value.data)
            for i, element in enumerate(value.data):
                self.value(first + 4 * i, element)
        else:
            self.pad(max(4, value.alignment), ahead=4)
            self.point(where)
            self.out += struct.pack("<I", len(value.data) // value.element_size) + value.data

    def table(self, where, table):
        """A vtable of its own, then the table: widest fields first, so that no gaps arise."""
        size = lambda v: _SIZES[v.format] if isinstance(v, Scalar) else 4
        order = sorted(table.fields, key=lambda i: -size(table.fields[i]))
        position, end = {}, 4
        for field in order:
            position[field] = end
            end += size(table.fields[field])
        count = max(table.fields, default=-1) + 1
        self.pad(4, ahead=4 + 2 * count)
        vtable = len(self.out)
        slots = [position.get(field, 0) for field in range(count)]
        self.out += struct.pack(f"<HH{count}H", 4 + 2 * count, end, *slots)
        start = len(self.out)
        self.point(where)
        self.out += struct.pack("<i", start - vtable) + bytes(end - 4)
        for field in order:
            value = table.fields[field]
            if isinstance(value, Scalar):
                struct.pack_into("<" + value.format, self.out, start + position[field], value.value)
        for field in sorted(table.fields):
            if not isinstance(table.fields[field], Scalar):
                self.value(start + position[field], table.fields[field])


def write(root, identifier):
    writer = _Writer()
    writer.out += bytes(4) + identifier
    writer.value(0, root)
    writer.pad(4)
    return bytes(writer.out)
