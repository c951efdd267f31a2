//! The whole gateway in the test's process, on a port that is free.

use std::collections::HashMap;
use std::net::SocketAddr;

use gateway::app::{App, Parts};
use gateway::config::Config;
use ledger_domain::calendar::Date;
use serde_json::json;
use tempfile::TempDir;

use super::client::{Answer, Client};
use super::database::Database;
use super::world::{PASSWORD, Person};

/// A Saturday; the world's sales are in the days before it.
pub const TODAY: &str = "2026-11-21";

pub struct TestApp {
    // The order is the order of the end: the program first, then its database.
    pub app: App,
    pub database: Database,
    /// Where its letters lie.
    pub outbox: TempDir,
}

impl TestApp {
    pub async fn start() -> Self {
        Self::start_with(
            &[],
            Parts {
                settlement: false,
                sandbox: false,
                ..Parts::ALL
            },
        )
        .await
    }

    pub async fn start_with(variables: &[(&str, &str)], parts: Parts) -> Self {
        let database = Database::create().await;
        let outbox = tempfile::tempdir().expect("a folder");
        let config = config(&database.url, &outbox, variables);
        let app = App::start(config, parts).await.expect("the gateway starts");
        Self {
            app,
            database,
            outbox,
        }
    }

    /// Ends the program in order, and starts another one on the same database.
    pub async fn restart(self, variables: &[(&str, &str)], parts: Parts) -> Self {
        let Self {
            app,
            database,
            outbox,
        } = self;
        app.stop().await;
        let config = config(&database.url, &outbox, variables);
        let app = App::start(config, parts).await.expect("the gateway starts again");
        Self {
            app,
            database,
            outbox,
        }
    }

    /// Another process's program on the same database.
    pub async fn beside(&self, parts: Parts) -> App {
        self.beside_with(&[], parts).await
    }

    pub async fn beside_with(&self, variables: &[(&str, &str)], parts: Parts) -> App {
        let config = config(&self.database.url, &self.outbox, variables);
        App::start(config, parts).await.expect("another program starts")
    }

    pub fn addr(&self) -> SocketAddr {
        self.app.address().expect("the gateway listens")
    }

    pub fn today(&self) -> Date {
        self.app.state.clock.today()
    }

    /// What operators ask.
    pub fn operations(&self) -> Client {
        Client::new(self.app.operations_address().expect("operations listen"))
    }

    /// Nobody in particular.
    pub fn client(&self) -> Client {
        Client::new(self.addr())
    }

    /// A browser: it keeps cookies, and sends no Authorization header.
    pub fn browser(&self) -> Client {
        Client::with_cookies(self.addr())
    }

    /// Nobody in particular, on the staff's host. (A loopback address is the seller panel.)
    pub fn staff_client(&self) -> Client {
        self.client().with("host", &self.staff_host())
    }

    pub fn staff_host(&self) -> String {
        format!("admin.localhost:{}", self.addr().port())
    }

    /// On the host of the person's panel.
    pub fn client_for(&self, person: &Person) -> Client {
        if person.is_staff() {
            self.staff_client()
        } else {
            self.client()
        }
    }

    /// A browser on the host of the person's panel.
    pub fn browser_for(&self, person: &Person) -> Client {
        if person.is_staff() {
            self.browser().with("host", &self.staff_host())
        } else {
            self.browser()
        }
    }

    pub async fn sign_in(&self, person: &Person) -> Client {
        let answer = self.try_sign_in(person, PASSWORD).await;
        assert_eq!(answer.status, 200, "{}", answer.body);
        self.client_for(person).bearing(answer.text("/access_token"))
    }

    pub async fn try_sign_in(&self, person: &Person, password: &str) -> Answer {
        let form = json!({ "email": person.email, "password": password });
        self.client_for(person).post(person.sign_in_path(), form).await
    }

    pub async fn execute(&self, sql: &str) {
        let client = self.app.state.pool.get().await.expect("a connection");
        client
            .batch_execute(sql)
            .await
            .unwrap_or_else(|error| panic!("{sql}: {error:?}"));
    }
}

/// Keys are given, so that nothing is written beside the sources.
pub fn config(database_url: &str, outbox: &TempDir, variables: &[(&str, &str)]) -> Config {
    let key = "11".repeat(32);
    let outbox = outbox.path().to_str().expect("a folder's name in UTF-8");
    let mut given = HashMap::from([
        ("DATABASE_URL", database_url),
        ("RAZAO_ADDR", "127.0.0.1:0"),
        ("RAZAO_OPS_ADDR", "127.0.0.1:0"),
        ("RAZAO_SANDBOX_ADDR", "127.0.0.1:0"),
        ("RAZAO_TODAY", TODAY),
        ("RAZAO_MAIL_FOLDER", outbox),
        (
            "RAZAO_UI",
            concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/support/ui"),
        ),
        ("RAZAO_KEY_JWT", &key),
        ("RAZAO_KEY_REFRESH", &key),
        ("RAZAO_KEY_CHECKPOINT", &key),
        ("RAZAO_KEY_SALES", "5f6e7a52-3c1d-4b8e-9a70-2d1f0c4b6e81"),
    ]);
    given.extend(variables.iter().copied());
    Config::read(|name| given.get(name).map(|value| (*value).to_owned())).expect("a sound configuration")
}
