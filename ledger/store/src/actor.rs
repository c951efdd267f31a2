//! Who requested a command, as the event's metadata names it.
//!
//! Stored as two strings, `actor` and `audience`. Their spelling never changes, because the audit hashes it. Unknown
//! values of older or newer versions are kept unchanged as `Other`.

use ledger_domain::ids::UserId;
use ledger_domain::sale::Provider;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Actor {
    /// A seller user.
    Seller(UserId),
    /// An admin user.
    Admin(UserId),
    /// An acquirer, by a signed notice.
    Provider(Provider),
    /// A payout provider, by its result of a payout. The name is the one in the payout's row.
    Bank(String),
    /// The program itself.
    Job(Job),
    Other {
        actor: Option<String>,
        audience: Option<String>,
    },
}

/// A job of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Job {
    /// Settles installments that are due.
    Settlement,
    /// Charges terminal rentals.
    Rentals,
    /// Ends the holds of companies that were approved.
    Approvals,
    /// Creates the sale of each attempt to pay an order.
    Checkout,
    /// Requests withdrawals that companies have scheduled.
    Withdrawals,
    /// Loads data: the demo, the benchmark or a test.
    Installation,
}

impl Job {
    const ALL: [Self; 6] = [
        Self::Settlement,
        Self::Rentals,
        Self::Approvals,
        Self::Checkout,
        Self::Withdrawals,
        Self::Installation,
    ];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Settlement => "settlement",
            Self::Rentals => "rentals",
            Self::Approvals => "approvals",
            Self::Checkout => "checkout",
            Self::Withdrawals => "withdrawals",
            Self::Installation => "installation",
        }
    }
}

const SELLER: &str = "seller";
const ADMIN: &str = "admin";
const PROVIDER: &str = "provider";
const SYSTEM: &str = "system";
const PROVIDER_PREFIX: &str = "provider:";
const BANK_PREFIX: &str = "bank:";

impl Actor {
    /// The stored name, with a prefix for an acquirer or a bank.
    pub fn name(&self) -> Option<String> {
        match self {
            Self::Seller(id) | Self::Admin(id) => Some(id.to_string()),
            Self::Provider(provider) => Some(format!("{PROVIDER_PREFIX}{}", provider.slug())),
            Self::Bank(name) => Some(format!("{BANK_PREFIX}{name}")),
            Self::Job(job) => Some(job.as_str().to_owned()),
            Self::Other { actor, .. } => actor.clone(),
        }
    }

    pub fn audience(&self) -> Option<&str> {
        match self {
            Self::Seller(_) => Some(SELLER),
            Self::Admin(_) => Some(ADMIN),
            Self::Provider(_) => Some(PROVIDER),
            Self::Bank(_) | Self::Job(_) => Some(SYSTEM),
            Self::Other { audience, .. } => audience.as_deref(),
        }
    }

    /// The user's id. `None` for other actors.
    pub const fn user_id(&self) -> Option<UserId> {
        match self {
            Self::Seller(id) | Self::Admin(id) => Some(*id),
            Self::Provider(_) | Self::Bank(_) | Self::Job(_) | Self::Other { .. } => None,
        }
    }

    /// From a name that a read model stores without the audience, and that is not a user's id.
    pub fn from_stored_name(name: String) -> Self {
        let audience = name.starts_with(PROVIDER_PREFIX).then(|| PROVIDER.to_owned());
        Self::read(Some(name), audience)
    }

    /// From the two strings of stored metadata.
    pub fn read(actor: Option<String>, audience: Option<String>) -> Self {
        parse_known(actor.as_deref(), audience.as_deref()).unwrap_or(Self::Other { actor, audience })
    }
}

fn parse_known(actor: Option<&str>, audience: Option<&str>) -> Option<Actor> {
    let name = actor?;
    match audience {
        Some(SELLER) => name.parse().ok().map(Actor::Seller),
        Some(ADMIN) => name.parse().ok().map(Actor::Admin),
        Some(PROVIDER) => {
            let slug = name.strip_prefix(PROVIDER_PREFIX)?;
            Provider::from_slug(slug).ok().map(Actor::Provider)
        }
        // The first version of the settlement stored no audience, and read models store none.
        Some(SYSTEM) | None => match name.strip_prefix(BANK_PREFIX) {
            Some(bank) => Some(Actor::Bank(bank.to_owned())),
            None => Job::ALL
                .into_iter()
                .find(|job| job.as_str() == name)
                .map(Actor::Job),
        },
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::event::Metadata;

    const USER: &str = "usr_00000000-0000-0000-0000-000000000007";

    fn user() -> UserId {
        UserId::from_uuid(Uuid::from_u128(7))
    }

    #[test]
    fn each_actor_round_trips_through_its_stored_text() {
        let of = |actor: &str, audience: &str| format!(r#"{{"actor":"{actor}","audience":"{audience}"}}"#);
        for (actor, stored) in [
            (Actor::Seller(user()), of(USER, "seller")),
            (Actor::Admin(user()), of(USER, "admin")),
            (
                Actor::Provider(Provider::ZoopV2),
                of("provider:zoop_v2", "provider"),
            ),
            (Actor::Bank("sandbox".to_owned()), of("bank:sandbox", "system")),
            (Actor::Job(Job::Settlement), of("settlement", "system")),
            (Actor::Job(Job::Rentals), of("rentals", "system")),
            (Actor::Job(Job::Approvals), of("approvals", "system")),
            (Actor::Job(Job::Checkout), of("checkout", "system")),
            (Actor::Job(Job::Installation), of("installation", "system")),
        ] {
            let metadata = Metadata::by(actor);
            assert_eq!(serde_json::to_string(&metadata).expect("JSON"), stored);
            assert_eq!(
                serde_json::from_str::<Metadata>(&stored).expect("readable"),
                metadata
            );
        }
    }

    #[test]
    fn a_job_is_known_without_its_audience() {
        let metadata: Metadata = serde_json::from_str(r#"{"actor":"settlement"}"#).expect("readable");
        assert_eq!(metadata.actor, Actor::Job(Job::Settlement));
    }

    #[test]
    fn metadata_with_an_unknown_actor_is_readable_and_keeps_its_bytes() {
        for stored in [
            "{}",
            r#"{"actor":"system"}"#,
            r#"{"audience":"admin"}"#,
            r#"{"actor":"zoop","audience":"provider"}"#,
            r#"{"actor":"provider:sandbox","audience":"provider"}"#,
            r#"{"actor":"somebody","audience":"seller"}"#,
            r#"{"actor":"a","audience":"of tomorrow","request_id":"r"}"#,
        ] {
            let metadata: Metadata = serde_json::from_str(stored).expect("readable");
            assert!(matches!(metadata.actor, Actor::Other { .. }), "{stored}");
            assert_eq!(serde_json::to_string(&metadata).expect("JSON"), stored);
        }
    }
}
