//! The digest of an event, and the hash chain over a business's events.
//!
//! The digest covers the hashes of metadata and payload, not their text. A proof of one event can therefore hide both,
//! and shows no other event's payload.
//!
//! The first header field is the digest's version. No event of one version can have the digest of another.

use ledger_domain::calendar::Instant;
use ledger_domain::{BusinessId, EventId};
use sha2::{Digest, Sha256};

use crate::lane::EventKey;

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
    /// The idempotency key. Only a command's first event has one.
    pub key: Option<EventKey>,
}

const VERSION: &[u8] = b"2";

/// SHA-256 over header ‖ SHA-256(metadata) ‖ SHA-256(payload). Each header field is preceded by its length in four
/// bytes, so that different headers have different bytes. Numbers are big-endian, instants are microseconds since 1970.
/// The fields of an absent key are empty.
pub fn digest(header: &Header<'_>, metadata: &[u8], payload: &[u8]) -> [u8; 32] {
    let mut hash = Sha256::new();
    field(&mut hash, VERSION);
    field(&mut hash, header.business_id.uuid().as_bytes());
    field(&mut hash, &header.sequence.to_be_bytes());
    field(&mut hash, header.event_id.uuid().as_bytes());
    field(&mut hash, header.event_type.as_bytes());
    field(&mut hash, header.event_version.as_bytes());
    field(&mut hash, &header.recorded_at.timestamp_micros().to_be_bytes());
    field(&mut hash, &header.occurred_at.timestamp_micros().to_be_bytes());
    match header.key {
        Some(EventKey {
            key,
            fingerprint,
            event_count,
        }) => {
            field(&mut hash, &key);
            field(&mut hash, &fingerprint);
            field(&mut hash, &event_count.to_be_bytes());
        }
        None => (0..3).for_each(|_| field(&mut hash, &[])),
    }
    hash.update(Sha256::digest(metadata));
    hash.update(Sha256::digest(payload));
    hash.finalize().into()
}

fn field(hash: &mut Sha256, bytes: &[u8]) {
    let length = u32::try_from(bytes.len()).expect("a header's field is short");
    hash.update(length.to_be_bytes());
    hash.update(bytes);
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
            key: Some(KEY),
        }
    }

    const KEY: EventKey = EventKey {
        key: [3; 16],
        fingerprint: [4; 16],
        event_count: 1,
    };

    #[test]
    fn the_digests_of_stored_events_never_change() {
        let payload = b"{\"SaleVoided\":{}}";
        let digest = digest(&header(), b"{}", payload);
        assert_eq!(
            [digest, next(&GENESIS, &digest)].map(hex::encode),
            [
                "bd8c03a522706c44798ebe89fa8889ffa9731f192026b6a0819c0cd7bbf228d5",
                "8cb641e8a1d611e8ba61cdff23992598f38c3e84d9cdff3d08475ee74ceb3bf9"
            ],
            "every recorded event depends on these values"
        );
    }

    #[test]
    fn a_removed_or_changed_key_changes_the_digest() {
        let original = digest(&header(), b"{}", b"p");
        let other_keys = [
            None,
            Some(EventKey { key: [9; 16], ..KEY }),
            Some(EventKey {
                fingerprint: [9; 16],
                ..KEY
            }),
            Some(EventKey {
                event_count: 2,
                ..KEY
            }),
        ];
        for key in other_keys {
            let header = Header { key, ..header() };
            assert_ne!(digest(&header, b"{}", b"p"), original, "{key:?}");
        }
    }

    #[test]
    fn every_other_field_changes_the_digest_too() {
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
                    event_type: "SaleFailed",
                    ..header()
                },
                b"{}",
                b"p",
            ),
            digest(
                &Header {
                    event_version: "1.1",
                    ..header()
                },
                b"{}",
                b"p",
            ),
            // The same bytes in total: only the lengths of the fields differ.
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
