//! The whole gateway in the test's process, on a free port.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use chrono::TimeDelta;
use gateway::app::{App, Parts};
use gateway_acquirers::registration::contracts;
use gateway_environment::clock::ClockStart;
use gateway_environment::config::Config;
use ledger_domain::calendar::Date;
use serde_json::json;
use tempfile::TempDir;
use tokio_postgres::types::FromSqlOwned;

use super::acquirer::other_acquirers;
use super::client::{Answer, Client};
use super::clock::noon;
use super::database::{CHECKPOINT_KEY, Database, PARTITION_SIZE};
use super::users::{PASSWORD, User};

/// Real seconds for each second of the tests' clock. The clock runs, so that later events have later times. It runs so
/// slowly that no test reaches the next minute.
const SLOWDOWN: u32 = 60;

/// The addresses of the panels in e-mails, by the configuration of the tests.
pub const SELLER_URL: &str = "http://localhost:8080";
pub const STAFF_URL: &str = "http://admin.localhost:8080";

/// The parts of most tests' gateways: no scheduled jobs, which would act at times that a test does not choose, and no
/// built-in sandbox.
pub const PARTS: Parts = Parts {
    sandbox: false,
    ..PARTS_AND_SANDBOX
};

/// The same without the effects of events, such as payouts.
pub const PARTS_WITHOUT_EFFECTS: Parts = Parts {
    effects: false,
    ..PARTS
};

/// The same with the sandbox, as the acquirer and the bank.
pub const PARTS_AND_SANDBOX: Parts = Parts {
    scheduled_jobs: false,
    ..Parts::ALL
};

pub struct TestApp {
    // Fields are dropped in this order: the program first, then its database.
    pub app: App,
    pub database: Database,
    /// The program writes its e-mails here if it has no SMTP server.
    pub mail_folder: TempDir,
    /// The machine's time at the start of the test, from which its clock counts.
    begun: Instant,
}

/// The clock of a program that starts after the test has run for this long.
pub fn clock_start(elapsed: Duration) -> ClockStart {
    let passed = TimeDelta::from_std(elapsed / SLOWDOWN).expect("a short time");
    ClockStart {
        at: noon() + passed,
        slowdown: SLOWDOWN,
    }
}

impl TestApp {
    /// A gateway without scheduled jobs and without a sandbox.
    pub async fn start() -> Self {
        Self::start_with(&[], PARTS).await
    }

    pub async fn start_with(variables: &[(&str, &str)], parts: Parts) -> Self {
        Self::start_at(Database::create().await, variables, parts).await
    }

    pub async fn start_at(database: Database, variables: &[(&str, &str)], parts: Parts) -> Self {
        let mail_folder = tempfile::tempdir().expect("a folder");
        let begun = Instant::now();
        let config = config_of(&database.url, &mail_folder, begun, variables);
        let app = App::start(config, parts).await.expect("the gateway starts");
        Self {
            app,
            database,
            mail_folder,
            begun,
        }
    }

    /// Shuts the program down and starts another one on the same database.
    pub async fn restart(self, variables: &[(&str, &str)], parts: Parts) -> Self {
        let Self {
            app,
            database,
            mail_folder,
            begun,
        } = self;
        app.stop().await;
        let config = config_of(&database.url, &mail_folder, begun, variables);
        let app = App::start(config, parts).await.expect("the gateway starts again");
        Self {
            app,
            database,
            mail_folder,
            begun,
        }
    }

    /// A second gateway on the same database, with separate memory, as another process has.
    pub async fn second_gateway(&self, parts: Parts) -> App {
        self.second_gateway_with(&[], parts).await
    }

    pub async fn second_gateway_with(&self, variables: &[(&str, &str)], parts: Parts) -> App {
        let config = config_of(&self.database.url, &self.mail_folder, self.begun, variables);
        App::start(config, parts).await.expect("another program starts")
    }

    pub fn addr(&self) -> SocketAddr {
        self.app.address().expect("the gateway listens")
    }

    pub fn today(&self) -> Date {
        self.app.state.clock.today()
    }

    /// A client of the operations listener.
    pub fn operations(&self) -> Client {
        Client::new(self.app.operations_address().expect("operations listen"))
    }

    /// A client that is not signed in.
    pub fn client(&self) -> Client {
        Client::new(self.addr())
    }

    /// A browser: it keeps cookies and sends no Authorization header.
    pub fn browser(&self) -> Client {
        Client::with_cookies(self.addr())
    }

    /// A client that is not signed in, on the staff panel's host. (A loopback address serves the seller panel.)
    pub fn staff_client(&self) -> Client {
        self.client().with("host", &self.staff_host())
    }

    pub fn staff_host(&self) -> String {
        format!("admin.localhost:{}", self.addr().port())
    }

    /// A client on the host of the user's panel.
    pub fn client_for(&self, user: &User) -> Client {
        if user.is_staff() {
            self.staff_client()
        } else {
            self.client()
        }
    }

    /// A browser on the host of the user's panel.
    pub fn browser_for(&self, user: &User) -> Client {
        if user.is_staff() {
            self.browser().with("host", &self.staff_host())
        } else {
            self.browser()
        }
    }

    pub async fn sign_in(&self, user: &User) -> Client {
        let answer = self.try_sign_in(user, PASSWORD).await;
        assert_eq!(answer.status, 200, "{}", answer.body);
        self.client_for(user).bearing(answer.text("/access_token"))
    }

