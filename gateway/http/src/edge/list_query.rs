//! The query of a list whose days are in a time zone: the request's zone, else the user's, else the tenant's.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use gateway_environment::time_zone::TimeZone;
use gateway_platform::settings::tenant_of;

use super::panel::TenantLabel;
use super::{CurrentAdmin, CurrentSeller, FromQuery, QueryReader, query};
use crate::AppState;
use crate::openapi::{CallDocument, Documented};
use crate::problem::{Problem, Result};

#[derive(Debug)]
pub struct ListQuery<T> {
    pub query: T,
    /// The zone of the days in `start` and `end`.
    pub zone: TimeZone,
}

impl<T: FromQuery> FromRequestParts<AppState> for ListQuery<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self> {
        let mut reader = QueryReader::new(parts.uri.query().unwrap_or_default())?;
        let zone = list_zone(parts, state, &mut reader).await?;
        reader.set_zone(zone);
        let query = reader.read_all()?;
        Ok(Self { query, zone })
    }
}

impl<T: FromQuery> Documented for ListQuery<T> {
    fn describe(call: &mut CallDocument) {
        call.parameters(T::params());
        call.parameters(ZoneQuery::params());
    }
}

query! {
    struct ZoneQuery {
        #[doc = "IANA name of the time zone of the dates. Default: the user's zone, else the tenant's. The answer's \
                 `meta.time_zone` is the zone that was used."]
        #[example = "America/Sao_Paulo"]
        time_zone: Option<TimeZone>,
    }
}

/// Records an error in the reader if the name is not a time zone.
pub async fn list_zone(parts: &Parts, state: &AppState, reader: &mut QueryReader) -> Result<TimeZone> {
    match ZoneQuery::read(reader) {
        Some(ZoneQuery { time_zone: None }) => {}
        Some(ZoneQuery {
            time_zone: Some(zone),
        }) => return Ok(zone),
        // The request is a 422, whatever its zone.
        None => return Ok(TimeZone::UTC),
    }
    let seller = parts.extensions.get::<CurrentSeller>();
    let admin = parts.extensions.get::<CurrentAdmin>();
    let own = seller
        .and_then(|seller| seller.0.time_zone)
        .or_else(|| admin.and_then(|admin| admin.0.time_zone));
    if let Some(zone) = own {
        return Ok(zone);
    }
    let label = parts.extensions.get::<TenantLabel>();
    let label = label.map_or("", |label| label.0.as_str());
    Ok(tenant_of(&*state.db().await?, label).await?.time_zone)
}
