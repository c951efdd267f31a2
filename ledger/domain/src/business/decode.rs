//! Reading stored events back, whichever version they were written in.
//!
//! Nothing is skipped: a type or a version that this program does not know is an error, because a fold without it
//! would be wrong money.

use std::sync::LazyLock;

use cqrs_es::persist::{EventUpcaster, SemanticVersion, SemanticVersionEventUpcaster, SerializedEvent};
use serde_json::Value;
use thiserror::Error;

use super::event::BusinessEvent;
use crate::sale::Initiator;

#[derive(Debug, Error)]
pub enum DecodeError {
    #[error("no event type {0:?}")]
    UnknownType(String),
    #[error("no version {version:?} of event type {event_type:?}")]
    UnknownVersion { event_type: String, version: String },
    #[error("recorded as {recorded:?}, but its payload is of {payload:?}")]
    TypeDiffers { recorded: String, payload: &'static str },
    #[error("an unreadable payload of {event_type:?}")]
    Payload {
        event_type: String,
        source: serde_json::Error,
    },
}

/// What turns stored events of older versions into today's shape, for `decode` and for stock cqrs-es readers alike.
///
/// To change a stored shape: raise its version in the table of `BusinessEvent`, leave the old snapshot of its JSON where it
/// is, and add a `SemanticVersionEventUpcaster` here that turns the old payload into the new one. Each raises its
/// event by one version, oldest first, so that a very old event climbs them all. Release the readers before any writer.
pub fn upcasters() -> Vec<Box<dyn EventUpcaster>> {
    vec![Box::new(SemanticVersionEventUpcaster::new(
        "SaleVoided",
        "1.1.0",
        Box::new(voided_by_acquirer),
    ))]
}

/// SaleVoided 1.0 did not say who gave the sale up: only acquirers' notices did, before charges of ours could expire.
fn voided_by_acquirer(mut payload: Value) -> Value {
    if let Some(voided) = payload.get_mut("SaleVoided").and_then(Value::as_object_mut) {
        voided.insert("initiator".to_owned(), Initiator::Acquirer.as_str().into());
    }
    payload
}

static UPCASTERS: LazyLock<Vec<Box<dyn EventUpcaster>>> = LazyLock::new(upcasters);

/// The event of a stored row. `payload` is the JSON text as written, `{"SaleCaptured":{…}}`.
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

/// cqrs-es writes a version in three parts, 1.0.0, where an upcaster raised an event to our 1.0.
fn same_version(one: &str, other: &str) -> bool {
    match (one.parse::<SemanticVersion>(), other.parse::<SemanticVersion>()) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

/// The row says the type and so does its payload: they must agree, or the row was tampered with.
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

/// An upcaster reads the type, the version and the payload only; the rest of a row is none of its business.
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