    pub async fn try_sign_in(&self, user: &User, password: &str) -> Answer {
        let form = json!({ "email": user.email, "password": password });
        self.client_for(user).post(user.sign_in_path(), form).await
    }

    pub async fn execute(&self, sql: &str) {
        let client = self.app.state.pool.get().await.expect("a connection");
        client
            .batch_execute(sql)
            .await
            .unwrap_or_else(|error| panic!("{sql}: {error:?}"));
    }

    /// Adds thousands of rows to a table for a test of its indexes. The entries of such rows in the chain of changes take
    /// half of the time, and no such test reads them, so they are left out.
    pub async fn fill(&self, table: &str, sql: &str) {
        let chaining = |state: &str| {
            format!("ALTER TABLE {table} {state} TRIGGER row_added, {state} TRIGGER row_changed")
        };
        // In one transaction, so that no other session ever changes the table without its chain.
        let filling = format!("{}; {sql}; {}", chaining("DISABLE"), chaining("ENABLE"));
        self.execute(&filling).await;
    }

    /// Stops a group of read models: later events are not folded into it. A follower restarts stopped models in its first
    /// round. That round can come late on a busy machine, so the trigger keeps the model stopped.
    pub async fn stop_read_model(&self, model: &str) {
        // One transaction could deadlock with a follower that has locked the row and waits for the table.
        for sql in [
            "CREATE FUNCTION stays_stopped() RETURNS trigger LANGUAGE plpgsql AS $$
             BEGIN
                 NEW.poison := OLD.poison;
                 NEW.poison_position := OLD.poison_position;
                 RETURN NEW;
             END $$;
             CREATE TRIGGER stays_stopped BEFORE UPDATE ON projection_checkpoint
                 FOR EACH ROW WHEN (OLD.poison = 'a test' AND NEW.poison IS NULL) EXECUTE FUNCTION stays_stopped()",
            &format!(
                "UPDATE projection_checkpoint SET poison = 'a test', poison_position = position + 1
                  WHERE model = '{model}'"
            ),
        ] {
            self.execute(sql).await;
        }
    }

    pub async fn continue_read_models(&self) {
        self.execute(
            "DROP TRIGGER stays_stopped ON projection_checkpoint;
             UPDATE projection_checkpoint SET poison = NULL, poison_position = NULL",
        )
        .await;
    }

    /// The bigint that a query of one row returns.
    pub async fn count(&self, sql: &str) -> i64 {
        self.value(sql).await
    }

    /// The number of events of a type in the log.
    pub async fn count_events(&self, event_type: &str) -> i64 {
        self.rows(&format!("event WHERE event_type = '{event_type}'"))
            .await
    }

    /// The number of rows of a table, or of any text that can follow `FROM`.
    pub async fn rows(&self, from: &str) -> i64 {
        self.count(&format!("SELECT count(*) FROM {from}")).await
    }

    /// The text that a query of one row returns.
    pub async fn text(&self, sql: &str) -> String {
        self.value(sql).await
    }

    async fn value<T: FromSqlOwned>(&self, sql: &str) -> T {
        let client = self.app.state.pool.get().await.expect("a connection");
        let row = client.query_one(sql, &[]).await;
        row.unwrap_or_else(|error| panic!("{sql}: {error:?}")).get(0)
    }
}

/// The configuration of a program in a test. It contains the keys, so that the program writes no key files.
pub fn config(database_url: &str, mail_folder: &TempDir, variables: &[(&str, &str)]) -> Config {
    config_of(database_url, mail_folder, Instant::now(), variables)
}

fn config_of(
    database_url: &str,
    mail_folder: &TempDir,
    begun: Instant,
    variables: &[(&str, &str)],
) -> Config {
    let start = clock_start(begun.elapsed());
    let (now, slowdown) = (start.at.to_rfc3339(), start.slowdown.to_string());
    let key = hex::encode(CHECKPOINT_KEY);
    let mail_folder = mail_folder.path().to_str().expect("a folder's name in UTF-8");
    let partition_size = PARTITION_SIZE.to_string();
    let mut given = HashMap::from([
        ("DATABASE_URL", database_url),
        ("RAZAO_ADDR", "127.0.0.1:0"),
        ("RAZAO_PUBLIC_PORT", "8080"),
        // Few, because each new connection costs the database processor time.
        ("RAZAO_DATABASE_CONNECTIONS", "4"),
        ("RAZAO_EVENTS_PER_PARTITION", &partition_size),
        ("RAZAO_OPS_ADDR", "127.0.0.1:0"),
        ("RAZAO_SANDBOX_ADDR", "127.0.0.1:0"),
        ("RAZAO_NOW", &now),
        ("RAZAO_NOW_SLOWDOWN", &slowdown),
        ("RAZAO_MAIL_FOLDER", mail_folder),
        (
            "RAZAO_UI",
            concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/support/ui"),
        ),
        ("RAZAO_KEY_JWT", &key),
        ("RAZAO_KEY_REFRESH", &key),
        ("RAZAO_KEY_CHECKPOINT", &key),
        ("RAZAO_KEY_SALES", "5f6e7a52-3c1d-4b8e-9a70-2d1f0c4b6e81"),
    ]);
    let other_acquirers: Vec<String> = other_acquirers().collect();
    given.extend(other_acquirers.iter().map(|url| (url.as_str(), "none")));
    given.extend(variables.iter().copied());
    Config::read(&contracts(), |name| {
        given.get(name).map(|value| (*value).to_owned())
    })
    .expect("a valid configuration")
}
