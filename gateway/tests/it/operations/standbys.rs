//! Several hosts in the database's address, of which one accepts writes. Here both are ways to one server, and each can
//! be silent like a machine that lost its network, or refuse like one that does not lead. The real thing is the trial
//! `standby` of `just torture`.

use std::net::SocketAddr;
use std::time::Duration;

use deadpool_postgres::{ManagerConfig, Pool};
use ledger_store::connector::Verification;
use ledger_store::{Connector, Supervisor};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio_postgres::config::Host;

use crate::support::database::Database;
use crate::support::program::Program;
use crate::support::sandbox::free_address;

/// Far longer than any wait of the program.
const AT_MOST: Duration = Duration::from_secs(120);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Open,
    /// Accepts connections, keeps the open ones, and passes nothing on.
    Silent,
    Closed,
}

struct Proxy {
    port: u16,
    way: watch::Sender<Way>,
}

impl Proxy {
    async fn start(server: SocketAddr, way: Way) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a listener");
        let port = listener.local_addr().expect("an address").port();
        let (way, seen) = watch::channel(way);
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                if *seen.borrow() == Way::Closed {
                    continue;
                }
                let (from_client, to_client) = client.into_split();
                let server = TcpStream::connect(server).await.expect("the tests' PostgreSQL");
                let (from_server, to_server) = server.into_split();
                tokio::spawn(pass(from_client, to_server, seen.clone()));
                tokio::spawn(pass(from_server, to_client, seen.clone()));
            }
        });
        Self { port, way }
    }
}

async fn pass(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    mut way: watch::Receiver<Way>,
) {
    let mut bytes = [0; 8 * 1024];
    while let Ok(read @ 1..) = from.read(&mut bytes).await {
        let opened = way.wait_for(|way| *way == Way::Open).await.is_ok();
        if !opened || to.write_all(&bytes[..read]).await.is_err() {
            return;
        }
    }
}

/// The database behind two hosts.
async fn behind(database: &Database, ways: [Way; 2]) -> (Connector, [Proxy; 2]) {
    let config = &database.config;
    let [Host::Tcp(host)] = config.get_hosts() else {
        panic!("the tests' PostgreSQL has one address")
    };
    let server = (host.as_str(), config.get_ports()[0]);
    let server = tokio::net::lookup_host(server)
        .await
        .expect("an address")
        .next()
        .expect("an address");
    let hosts = [
        Proxy::start(server, ways[0]).await,
        Proxy::start(server, ways[1]).await,
    ];
    let mut options = tokio_postgres::Config::new();
    for host in &hosts {
        options.host("127.0.0.1").port(host.port);
    }
    options
        .user(config.get_user().expect("a user"))
        .dbname(config.get_dbname().expect("a database"))
        .target_session_attrs(tokio_postgres::config::TargetSessionAttrs::ReadWrite);
    if let Some(password) = config.get_password() {
        options.password(password);
    }
    (Connector::new(options, Verification::Nothing), hosts)
}

fn pool(connector: &Connector) -> Pool {
    Pool::builder(connector.manager(ManagerConfig::default()))
        .max_size(2)
        .build()
        .expect("a pool")
}

async fn answers(pool: &Pool) -> bool {
    let client = pool.get().await.expect("a session");
    let row = client.query_one("SELECT 1", &[]).await.expect("an answer");
    row.get::<_, i32>(0) == 1
}

#[tokio::test]
async fn a_session_is_opened_although_the_first_host_is_silent() {
    let database = Database::create().await;
    let (connector, _hosts) = behind(&database, [Way::Silent, Way::Open]).await;
    let pool = pool(&connector);
    let answered = tokio::time::timeout(AT_MOST, answers(&pool)).await;
    assert!(answered.expect("the second host is asked too"));
}

#[tokio::test]
async fn a_query_to_a_silent_host_ends_once_another_host_accepts_writes() {
    let database = Database::create().await;
    let (connector, [first, second]) = behind(&database, [Way::Open, Way::Closed]).await;
    let pool = pool(&connector);
    let supervisor = Supervisor::default();
    let _watch = connector.keep_watching(&supervisor).expect("two hosts");
    let client = pool.get().await.expect("a session");
    client.query_one("SELECT 1", &[]).await.expect("an answer");
    first.way.send_replace(Way::Silent);
    second.way.send_replace(Way::Open);
    let waiting = client.query_one("SELECT 1", &[]);
    let ended = tokio::time::timeout(AT_MOST, waiting).await;
    assert!(ended.expect("the wait ends").is_err(), "nothing answered");
    drop(client);
    assert!(answers(&pool).await, "the second host answers");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_process_stops_although_its_database_is_silent() {
    let database = Database::create().await;
    let (connector, [first, _]) = behind(&database, [Way::Open, Way::Closed]).await;
    let options = connector.options();
    let url = format!(
        "postgres://{}:{}@127.0.0.1:{}/{}",
        options.get_user().expect("a user"),
        String::from_utf8_lossy(options.get_password().unwrap_or_default()),
        first.port,
        options.get_dbname().expect("a database"),
    );
    let program = Program::new(&url, free_address(), free_address(), &[]);
    let mut running = program.start();
    program.until_it_serves().await;
    first.way.send_replace(Way::Silent);
    let pid = running.id().and_then(|pid| i32::try_from(pid).ok());
    kill(Pid::from_raw(pid.expect("it runs")), Signal::SIGTERM).expect("a signal");
    let ended = tokio::time::timeout(AT_MOST, running.wait()).await;
    ended.expect("it does not wait for an answer").expect("it ends");
}

#[tokio::test]
async fn one_host_needs_no_watch() {
    let database = Database::create().await;
    assert!(
        database
            .connector()
            .keep_watching(&Supervisor::default())
            .is_none()
    );
}
