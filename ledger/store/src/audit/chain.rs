//! The digest of an event, and the hash chain over a business's events.
//!
//! The digest covers the hashes of metadata and payload, not their text. A proof of one event can therefore hide both,
//! and shows no other event's payload.

use ledger_domain::calendar::Instant;
use ledger_domain::{BusinessId, EventId};
use sha2::{Digest, Sha256};

/// The chain value before a business's first event.
pub const GENESIS: [u8; 32] = [0; 32];

/// The columns of an event that the digest's header covers.
#[derive(Debug, Clone, Copy)]
pub struct Header<'a> {
    pub business_id: BusinessId,
    pub sequence: i64,
    pub event_id: EventId,
    pub event_type: &'a str,
    pub event_version: &'a str,
    pub recorded_at: Instant,
    pub occurred_at: Instant,
}

/// SHA-256 over header ‖ SHA-256(metadata) ‖ SHA-256(payload). Each header field is preceded by its length in four
/// bytes, so that different headers have different bytes. Numbers are big-endian, instants are microseconds since 1970.
pub fn digest(header: &Header<'_>, metadata: &[u8], payload: &[u8]) -> [u8; 32] {
    let mut hash = Sha256::new();
    let mut field = |bytes: &[u8]| {
        let length = u32::try_from(bytes.len()).expect("a header's field is short");
        hash.update(length.to_be_bytes());
        hash.update(bytes);
    };
    field(header.business_id.uuid().as_bytes());
    field(&header.sequence.to_be_bytes());
    field(header.event_id.uuid().as_bytes());
    field(header.event_type.as_bytes());
    field(header.event_version.as_bytes());
    field(&header.recorded_at.timestamp_micros().to_be_bytes());
    field(&header.occurred_at.timestamp_micros().to_be_bytes());
    hash.update(Sha256::digest(metadata));
    hash.update(Sha256::digest(payload));
    hash.finalize().into()
}

/// The next chain value: SHA-256(previous ‖ digest).
pub fn next(previous: &[u8; 32], digest: &[u8; 32]) -> [u8; 32] {
    Sha256::new()
        .chain_update(previous)
        .chain_update(digest)
        .finalize()
        .into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    fn header() -> Header<'static> {
        Header {
            business_id: BusinessId::from_uuid(Uuid::from_u128(1)),
            sequence: 1,
            event_id: EventId::from_uuid(Uuid::from_u128(2)),
            event_type: "SaleVoided",
            event_version: "1.0",
            recorded_at: Instant::from_timestamp_micros(1_000_001).expect("an instant"),
            occurred_at: Instant::from_timestamp_micros(1_000_000).expect("an instant"),
        }
    }

    #[test]
    fn the_digest_of_stored_events_never_changes() {
        let digest = digest(&header(), b"{}", b"{\"SaleVoided\":{}}");
        assert_eq!(
            (hex::encode(digest), hex::encode(next(&GENESIS, &digest))),
            (
                "96a90142bf132c111eeabed2ee2e6921af9e96153f20ae0ea9448f1b4dda65b0".to_owned(),
                "6311afbd984f3230b3f31bff2c95a3bb71f68c216e7ef98902aad688834f878a".to_owned()
            ),
            "every recorded event depends on these values"
        );
    }

    #[test]
    fn every_field_changes_the_digest() {
        let original = digest(&header(), b"{}", b"p");
        let at = header().recorded_at + chrono::TimeDelta::microseconds(1);
        let others = [
            digest(
                &Header {
                    business_id: BusinessId::from_uuid(Uuid::from_u128(9)),
                    ..header()
                },
                b"{}",
                b"p",
            ),
            digest(
                &Header {
                    sequence: 2,
                    ..header()
                },
                b"{}",
                b"p",
            ),
            digest(
                &Header {
                    event_id: EventId::from_uuid(Uuid::from_u128(9)),
                    ..header()
                },
                b"{}",
                b"p",
            ),
            digest(
                &Header {
                    event_type: "SaleVoided1",
                    event_version: ".0",
                    ..header()
                },
                b"{}",
                b"p",
            ),
            digest(
                &Header {
                    recorded_at: at,
                    ..header()
                },
                b"{}",
                b"p",
            ),
            digest(
                &Header {
                    occurred_at: at,
                    ..header()
                },
                b"{}",
                b"p",
            ),
            digest(&header(), b"{ }", b"p"),
            digest(&header(), b"{}", b"q"),
        ];
        for (n, other) in others.iter().enumerate() {
            assert_ne!(&original, other, "change {n}");
        }
    }
}
