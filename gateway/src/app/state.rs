//! The writer and the state that all parts share.

use std::sync::atomic::{AtomicBool, AtomicI64};
use std::sync::{Arc, OnceLock};

use gateway_environment::clock::BusinessClock;
use gateway_environment::config::{Config, PostalCodeService};
use gateway_environment::ids::Ids;
use gateway_http::AppState;
use gateway_http::edge::replica::Replica;
use gateway_http::health::slow_figures::KeptFigures;
use gateway_http::state::{Handles, RequestSlots};
use gateway_identity::account::AccountService;
use gateway_identity::credentials::codes::Codes;
use gateway_identity::email_queue::Mail;
use gateway_identity::rate_limit::RateLimiter;
use gateway_identity::rate_limit::local::LocalRateLimiter;
use gateway_peers::{Identity, PeerConnections, PeerServer};
use gateway_platform::acquirers::Acquirers;
use gateway_platform::companies::PostalCodes;
use gateway_platform::notices::{Intake, Notices};
use gateway_platform::orders::Orders;
use gateway_platform::reference_data::PostgresReferenceData;
use gateway_platform::terminals::Terminals;
use ledger_store::peers::PeerOptions;
use ledger_store::writer::new_owner;
use ledger_store::{Supervisor, Writer, WriterOptions, WriterTask};
use projections::daily_sales::Rankings;
use projections::{ReadModelCompleteness, Wake};
use tokio::net::TcpListener;

use super::database::Database;
use super::effects::EffectsError;
use super::{AppError, Parts};

pub(super) async fn start_writer(
    database: &Database,
    config: Config,
    parts: Parts,
    clock: BusinessClock,
    supervisor: Supervisor,
    peers: Option<TcpListener>,
) -> Result<(AppState, WriterTask, Option<PeerServer>), AppError> {
    let mut options = WriterOptions::new(database.connector().clone(), new_owner());
    options.supervisor = supervisor.clone();
    options.partition_size = config.database.partition_size;
    if !parts.writer {
        options.shards = vec![];
    }
    let keys = config.keys.checkpoint.get();
    // Refuses a ring without a key, which signs nothing.
    keys.signing()?;
    let identity = Identity::of(keys.ring.all())?;
    let connect = |listener| peer_options(&config, &identity, &options.owner, listener);
    options.peers = peers.as_ref().map(connect).transpose()?;
    // The newest version of the reference data that the ledger has seen: terminals that were cached before it are
    // read again.
    let reference_version = Arc::new(AtomicI64::new(0));
    let reference_data = Arc::new(PostgresReferenceData::new(Arc::clone(&reference_version)));
    options.clock = Arc::new(clock);
    let (writer, task) = Writer::start(options, Arc::clone(&reference_data) as _).await?;
    let peers = peers.map(|listener| {
        let recorder = Arc::new(writer.clone());
        PeerServer::start(listener, &identity, writer.owner(), recorder, &supervisor)
    });
    let peers = peers.transpose()?;
    let pool = database.pool().clone();
    let replica = Database::replica_pool(&config.database)?;
    let replica = replica.map(|replica| Arc::new(Replica::new(replica, pool.clone())));
    let ids = Ids::new(config.keys.sales.clone());
    let terminals = Terminals::new(reference_version);
    let intake = Intake::new(pool.clone(), writer.clone(), ids.clone(), terminals, clock);
    let mail = Arc::new(Mail::new(Codes::new(&config.keys)));
    let notices = Notices::new(intake, pool.clone());
    let acquirers = Arc::new(Acquirers::default());
    let orders = Orders::new(
        pool.clone(),
        writer.clone(),
        Arc::clone(&notices),
        Arc::clone(&acquirers),
        clock,
    );
    let state = AppState::from(Handles {
        clock,
        accounts: Arc::new(AccountService::new(
            &config.keys,
            pool.clone(),
            RateLimiter::new(&config.keys, database.limit_pool().clone()),
            Arc::clone(&mail),
        )),
        mail,
        notices,
        acquirers,
        orders,
        terminal_provider: OnceLock::new(),
        postal_codes: postal_codes(&config)?,
        slots: RequestSlots::default(),
        rankings: Rankings::default(),
        local_limits: LocalRateLimiter::default(),
        slow_figures: KeptFigures::default(),
        config: Arc::new(config),
        pool,
        replica,
        writer,
        supervisor,
        reference_data,
        wake: Wake::default(),
        completeness: ReadModelCompleteness::default(),
        ids,
        writes: parts.writes(),
        serves_panels: parts.gateway,
        stopping: AtomicBool::new(false),
    });
    Ok((state, task, peers))
}

/// The connections to the other processes, and the address under which they reach this one.
fn peer_options(
    config: &Config,
    identity: &Identity,
    owner: &str,
    listener: &TcpListener,
) -> Result<PeerOptions, AppError> {
    let listening = listener.local_addr()?;
    let host = config.server.peer_host.clone();
    let host = host.unwrap_or_else(|| listening.ip().to_string());
    Ok(PeerOptions {
        peers: Arc::new(PeerConnections::new(identity.clone(), owner)),
        address: peer_address(&host, listening.port()),
    })
}

/// An IPv6 address stands in brackets before a port.
fn peer_address(host: &str, port: u16) -> String {
    if host.contains(':') && !host.starts_with('[') {
        format!("[{host}]:{port}")
    } else {
        format!("{host}:{port}")
    }
}

fn postal_codes(config: &Config) -> Result<PostalCodes, AppError> {
    let postal_codes = PostalCodes::new(config.postal_codes.timeout)
        .map_err(|error| AppError::Effects(EffectsError::Provider(error)))?;
    if let Some(PostalCodeService::Url(url)) = &config.postal_codes.service {
        postal_codes.set_service_url(url);
    }
    Ok(postal_codes)
}
