//! The fields that ISO 28500 defines, and the types of record that must, may and must not have each.

use super::syntax::Syntax;
use crate::RecordType;
use crate::RecordType::{Continuation, Conversion, Metadata, Request, Resource, Response, Revisit, Warcinfo};

/// A field of the standard.
pub(super) struct Defined {
    pub(super) name: &'static str,
    pub(super) syntax: Syntax,
    pub(super) required: Types,
    pub(super) forbidden: Types,
    /// Types for which the standard gives the field no meaning, and writers use it all the same.
    pub(super) unfit: Types,
    pub(super) repeats: bool,
    /// Whether heads that are a line of words say it too.
    pub(super) in_line_heads: bool,
}

/// A set of record types.
#[derive(Clone, Copy)]
pub(super) struct Types(u16);

impl Types {
    const NONE: Self = Self(0);
    const ALL: Self = Self(u16::MAX);

    const fn of(types: &[RecordType]) -> Self {
        let (mut bits, mut i) = (0, 0);
        while i < types.len() {
            bits |= 1 << types[i] as u16;
            i += 1;
        }
        Self(bits)
    }

    /// All types of the standard but these. A type that the standard does not know is free in its fields.
    const fn but(types: &[RecordType]) -> Self {
        Self(Self::of(&RecordType::KNOWN).0 & !Self::of(types).0)
    }

    pub(super) fn has(self, record_type: RecordType) -> bool {
        self.0 & (1 << record_type as u16) != 0
    }
}

const PLAIN: Defined = Defined {
    name: "",
    syntax: Syntax::Text,
    required: Types::NONE,
    forbidden: Types::NONE,
    unfit: Types::NONE,
    repeats: false,
    in_line_heads: false,
};

/// ISO 28500:2017, clause 5, in its order. At most 32, for a set of them is a `u32`.
///
/// Content-Length is the reader's: it reports a missing one, and one that is no length.
pub(super) const DEFINED: [Defined; 21] = [
    Defined { name: "WARC-Record-ID", syntax: Syntax::Id, required: Types::ALL, ..PLAIN },
    Defined { name: "Content-Length", syntax: Syntax::Length, ..PLAIN },
    Defined { name: "WARC-Date", syntax: Syntax::Date, required: Types::ALL, in_line_heads: true, ..PLAIN },
    Defined { name: "WARC-Type", syntax: Syntax::Type, required: Types::ALL, ..PLAIN },
    Defined { name: "Content-Type", syntax: Syntax::MediaType, ..PLAIN },
    Defined {
        name: "WARC-Concurrent-To",
        syntax: Syntax::Id,
        forbidden: Types::of(&[Warcinfo, Conversion, Continuation]),
        repeats: true,
        ..PLAIN
    },
    Defined { name: "WARC-Block-Digest", syntax: Syntax::Digest, ..PLAIN },
    Defined {
        name: "WARC-Payload-Digest",
        syntax: Syntax::Digest,
        unfit: Types::of(&[Warcinfo, Metadata]),
        ..PLAIN
    },
    Defined {
        name: "WARC-IP-Address",
        syntax: Syntax::Ip,
        forbidden: Types::of(&[Warcinfo, Conversion, Continuation]),
        in_line_heads: true,
        ..PLAIN
    },
    Defined {
        name: "WARC-Refers-To",
        syntax: Syntax::Id,
        forbidden: Types::of(&[Warcinfo, Response, Resource, Request, Continuation]),
        ..PLAIN
    },
    Defined {
        name: "WARC-Refers-To-Target-URI",
        syntax: Syntax::Uri,
        unfit: Types::but(&[Revisit]),
        ..PLAIN
    },
    Defined { name: "WARC-Refers-To-Date", syntax: Syntax::Date, unfit: Types::but(&[Revisit]), ..PLAIN },
    Defined {
        name: "WARC-Target-URI",
        syntax: Syntax::Uri,
        required: Types::of(&[Response, Resource, Request, Revisit, Conversion, Continuation]),
        forbidden: Types::of(&[Warcinfo]),
        in_line_heads: true,
        ..PLAIN
    },
    Defined { name: "WARC-Truncated", syntax: Syntax::Token, ..PLAIN },
    Defined { name: "WARC-Warcinfo-ID", syntax: Syntax::Id, forbidden: Types::of(&[Warcinfo]), ..PLAIN },
    Defined { name: "WARC-Filename", forbidden: Types::but(&[Warcinfo]), ..PLAIN },
    Defined {
        name: "WARC-Profile",
        syntax: Syntax::Profile,
        required: Types::of(&[Revisit]),
        unfit: Types::but(&[Revisit]),
        ..PLAIN
    },
    Defined {
        name: "WARC-Identified-Payload-Type",
        syntax: Syntax::MediaType,
        unfit: Types::of(&[Warcinfo, Metadata]),
        ..PLAIN
    },
    Defined {
        name: "WARC-Segment-Number",
        syntax: Syntax::Number,
        required: Types::of(&[Continuation]),
        ..PLAIN
    },
    Defined {
        name: "WARC-Segment-Origin-ID",
        syntax: Syntax::Id,
        required: Types::of(&[Continuation]),
        forbidden: Types::but(&[Continuation]),
        ..PLAIN
    },
    Defined {
        name: "WARC-Segment-Total-Length",
        syntax: Syntax::Number,
        forbidden: Types::but(&[Continuation]),
        ..PLAIN
    },
];

/// The place of a field in [`DEFINED`], by its name in any case of letters.
pub(super) fn position(name: &[u8]) -> Option<usize> {
    DEFINED.iter().position(|defined| name.eq_ignore_ascii_case(defined.name.as_bytes()))
}
