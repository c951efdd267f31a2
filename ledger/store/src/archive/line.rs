//! An event as a line of an archive: one JSON object, with metadata and payload exactly as they were hashed.

use chrono::{DateTime, Utc};
use ledger_domain::{BusinessId, EventId};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use uuid::Uuid;

use crate::event::StoredEvent;
use crate::lane::EventKey;
use crate::position::Shard;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line<'a> {
    shard: u8,
    position: i64,
    business_id: Uuid,
    sequence: i64,
    event_id: Uuid,
    event_type: String,
    event_version: String,
    recorded_at: DateTime<Utc>,
    occurred_at: DateTime<Utc>,
    digest: String,
    chain: String,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    key: Option<Key>,
    #[serde(borrow)]
    metadata: &'a RawValue,
    #[serde(borrow)]
    payload: &'a RawValue,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Key {
    idempotency_key: Uuid,
    fingerprint: Uuid,
    span: i16,
}

/// `None` if metadata or payload are no JSON, or have a line break: no writer makes such ones.
pub(super) fn write(event: &StoredEvent) -> Option<String> {
    if event.metadata.contains('\n') || event.payload.contains('\n') {
        return None;
    }
    let line = Line {
        shard: event.shard.number(),
        position: event.position,
        business_id: event.business_id.uuid(),
        sequence: event.sequence,
        event_id: event.event_id.uuid(),
        event_type: event.event_type.clone(),
        event_version: event.event_version.clone(),
        recorded_at: event.recorded_at,
        occurred_at: event.occurred_at,
        digest: hex::encode(event.digest),
        chain: hex::encode(event.chain),
        key: event.key.map(|own| Key {
            idempotency_key: Uuid::from_bytes(own.key),
            fingerprint: Uuid::from_bytes(own.fingerprint),
            span: own.event_count,
        }),
        metadata: serde_json::from_str(&event.metadata).ok()?,
        payload: serde_json::from_str(&event.payload).ok()?,
    };
    serde_json::to_string(&line).ok()
}

/// Says why a line is not an event.
pub(super) fn read(text: &str) -> Result<StoredEvent, String> {
    let line: Line<'_> = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let hash = |text: &str| hex::decode(text).ok().and_then(|bytes| bytes.try_into().ok());
    let hash = |text: &str| hash(text).ok_or("a hash is not 32 bytes in hexadecimal");
    Ok(StoredEvent {
        shard: Shard::new(line.shard).ok_or("there is no such shard")?,
        position: line.position,
        business_id: BusinessId::from_uuid(line.business_id),
        sequence: line.sequence,
        event_id: EventId::from_uuid(line.event_id),
        event_type: line.event_type,
        event_version: line.event_version,
        payload: line.payload.get().to_owned(),
        metadata: line.metadata.get().to_owned(),
        recorded_at: line.recorded_at,
        occurred_at: line.occurred_at,
        digest: hash(&line.digest)?,
        chain: hash(&line.chain)?,
        key: line.key.map(|own| EventKey {
            key: own.idempotency_key.into_bytes(),
            fingerprint: own.fingerprint.into_bytes(),
            event_count: own.span,
        }),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event() -> StoredEvent {
        StoredEvent {
            shard: Shard::new(3).expect("a shard"),
            position: 41,
            business_id: BusinessId::from_uuid(Uuid::from_u128(1)),
            sequence: 7,
            event_id: EventId::from_uuid(Uuid::from_u128(2)),
            event_type: "SaleVoided".to_owned(),
            event_version: "1.0".to_owned(),
            // Bytes count: a space, a number in another form, an escaped letter.
            payload: r#"{"SaleVoided":{ "reason":"d\u00e9bito","net":1.50}}"#.to_owned(),
            metadata: "{}".to_owned(),
            recorded_at: DateTime::from_timestamp_micros(1_795_262_400_000_001).expect("an instant"),
            occurred_at: DateTime::from_timestamp_micros(1_795_262_400_000_000).expect("an instant"),
            digest: [1; 32],
            chain: [2; 32],
            key: Some(EventKey {
                key: [3; 16],
                fingerprint: [4; 16],
                event_count: 2,
            }),
        }
    }

    #[test]
    fn a_line_keeps_every_byte() {
        for event in [event(), StoredEvent { key: None, ..event() }] {
            let line = write(&event).expect("a line");
            assert!(!line.contains('\n'));
            assert_eq!(read(&line), Ok(event));
        }
    }

    #[test]
    fn what_is_no_event_is_refused() {
        let line = write(&event()).expect("a line");
        for (from, to) in [
            ("\"shard\":3", "\"shard\":16"),
            ("\"digest\":\"01", "\"digest\":\""),
            ("\"position\"", "\"place\""),
            ("\"payload\":{", "\"payload\":"),
        ] {
            assert!(read(&line.replace(from, to)).is_err(), "{to}");
        }
        for broken in ["{", "{\n}"] {
            assert_eq!(
                write(&StoredEvent {
                    payload: broken.to_owned(),
                    ..event()
                }),
                None
            );
        }
    }
}
