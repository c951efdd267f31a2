//! Reads the path's parameters as ids. An invalid id is a 404, like an unknown one.

use axum::extract::{FromRequestParts, RawPathParams};
use axum::http::request::Parts;
use gateway_identity::access::AccessRule;
use gateway_identity::sessions::open_sessions::SessionId;
use ledger_domain::ids::UserId;
use ledger_domain::{BusinessId, EventId, HoldId, PaymentLinkId, PlanId, SaleId, TerminalId, TransferId};
use utoipa::openapi::path::ParameterIn;
use uuid::Uuid;

use crate::openapi::{CallDocument, Documented};
use crate::problem::{Problem, Result};

/// A type that a parameter of a path holds.
pub trait PathParam: Sized + Send {
    /// The name in the document's 404, such as "sale".
    const NOUN: &'static str;
    const EXAMPLE: &'static str;
    /// For parameters that their name does not explain.
    const DESCRIPTION: Option<&'static str> = None;

    fn parse(text: &str) -> Option<Self>;
}

/// The last parameter of the path. A parameter before it may name the company, which the guard reads.
#[derive(Debug)]
pub struct Id<T>(pub T);

/// The last two parameters of the path.
#[derive(Debug)]
pub struct Ids<A, B>(pub A, pub B);

impl<T: PathParam, S: Send + Sync> FromRequestParts<S> for Id<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self> {
        let [text] = last_of_path(parts, state).await?;
        T::parse(&text).map(Self).ok_or_else(Problem::not_found)
    }
}

impl<A: PathParam, B: PathParam, S: Send + Sync> FromRequestParts<S> for Ids<A, B> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self> {
        let [first, second] = last_of_path(parts, state).await?;
        let ids = A::parse(&first).zip(B::parse(&second));
        ids.map(|(first, second)| Self(first, second))
            .ok_or_else(Problem::not_found)
    }
}

async fn last_of_path<S: Send + Sync, const N: usize>(parts: &mut Parts, state: &S) -> Result<[String; N]> {
    let params = RawPathParams::from_request_parts(parts, state)
        .await
        .map_err(|_| Problem::unreadable())?;
    let all: Vec<String> = params.iter().map(|(_, value)| value.to_owned()).collect();
    let last = all.last_chunk::<N>().cloned();
    last.ok_or_else(|| Problem::internal("the route's path has fewer parameters than its handler reads"))
}

impl<T: PathParam> Documented for Id<T> {
    fn describe(call: &mut CallDocument) {
        let [name] = call.last_path_parameters();
        describe_one::<T>(call, &name);
        call.problem("404", not_found(call.access, &format!("The {}", T::NOUN)));
    }
}

impl<A: PathParam, B: PathParam> Documented for Ids<A, B> {
    fn describe(call: &mut CallDocument) {
        let [first, second] = call.last_path_parameters();
        describe_one::<A>(call, &first);
        describe_one::<B>(call, &second);
        let either = format!("The {} or the {}", A::NOUN, B::NOUN);
        call.problem("404", not_found(call.access, &either));
    }
}

fn describe_one<T: PathParam>(call: &mut CallDocument, name: &str) {
    call.text_parameter(ParameterIn::Path, name, T::DESCRIPTION, T::EXAMPLE);
}

fn not_found(access: AccessRule, what: &str) -> String {
    match access {
        AccessRule::Business(_) => format!("{what} does not exist or belongs to another company"),
        AccessRule::Public
        | AccessRule::Provider
        | AccessRule::Seller
        | AccessRule::Staff(_)
        | AccessRule::EitherPanel => {
            format!("{what} does not exist")
        }
    }
}

/// A type for the UUID of a record in a path.
macro_rules! uuid_param {
    ($(#[$doc:meta])* $name:ident, $noun:literal, $example:literal) => {
        $(#[$doc])*
        pub struct $name(pub uuid::Uuid);

        impl $crate::edge::PathParam for $name {
            const NOUN: &'static str = $noun;
            const EXAMPLE: &'static str = $example;

            fn parse(text: &str) -> Option<Self> {
                uuid::Uuid::try_parse(text).ok().map(Self)
            }
        }
    };
}
pub(crate) use uuid_param;

macro_rules! path_params {
    ($($id:ty, $noun:literal, $example:literal;)+) => {
        $(impl PathParam for $id {
            const NOUN: &'static str = $noun;
            const EXAMPLE: &'static str = $example;

            fn parse(text: &str) -> Option<Self> {
                text.parse().ok()
            }
        })+
    };
}

// A plain UUID is the id of a receiving plan. Other subjects with UUIDs have a type for their id, such as `SessionId`.
path_params! {
    UserId, "user", "usr_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b01";
    BusinessId, "company", "biz_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b02";
    SaleId, "sale", "sal_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b04";
    PlanId, "plan", "pln_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b06";
    Uuid, "receiving plan", "0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b0a";
    EventId, "event", "evt_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b07";
    TransferId, "transfer", "trf_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b08";
    HoldId, "hold", "hld_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b11";
    PaymentLinkId, "payment link", "lnk_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b0b";
    TerminalId, "terminal", "ter_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b05";
    SessionId, "session", "ses_0f8fad5b-d9cb-469f-a165-70867728950e";
}
