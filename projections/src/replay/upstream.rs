//! The independent reader: unmodified postgres-es reads all events of a business from a view with the columns that it
//! expects.
//!
//! It has its own driver and its own statements. Only the upcasters, the event types and the aggregate are this
//! program's. The number of events and the balances must equal those of the replay.

use std::time::Duration;

use cqrs_es::Aggregate;
use cqrs_es::EventEnvelope;
use cqrs_es::persist::PersistedEventRepository;
use ledger_domain::BusinessId;
use ledger_domain::business::{Account, Business, upcasters};
use ledger_store::Connector;
use ledger_store::connector::Verification;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use postgres_es::PostgresEventRepository;
use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions, PgSslMode};
use tokio_postgres::config::{Host, SslMode, TargetSessionAttrs};

use super::folded::FoldedBusiness;
use crate::Error;
use crate::read_model::finding::{Reporter, Subject};

/// This driver tries a host again and again until then. The next one may be better.
const CONNECT_MAX: Duration = Duration::from_secs(5);

pub(super) struct Upstream {
    events: PostgresEventRepository,
}

impl Upstream {
    /// Takes the first host that answers as the pool's driver would take it.
    pub async fn connect(database: &Connector) -> Result<Self, Error> {
        let mut failure = Error::Upstream("the database's address has no host".to_owned());
        for options in options_of_hosts(database)? {
            match connect(options, database.options().get_target_session_attrs()).await {
                Ok(pool) => {
                    return Ok(Self {
                        events: PostgresEventRepository::new(pool),
                    });
                }
                Err(error) => failure = Error::Upstream(error),
            }
        }
        Err(failure)
    }

    /// Leaves out the events that were recorded after the replay read the log.
    pub async fn compare(
        &self,
        business: BusinessId,
        folded: &FoldedBusiness,
        reporter: &mut Reporter<'_>,
    ) -> Result<(), Error> {
        // The replay has reported an unreadable event, or an overflow of a balance, on which the aggregate would panic.
        if folded.unreadable {
            return Ok(());
        }
        let stored = self
            .events
            .get_events::<Business>(&business.to_string())
            .await
            .map_err(|error| Error::Upstream(error.to_string()))?;
        let mut reached = Business::default();
        let mut events = 0_u64;
        let last = usize::try_from(folded.sequence).unwrap_or(0);
        for event in stored.into_iter().filter(|event| event.sequence <= last) {
            let event = upcasters().iter().fold(event, |event, upcaster| {
                if upcaster.can_upcast(&event.event_type, &event.event_version) {
                    upcaster.upcast(event)
                } else {
                    event
                }
            });
            match EventEnvelope::<Business>::try_from(event) {
                Ok(envelope) => Aggregate::apply(&mut reached, envelope.payload),
                Err(error) => {
                    reporter.finding(Subject::Upstream, "event", "an event that can be read", error)
                }
            }
            events += 1;
        }
        reporter.equal(Subject::Upstream, "events", folded.events, events);
        for account in Account::ALL {
            let expected = folded.accounts().get(account).get();
            reporter.equal(
                Subject::Upstream,
                account,
                expected,
                reached.accounts.get(account).get(),
            );
        }
        Ok(())
    }
}

async fn connect(options: PgConnectOptions, wanted: TargetSessionAttrs) -> Result<PgPool, String> {
    let pool = PgPoolOptions::new()
        .max_connections(1)
        .acquire_timeout(CONNECT_MAX)
        .connect_with(options);
    let pool = pool.await.map_err(|error| error.to_string())?;
    if wanted == TargetSessionAttrs::ReadWrite {
        // A standby may be behind the server that the rest of the audit reads.
        let read_only: String = sqlx::query_scalar("SHOW transaction_read_only")
            .fetch_one(&pool)
            .await
            .map_err(|error| error.to_string())?;
        if read_only == "on" {
            return Err("the database does not allow writes".to_owned());
        }
    }
    Ok(pool)
}

/// The options of one host each: this driver takes no list.
fn options_of_hosts(database: &Connector) -> Result<Vec<PgConnectOptions>, Error> {
    let given = database.options();
    let common = common_options(database)?;
    let port = |index: usize| match given.get_ports() {
        [] => 5432,
        [port] => *port,
        ports => ports.get(index).copied().unwrap_or(5432),
    };
    let hosts = given.get_hosts().iter().map(|host| match host {
        Host::Tcp(name) => common.clone().host(name),
        #[cfg(unix)]
        Host::Unix(folder) => common.clone().socket(folder),
    });
    let addresses = given.get_hostaddrs().iter();
    let addresses = addresses.map(|address| common.clone().host(&address.to_string()));
    // A name is needed to verify a certificate, so addresses count only without names.
    let all: Vec<_> = if given.get_hosts().is_empty() {
        addresses.collect()
    } else {
        hosts.collect()
    };
    let all = all.into_iter().enumerate();
    Ok(all.map(|(index, options)| options.port(port(index))).collect())
}

/// This driver takes the text of the parameter `options` in a URL only.
fn common_options(database: &Connector) -> Result<PgConnectOptions, Error> {
    let given = database.options();
    let session = utf8_percent_encode(given.get_options().unwrap_or_default(), NON_ALPHANUMERIC);
    let mut options: PgConnectOptions = format!("postgres://localhost?options={session}")
        .parse()
        .map_err(|error: sqlx::Error| Error::Upstream(error.to_string()))?;
    if let Some(user) = given.get_user() {
        options = options.username(user);
    }
    if let Some(password) = given.get_password() {
        options = options.password(&String::from_utf8_lossy(password));
    }
    if let Some(name) = given.get_dbname() {
        options = options.database(name);
    }
    if let Some(name) = given.get_application_name() {
        options = options.application_name(name);
    }
    let mode = match (given.get_ssl_mode(), database.verification()) {
        (SslMode::Disable, _) => PgSslMode::Disable,
        (SslMode::Require, Verification::Nothing) => PgSslMode::Require,
        // This driver trusts the authorities of Mozilla's list as well. Without the name, a certificate of any site on
        // the internet would pass.
        (SslMode::Require, _) => PgSslMode::VerifyFull,
        _ => PgSslMode::Prefer,
    };
    options = options.ssl_mode(mode);
    if let Verification::Authority(authorities) | Verification::AuthorityAndName(authorities) =
        database.verification()
    {
        options = options.ssl_root_cert_from_pem(authorities.pem().to_vec());
    }
    if let Some(client) = database.client_certificate() {
        let (certificate, key) = client.pem();
        options = options
            .ssl_client_cert_from_pem(certificate)
            .ssl_client_key_from_pem(key);
    }
    Ok(options)
}
