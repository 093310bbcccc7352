//! Protobuf's wire format, as little of it as messages need: keys, varints, lengths.

/// How a field's payload is delimited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WireType {
    Varint,
    Fixed64,
    Length,
    Group,
    GroupEnd,
    Fixed32,
}

/// What is left of some wire bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reader<'a>(pub(crate) &'a [u8]);

// === impl WireType ===

impl WireType {
    pub(crate) const fn number(self) -> u64 {
        match self {
            Self::Varint => 0,
            Self::Fixed64 => 1,
            Self::Length => 2,
            Self::Group => 3,
            Self::GroupEnd => 4,
            Self::Fixed32 => 5,
        }
    }

    const fn of(number: u64) -> Option<Self> {
        match number {
            0 => Some(Self::Varint),
            1 => Some(Self::Fixed64),
            2 => Some(Self::Length),
            3 => Some(Self::Group),
            4 => Some(Self::GroupEnd),
            5 => Some(Self::Fixed32),
            _ => None,
        }
    }
}

// === impl Reader ===

impl<'a> Reader<'a> {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A varint of at most ten bytes; bits beyond 64 are refused.
    pub(crate) fn varint(&mut self) -> Option<u64> {
        let mut value = 0_u64;
        for shift in (0..64).step_by(7) {
            let (byte, rest) = self.0.split_first()?;
            self.0 = rest;
            let bits = u64::from(byte & 0x7f);
            if shift == 63 && bits > 1 {
                return None;
            }
            value |= bits << shift;
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
        None
    }

    /// The number of the next field, and how it is delimited.
    pub(crate) fn key(&mut self) -> Option<(u32, WireType)> {
        let key = self.varint()?;
        let number = u32::try_from(key >> 3).ok().filter(|number| (1..1 << 29).contains(number))?;
        Some((number, WireType::of(key & 7)?))
    }

    pub(crate) fn bytes(&mut self, length: usize) -> Option<&'a [u8]> {
        let (head, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(head)
    }

    pub(crate) fn delimited(&mut self) -> Option<&'a [u8]> {
        let length = usize::try_from(self.varint()?).ok()?;
        self.bytes(length)
    }

    pub(crate) fn fixed32(&mut self) -> Option<u32> {
        let (head, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u32::from_le_bytes(*head))
    }

    pub(crate) fn fixed64(&mut self) -> Option<u64> {
        let (head, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u64::from_le_bytes(*head))
    }

    /// Passes over a field that is not known. Groups may nest that deep.
    pub(crate) fn skip(&mut self, wire_type: WireType, number: u32, depth: usize) -> Option<()> {
        match wire_type {
            WireType::Varint => self.varint().map(drop),
            WireType::Fixed64 => self.fixed64().map(drop),
            WireType::Fixed32 => self.fixed32().map(drop),
            WireType::Length => self.delimited().map(drop),
            WireType::GroupEnd => None,
            WireType::Group => {
                let depth = depth.checked_sub(1)?;
                loop {
                    match self.key()? {
                        (end, WireType::GroupEnd) => return (end == number).then_some(()),
                        (inner, wire_type) => self.skip(wire_type, inner, depth)?,
                    }
                }
            }
        }
    }
}

/// How many bytes a varint takes.
pub(crate) fn varint_length(value: u64) -> usize {
    let bits = (64 - (value | 1).leading_zeros()).div_ceil(7);
    usize::try_from(bits).unwrap_or(10)
}
