//! The real program as a separate process, on a test's database. It can be killed and started again.

use std::fs::File;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Output, Stdio};

use tempfile::TempDir;
use tokio::process::{Child, Command};

use super::acquirer::{SECRETS, other_acquirers};
use super::database::CHECKPOINT_KEY;
use super::sandbox::free_address;
use super::wait::{until, until_some};
use super::{Client, noon};

pub struct Program {
    folder: TempDir,
    database_url: String,
    sandbox: SocketAddr,
    pub addr: SocketAddr,
    variables: Vec<(String, String)>,
}

impl Program {
    /// A program that is not started yet. The sandbox runs outside of it.
    pub fn new(
        database_url: &str,
        sandbox: SocketAddr,
        addr: SocketAddr,
        variables: &[(&str, &str)],
    ) -> Self {
        let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        Self {
            folder: tempfile::tempdir().expect("a folder"),
            database_url: database_url.to_owned(),
            sandbox,
            addr,
            variables: variables.iter().map(owned).collect(),
        }
    }

    pub fn start(&self) -> Child {
        self.serve(&["--gateway", "--writer", "--projections", "--effects"])
    }

    /// Starts these parts.
    pub fn serve(&self, parts: &[&str]) -> Child {
        let log = File::options().create(true).append(true).open(self.log_path());
        self.command(&[&["serve"], parts].concat())
            .stderr(log.expect("a log"))
            .spawn()
            .expect("the program starts")
    }

    /// Waits until it answers requests.
    pub async fn until_it_serves(&self) {
        until("a listener", async || {
            std::net::TcpStream::connect(self.addr).is_ok()
        })
        .await;
        let client = Client::new(self.addr);
        until_some("an answer", async || {
            (client.get("/healthz").await.status == 200).then_some(())
        })
        .await;
    }

    /// Runs a command to its end.
    pub async fn output(&self, arguments: &[&str]) -> Output {
        let mut command = self.command(arguments);
        let output = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .output()
            .await;
        output.expect("the program runs")
    }

    pub async fn succeeds(&self, arguments: &[&str]) {
        let output = self.output(arguments).await;
        assert!(output.status.success(), "{arguments:?}: {output:?}");
    }

    pub fn log(&self) -> String {
        std::fs::read_to_string(self.log_path()).expect("the log")
    }

    fn log_path(&self) -> PathBuf {
        self.folder.path().join("log")
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_razao"));
        command
            .args(arguments)
            .env("DATABASE_URL", &self.database_url)
            .env("RAZAO_DATA", self.folder.path())
            .env("RAZAO_ADDR", self.addr.to_string())
            .env("RAZAO_OPS_ADDR", free_address().to_string())
            .env("RAZAO_SANDBOX_ADDR", self.sandbox.to_string())
            .envs(other_acquirers().map(|url| (url, "none")))
            .env("RAZAO_KEY_CHECKPOINT", hex::encode(CHECKPOINT_KEY))
            .env(
                "RAZAO_UI",
                concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/support/ui"),
            )
            .env("RAZAO_LOG", "error")
            .env("RAZAO_NOW", noon().to_rfc3339())
            .env(SECRETS.0, SECRETS.1)
            .envs(self.variables.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .kill_on_drop(true);
        command
    }
}
