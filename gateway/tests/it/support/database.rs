//! A database for each test, copied from a template that was migrated once, and dropped at the test's end. The
//! cluster is the one of `TEST_DATABASE_URL`, or else a throwaway cluster of this process.

use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

use deadpool_postgres::{Manager, Pool};
use gateway_dev::embedded::{DATABASE, Embedded};
use gateway_environment::config::ChangeKey;
use ledger_store::connector::Verification;
use ledger_store::migrate::{self, MIGRATIONS};
use ledger_store::{Connector, Layout};
use sha2::{Digest, Sha256};
use tokio::sync::{Mutex as AsyncMutex, mpsc, oneshot};
use tokio_postgres::{Client, Config, NoTls};
use uuid::Uuid;

/// An arbitrary number that no other lock of the cluster uses.
const TEMPLATE_LOCK: i64 = 0x7465_6d70;
/// `RAZAO_KEY_CHECKPOINT` of the tests' programs.
pub const CHECKPOINT_KEY: [u8; 32] = [0x11; 32];

pub struct Database {
    pub config: Config,
    pub url: String,
    pub pool: Pool,
    /// `None` if the database belongs to the test.
    cluster: Option<(String, Arc<Cluster>)>,
}

struct Cluster {
    /// The address of a database that always exists.
    url: String,
    template: String,
    creating: Administrator,
    /// Separate, so that a slow drop delays no test that starts.
    dropping: Administrator,
    /// `None` if `TEST_DATABASE_URL` names the cluster.
    embedded: Option<Embedded>,
}

impl Database {
    pub async fn create() -> Self {
        let cluster = Cluster::shared().await;
        let name = format!("it_{}", Uuid::new_v4().simple());
        let sql = format!(
            "CREATE DATABASE {name} TEMPLATE {} STRATEGY FILE_COPY",
            cluster.template
        );
        cluster.creating.execute(&cluster, sql).await;
        let url = with_database(&cluster.url, &name);
        let mut database = Self::at(&url);
        database.cluster = Some((name, cluster));
        database
    }

    /// One without tables.
    pub async fn empty() -> Self {
        let cluster = Cluster::shared().await;
        let name = format!("it_{}", Uuid::new_v4().simple());
        let sql = format!("CREATE DATABASE {name}");
        cluster.creating.execute(&cluster, sql).await;
        let mut database = Self::at(&with_database(&cluster.url, &name));
        database.cluster = Some((name, cluster));
        database
    }

    /// The same, for another role of the server, whose password is its name.
    pub fn for_role(mut self, role: &str) -> Self {
        let cluster = self.cluster.take();
        let (_, place) = self.url.rsplit_once('@').expect("an address with a user");
        let mut database = Self::at(&format!("postgres://{role}:{role}@{place}"));
        database.cluster = cluster;
        database
    }

    /// One that exists and that the test removes.
    pub fn at(url: &str) -> Self {
        let config: Config = url.parse().expect("an address");
        let pool = Pool::builder(Manager::new(config.clone(), NoTls))
            .max_size(8)
            .build()
            .expect("a pool");
        Self {
            config,
            url: url.to_owned(),
            pool,
            cluster: None,
        }
    }

    pub async fn client(&self) -> Client {
        connect(&self.url).await
    }

    pub fn connector(&self) -> Connector {
        Connector::new(self.config.clone(), Verification::Nothing)
    }

    /// A pool of sessions that prove their changes of chained rows, as the program's do.
    pub fn program_pool(&self) -> Pool {
        let mut options = self.config.clone();
        ChangeKey::of(&CHECKPOINT_KEY).set_in(&mut options);
        Pool::builder(Manager::new(options, NoTls))
            .max_size(2)
            .build()
            .expect("a pool")
    }
}

impl Drop for Database {
    /// Does not wait, because this thread may be the one of the test's runtime.
    fn drop(&mut self) {
        if let Some((name, cluster)) = &self.cluster {
            let sql = format!("DROP DATABASE {name} WITH (FORCE)");
            cluster.dropping.start(cluster, sql);
        }
    }
}

/// A thread that executes statements one after another on one connection. It outlives the tests' runtimes.
struct Administrator {
    orders: mpsc::UnboundedSender<AdministratorOrder>,
}

struct AdministratorOrder {
    sql: String,
    executed: oneshot::Sender<()>,
    /// Keeps the cluster running until the statement is executed.
    _cluster: Arc<Cluster>,
}

impl Administrator {
    fn of(url: &str) -> Self {
        let (orders, mut received) = mpsc::unbounded_channel::<AdministratorOrder>();
        let url = url.to_owned();
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .expect("a runtime");
            runtime.block_on(async move {
                let client = connect(&url).await;
                while let Some(order) = received.recv().await {
                    let sql = &order.sql;
                    client
                        .batch_execute(sql)
                        .await
                        .unwrap_or_else(|error| panic!("{sql}: {error:?}"));
                    // A test that ended does not wait.
                    let _ = order.executed.send(());
                }
            });
        });
        Self { orders }
    }

    /// Returns when the statement is executed.
    async fn execute(&self, cluster: &Arc<Cluster>, sql: String) {
        let executed = self.start(cluster, sql);
        executed.await.expect("the statement is executed");
    }

    fn start(&self, cluster: &Arc<Cluster>, sql: String) -> oneshot::Receiver<()> {
        let (executed, receiver) = oneshot::channel();
        let order = AdministratorOrder {
            sql,
            executed,
            _cluster: Arc::clone(cluster),
        };
        assert!(self.orders.send(order).is_ok(), "the administrator's thread runs");
        receiver
    }
}

