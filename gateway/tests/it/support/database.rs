//! A database for each test, on the cluster that `TEST_DATABASE_URL` names.

use std::str::FromStr;

use deadpool_postgres::{Manager, Pool};
use ledger_store::migrate;
use tokio::sync::OnceCell;
use tokio_postgres::{Client, Config, NoTls};

/// Dropped with its cluster: the tests' cluster is a throwaway.
pub struct Database {
    pub config: Config,
    pub url: String,
    pub pool: Pool,
}

static TEMPLATE: OnceCell<String> = OnceCell::const_new();

impl Database {
    pub async fn create() -> Self {
        let template = TEMPLATE.get_or_init(make_template).await;
        let name = format!("test_{:016x}", rand::random::<u64>());
        let server = cluster();
        let admin = connect(&server).await;
        admin
            .batch_execute(&format!("CREATE DATABASE {name} TEMPLATE {template}"))
            .await
            .expect("a copy of the template");
        let mut config = server;
        config.dbname(&name);
        let pool = Pool::builder(Manager::new(config.clone(), NoTls))
            .max_size(8)
            .build()
            .expect("a pool");
        Self {
            url: url_of(&name),
            config,
            pool,
        }
    }

    pub async fn client(&self) -> Client {
        connect(&self.config).await
    }
}

fn url() -> String {
    std::env::var("TEST_DATABASE_URL").expect("TEST_DATABASE_URL names the cluster that the tests may use")
}

fn cluster() -> Config {
    Config::from_str(&url()).expect("TEST_DATABASE_URL is an address")
}

/// The same address with another database.
fn url_of(name: &str) -> String {
    let url = url();
    let (server, query) = url.split_once('?').unwrap_or((&url, ""));
    let (server, _) = server.rsplit_once('/').expect("an address with a database");
    if query.is_empty() {
        format!("{server}/{name}")
    } else {
        format!("{server}/{name}?{query}")
    }
}

async fn make_template() -> String {
    let name = format!("template_{:016x}", rand::random::<u64>());
    let server = cluster();
    let admin = connect(&server).await;
    admin
        .batch_execute(&format!("CREATE DATABASE {name}"))
        .await
        .expect("a template database");
    let mut config = server;
    config.dbname(&name);
    let (mut client, connection) = config.connect(NoTls).await.expect("the template answers");
    let connection = tokio::spawn(connection);
    migrate::run(&mut client).await.expect("the migrations apply");
    drop(client);
    connection
        .await
        .expect("the connection ends")
        .expect("the connection ends well");
    name
}

async fn connect(config: &Config) -> Client {
    let (client, connection) = config.connect(NoTls).await.expect("the cluster answers");
    tokio::spawn(connection);
    client
}
