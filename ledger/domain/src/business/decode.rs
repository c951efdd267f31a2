//! Decodes stored events of every version.
//!
//! An unknown type or version is an error and never skipped, because the balances would be wrong without it.

use std::sync::LazyLock;

use cqrs_es::persist::{EventUpcaster, SemanticVersion, SemanticVersionEventUpcaster, SerializedEvent};
use serde_json::Value;
use thiserror::Error;

use super::event::BusinessEvent;
use crate::sale::Initiator;

#[derive(Debug, Error)]
pub enum DecodeError {
    #[error("unknown event type {0:?}")]
    UnknownType(String),
    #[error("unknown version {version:?} of event type {event_type:?}")]
    UnknownVersion { event_type: String, version: String },
    #[error("the row's type is {recorded:?}, but the payload's type is {payload:?}")]
    TypeDiffers { recorded: String, payload: &'static str },
    #[error("unreadable payload of event type {event_type:?}")]
    Payload {
        event_type: String,
        source: serde_json::Error,
    },
}

/// The upcasters: they convert stored events of older versions to the current shape. `decode` and the reference cqrs-es
/// reader both use them.
///
/// To change a stored shape: raise its version in the table of `BusinessEvent`, keep the old JSON snapshot, and add a
/// `SemanticVersionEventUpcaster` here that converts the old payload. Each upcaster raises an event by one version;
/// list them oldest first. Release code that reads the new version before code that writes it.
pub fn upcasters() -> Vec<Box<dyn EventUpcaster>> {
    vec![Box::new(SemanticVersionEventUpcaster::new(
        "SaleVoided",
        "1.1.0",
        Box::new(voided_by_acquirer),
    ))]
}

/// SaleVoided 1.0 has no initiator. At that time only acquirers' notices voided sales.
fn voided_by_acquirer(mut payload: Value) -> Value {
    if let Some(voided) = payload.get_mut("SaleVoided").and_then(Value::as_object_mut) {
        voided.insert("initiator".to_owned(), Initiator::Acquirer.as_str().into());
    }
    payload
}

static UPCASTERS: LazyLock<Vec<Box<dyn EventUpcaster>>> = LazyLock::new(upcasters);

/// Decodes a stored row. `payload` is the JSON text as written, `{"SaleCaptured":{…}}`.
pub fn decode(event_type: &str, event_version: &str, payload: &str) -> Result<BusinessEvent, DecodeError> {
    decode_with(&UPCASTERS, event_type, event_version, payload)
}

pub(super) fn decode_with(
    upcasters: &[Box<dyn EventUpcaster>],
    event_type: &str,
    event_version: &str,
    payload: &str,
) -> Result<BusinessEvent, DecodeError> {
    let unreadable = |source| DecodeError::Payload {
        event_type: event_type.to_owned(),
        source,
    };
    if BusinessEvent::version_of(event_type) == Some(event_version) {
        return of_type(event_type, serde_json::from_str(payload).map_err(unreadable)?);
    }
    let stored = serde_json::from_str(payload).map_err(unreadable)?;
    let upcast = upcast(upcasters, event_type, event_version, stored);
    match BusinessEvent::version_of(&upcast.event_type) {
        None => Err(DecodeError::UnknownType(event_type.to_owned())),
        Some(current) if !same_version(current, &upcast.event_version) => Err(DecodeError::UnknownVersion {
            event_type: event_type.to_owned(),
            version: event_version.to_owned(),
        }),
        Some(_) => of_type(
            &upcast.event_type,
            serde_json::from_value(upcast.payload).map_err(unreadable)?,
        ),
    }
}

/// After an upcast, cqrs-es writes the version in three parts: 1.1.0 for our 1.1.
fn same_version(one: &str, other: &str) -> bool {
    match (one.parse::<SemanticVersion>(), other.parse::<SemanticVersion>()) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

/// The row and the payload both name the type.
fn of_type(recorded: &str, event: BusinessEvent) -> Result<BusinessEvent, DecodeError> {
    if event.type_name() == recorded {
        Ok(event)
    } else {
        Err(DecodeError::TypeDiffers {
            recorded: recorded.to_owned(),
            payload: event.type_name(),
        })
    }
}

/// Upcasters read only the type, the version and the payload, so the other fields are empty.
fn upcast(
    upcasters: &[Box<dyn EventUpcaster>],
    event_type: &str,
    event_version: &str,
    payload: Value,
) -> SerializedEvent {
    let stored = SerializedEvent::new(
        String::new(),
        0,
        String::new(),
        event_type.to_owned(),
        event_version.to_owned(),
        payload,
        Value::Null,
    );
    upcasters.iter().fold(stored, |event, upcaster| {
        if upcaster.can_upcast(&event.event_type, &event.event_version) {
            upcaster.upcast(event)
        } else {
            event
        }
    })
}
