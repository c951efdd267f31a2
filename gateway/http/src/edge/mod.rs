//! The edge of requests: their context, their host's panel, their guard, the extractors of handlers, and the headers of
//! answers.

mod audience;
pub mod body;
mod caller;
pub mod client_address;
pub mod control_characters;
pub mod cookies;
mod database;
pub mod fetch_site;
mod form_errors;
pub mod guard;
pub mod headers;
mod id;
pub mod idempotency;
pub mod idempotency_store;
pub mod json;
pub mod json_text;
pub mod known_parameters;
pub mod list_query;
pub mod machine_routes;
pub mod observe;
pub mod panel;
mod place;
pub mod plain_errors;
pub mod position;
pub mod query;
pub mod replica;
pub mod request_context;
mod request_origin;
pub mod slots;
pub mod time_limit;

pub use client_address::ClientAddress;
pub use database::{Db, Tx};
pub(crate) use form_errors::named_fields;
pub use gateway_platform::form_errors::FormErrors;
pub use guard::{CurrentAdmin, CurrentBusiness, CurrentSeller};
pub(crate) use id::uuid_param;
pub use id::{Id, Ids, PathParam};
pub use idempotency::IdempotencyKey;
pub use json::Json;
pub use list_query::ListQuery;
pub use panel::{PanelUrl, RequestedUrl};
pub(crate) use query::query;
pub use query::{FromQuery, Paging, Query, QueryReader, QueryValue};