impl Cluster {
    async fn shared() -> Arc<Self> {
        static STARTING: AsyncMutex<()> = AsyncMutex::const_new(());
        static SHARED: Mutex<Weak<Cluster>> = Mutex::new(Weak::new());
        /// Keeps the connections to a cluster that this process did not start.
        static KEPT: OnceLock<Arc<Cluster>> = OnceLock::new();
        let _turn = STARTING.lock().await;
        let shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner).upgrade();
        if let Some(cluster) = shared {
            return cluster;
        }
        let cluster = Arc::new(Self::start().await);
        *SHARED.lock().unwrap_or_else(PoisonError::into_inner) = Arc::downgrade(&cluster);
        if cluster.embedded.is_none() {
            KEPT.get_or_init(|| Arc::clone(&cluster));
        }
        cluster
    }

    async fn start() -> Self {
        let (url, embedded) = match std::env::var("TEST_DATABASE_URL") {
            Ok(url) => (url, None),
            Err(_) => {
                let embedded = Embedded::throwaway().await.expect("a throwaway PostgreSQL");
                (embedded.url(DATABASE), Some(embedded))
            }
        };
        let template = template(&url).await;
        Self {
            creating: Administrator::of(&url),
            dropping: Administrator::of(&url),
            url,
            template,
            embedded,
        }
    }
}

/// The name depends on the content: edited migrations make a new template. Programs that run tests in parallel create
/// it once.
async fn template(url: &str) -> String {
    let text: String = MIGRATIONS.iter().map(|migration| migration.sql).collect();
    let layout = if wants_schemas() { "schemas" } else { "one" };
    let name = format!(
        "it_template_{layout}_{}",
        &hex::encode(Sha256::digest(text))[..16]
    );
    let client = connect(url).await;
    client
        .execute("SELECT pg_advisory_lock($1)", &[&TEMPLATE_LOCK])
        .await
        .expect("the template's lock");
    let known = client
        .query_opt("SELECT 1 FROM pg_database WHERE datname = $1", &[&name])
        .await
        .expect("databases");
    if known.is_none() {
        make_template(url, &name).await;
    }
    client
        .execute("SELECT pg_advisory_unlock($1)", &[&TEMPLATE_LOCK])
        .await
        .expect("the template's lock");
    name
}

/// Ends a test on layout `schemas`, in which `public` has views instead of the tables that the test changes or measures.
macro_rules! only_with_tables {
    () => {
        if $crate::support::database::wants_schemas() {
            return;
        }
    };
}
pub(crate) use only_with_tables;

/// The layout of the tests' databases.
pub fn layout_of_tests() -> Layout {
    if wants_schemas() {
        Layout::Schemas
    } else {
        Layout::One
    }
}

/// The events of a partition in layout `schemas`: few, so that tests fill some.
pub const PARTITION_SIZE: i64 = 20;

/// Whether the tests run on a database of layout `schemas` (`just test-schemas`).
pub fn wants_schemas() -> bool {
    std::env::var("TEST_DATABASE_LAYOUT").is_ok_and(|layout| layout == "schemas")
}

/// The template has another name until it is complete, so that one that a killed program left is not used.
async fn make_template(url: &str, name: &str) {
    let unfinished = format!("{name}_unfinished");
    execute(url, &format!("DROP DATABASE IF EXISTS {unfinished} WITH (FORCE)")).await;
    execute(url, &format!("CREATE DATABASE {unfinished}")).await;
    let mut options: Config = with_database(url, &unfinished).parse().expect("an address");
    // The programs of the tests have the same key, so that the rows of migrations are proven for them.
    ChangeKey::of(&CHECKPOINT_KEY).set_in(&mut options);
    let (mut fresh, connection) = options.connect(NoTls).await.expect("the tests' PostgreSQL");
    let connection = tokio::spawn(connection);
    migrate::run(&mut fresh).await.expect("the migrations");
    if wants_schemas() {
        migrate::run_to_schemas(&mut fresh, PARTITION_SIZE, |_| {})
            .await
            .expect("layout `schemas`");
        fresh
            .batch_execute(include_str!("changes_through_views.sql"))
            .await
            .expect("views that tests can change");
    }
    drop(fresh);
    connection
        .await
        .expect("the connection's task")
        .expect("the connection ends well");
    // The server may close the connection a moment later. A database in use cannot be renamed.
    let ended = format!(
        "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '{unfinished}'"
    );
    execute(url, &ended).await;
    execute(url, &format!("ALTER DATABASE {unfinished} RENAME TO {name}")).await;
}

/// The same address with another database.
fn with_database(url: &str, name: &str) -> String {
    let (server, query) = url
        .split_once('?')
        .map_or((url, None), |(server, query)| (server, Some(query)));
    let (server, _) = server.rsplit_once('/').expect("an address with a database");
    match query {
        Some(query) => format!("{server}/{name}?{query}"),
        None => format!("{server}/{name}"),
    }
}

async fn connect(url: &str) -> Client {
    let (client, connection) = tokio_postgres::connect(url, NoTls)
        .await
        .expect("the tests' PostgreSQL");
    tokio::spawn(connection);
    client
}

async fn execute(url: &str, sql: &str) {
    connect(url)
        .await
        .batch_execute(sql)
        .await
        .unwrap_or_else(|error| panic!("{sql}: {error:?}"));
}
