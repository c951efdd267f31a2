//! The codes of bad lines and of what was mended, for which the panel has the texts.

use gateway_formats::settlement_files::{BadLine, LineError, Mend, Mended};
use serde_json::json;

use super::{BadRecord, MendedRecord, excerpt};

pub(super) fn bad_record(bad: BadLine) -> BadRecord {
    let field = |field: &str, text: &str| json!({ "field": field, "text": excerpt(text) });
    let (reason, parameters) = match bad.reason {
        LineError::TooLong { max } => ("too_long", json!({ "max": max })),
        LineError::Length { found, expected } => ("length", json!({ "found": found, "expected": expected })),
        LineError::Short { found, least } => ("short", json!({ "found": found, "least": least })),
        LineError::Number { field: name, text } => ("number", field(name, &text)),
        LineError::Amount { field: name, text } => ("amount", field(name, &text)),
        LineError::Date { field: name, text } => ("date", field(name, &text)),
        LineError::RecordType(code) => ("record_type", json!({ "code": code.to_string() })),
        LineError::WithoutU => ("without_u", json!({})),
        LineError::WithoutT => ("without_t", json!({})),
        LineError::OtherMovement => ("other_movement", json!({})),
        LineError::Segment(code) => ("segment", json!({ "code": code.to_string() })),
        LineError::OtherBank { text, expected } => (
            "other_bank",
            json!({ "text": excerpt(&text), "expected": excerpt(&expected) }),
        ),
        LineError::Unfinished => ("unfinished", json!({})),
        LineError::AfterTrailer => ("after_trailer", json!({})),
    };
    BadRecord {
        line: bad.number,
        reason,
        parameters,
    }
}

pub(super) fn mended_record(Mended { mend, line, count }: Mended) -> MendedRecord {
    let (reason, parameters) = match mend {
        Mend::ShortLine => ("short_line", json!({})),
        Mend::LongLine => ("long_line", json!({})),
        Mend::CarriageReturn => ("carriage_return", json!({})),
        Mend::BlankLine => ("blank_line", json!({})),
        Mend::Utf16 => ("utf16", json!({})),
        Mend::ByteOrderMark => ("byte_order_mark", json!({})),
        Mend::Count { stated, found } => ("count", json!({ "stated": stated, "found": found })),
        Mend::Field { name: "fee" } => ("fee_unknown", json!({})),
        Mend::Field { name } => ("field", json!({ "field": name })),
    };
    MendedRecord {
        reason,
        parameters,
        line,
        count,
    }
}
