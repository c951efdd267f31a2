//! A running PostgreSQL on a cluster: starts it, takes over one of an earlier run, and stops it. A server is accepted
//! only if it takes the cluster's password and reports the cluster's data directory.

use std::fs::{self, File, OpenOptions};
use std::io::{Read, Seek, SeekFrom};
use std::net::{Ipv4Addr, TcpListener};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

use ledger_store::supervisor::spawn_once;
use nix::sys::signal::Signal;
use tokio_postgres::error::SqlState;
use tokio_postgres::{Client, NoTls};

use super::binaries::PostgresBinaries;
use super::cluster::ROLE;
use super::cluster_paths::ClusterPaths;
use super::error::EmbeddedError;
use super::pid_file::PidFile;
use super::process::{self, PidOwner};
use super::settings;
use super::user::ServerUser;

/// Recovery after a crash takes seconds, or minutes on a slow disk.
const START_SECONDS_MAX: u64 = 300;
const STOP_SECONDS_MAX: u64 = 30;
/// The other instance holds the lock, but may still be starting its server.
const JOIN_TIMEOUT: Duration = Duration::from_secs(60);
/// The size of the server's log above which the next start of the server begins a new file.
const LOG_BYTES_MAX: u64 = 10_000_000;

#[derive(Debug)]
pub struct Server {
    port: u16,
    pid: i32,
    /// `None` if an earlier run of this program started the server.
    child: Option<Child>,
    ended: bool,
}

enum ProbeResult {
    Ours {
        durable: bool,
    },
    /// Nothing answers on the port, or only the server of another cluster.
    NotYet,
    PasswordRefused,
}

impl Server {
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Starts a server on an existing cluster and returns when it accepts connections. `on_port` is for a server whose
    /// address is already in use by clients. Without it, a free port is chosen.
    pub async fn launch(
        paths: &ClusterPaths,
        user: &ServerUser,
        binaries: &PostgresBinaries,
        password: &str,
        durable: bool,
        on_port: Option<u16>,
    ) -> Result<Server, EmbeddedError> {
        loop {
            let port = match on_port {
                Some(port) => port,
                None => free_port(paths)?,
            };
            let (mut log, log_start) = open_log(paths)?;
            let postgres = binaries.postgres();
            let errors = log
                .try_clone()
                .map_err(EmbeddedError::io("write", &paths.log_file()))?;
            let child = user
                .command(&postgres)
                .arg("-D")
                .arg(paths.data_dir())
                .args(["-p", &port.to_string()])
                .args(settings::arguments(durable))
                // A separate process group: Ctrl-C does not reach the server. This program stops it after its own
                // work.
                .process_group(0)
                .stdout(
                    errors
                        .try_clone()
                        .map_err(EmbeddedError::io("write", &paths.log_file()))?,
                )
                .stderr(errors)
                .spawn()
                .map_err(EmbeddedError::io("run", &postgres))?;
            let pid = i32::try_from(child.id()).unwrap_or_default();
            let mut server = Server {
                port,
                pid,
                child: Some(child),
                ended: false,
            };

            let Some(status) = server.wait_until_ready(paths, password).await? else {
                return Ok(server);
            };
            let output = tail(&mut log, log_start);
            // If another process took the port before the server started, a new port is tried.
            if on_port.is_some() || !output.contains("Address already in use") {
                return Err(EmbeddedError::ServerEnded {
                    status: status.to_string(),
                    output,
                    log: paths.log_file(),
                });
            }
        }
    }

    /// The server that an earlier run left behind, if it still serves this cluster with the same durability. Otherwise
    /// leftovers that would block a start are stopped or removed.
    pub async fn take_over(
        paths: &ClusterPaths,
        password: &str,
        durable: bool,
    ) -> Result<Option<Server>, EmbeddedError> {
        let deadline = Instant::now() + Duration::from_secs(START_SECONDS_MAX);
        while let Some(file) = PidFile::read(paths)? {
            match process::process_owner(file.pid, paths.data_dir()) {
                PidOwner::Server => {}
                // PostgreSQL itself removes a file whose process is gone.
                PidOwner::NoProcess => {
                    wait_for_processes(paths).await?;
                    return Ok(None);
                }
                // PostgreSQL can mistake a zombie or an unrelated process for a server, and then does not start.
                PidOwner::OtherProcess => {
                    wait_for_processes(paths).await?;
                    file.remove(paths)?;
                    return Ok(None);
                }
            }
            if let Some(port) = file.port {
                match probe(paths, port, password).await {
                    ProbeResult::Ours { durable: found } => {
                        let server = Server {
                            port,
                            pid: file.pid,
                            child: None,
                            ended: false,
                        };
                        if found == durable {
                            return Ok(Some(server));
                        }
                        // It was started with another durability than requested.
                        server.stop()?;
                        continue;
                    }
                    ProbeResult::PasswordRefused => return Err(password_refused(paths)),
                    ProbeResult::NotYet => {}
                }
            }
            if Instant::now() > deadline {
                return Err(unresponsive(paths, file.pid));
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        Ok(None)
    }

    /// The port of a server that another instance of this program runs, once it accepts connections.
    pub async fn find_running(paths: &ClusterPaths, password: &str) -> Result<u16, EmbeddedError> {
        let deadline = Instant::now() + JOIN_TIMEOUT;
        while Instant::now() < deadline {
            if let Some(port) = PidFile::read(paths)?.and_then(|file| file.port) {
                match probe(paths, port, password).await {
                    ProbeResult::Ours { .. } => return Ok(port),
                    ProbeResult::PasswordRefused => return Err(password_refused(paths)),
                    ProbeResult::NotYet => {}
                }
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        Err(EmbeddedError::LockedButUnreachable {
            data_dir: paths.data_dir().to_owned(),
        })
    }

    /// The exit status if the server ended instead of becoming ready.
    async fn wait_until_ready(
        &mut self,
        paths: &ClusterPaths,
        password: &str,
    ) -> Result<Option<ExitStatus>, EmbeddedError> {
        let started = Instant::now();
        let mut last_report = started;
        loop {
            match probe(paths, self.port, password).await {
                ProbeResult::Ours { .. } => return Ok(None),
                ProbeResult::PasswordRefused => return Err(password_refused(paths)),
                ProbeResult::NotYet => {}
            }
            if let Some(status) = self
                .child
                .as_mut()
                .and_then(|child| child.try_wait().ok().flatten())
            {
                self.ended = true;
                return Ok(Some(status));
            }
            if started.elapsed() > Duration::from_secs(START_SECONDS_MAX) {
                return Err(unresponsive(paths, self.pid));
            }
            if last_report.elapsed() > Duration::from_secs(5) {
                last_report = Instant::now();
                tracing::info!(
                    "waiting for PostgreSQL to accept connections ({} s)",
                    started.elapsed().as_secs()
                );
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// Why the server ended, if it did. The check also collects an ended child.
    pub fn end(&mut self) -> Option<String> {
        if self.ended {
            return Some("it was stopped".to_owned());
        }
        let end = match &mut self.child {
            Some(child) => child
                .try_wait()
                .transpose()?
                .map_or_else(|error| error.to_string(), |status| status.to_string()),
            None if process::is_alive(self.pid) => return None,
            None => "its process is gone".to_owned(),
        };
        self.ended = true;
        Some(end)
    }

    /// A "fast" shutdown of PostgreSQL ends sessions, writes all data and exits. An "immediate" one follows if that
    /// takes too long.
    pub fn stop(mut self) -> Result<(), EmbeddedError> {
        process::signal(self.pid, Signal::SIGINT);
        if self.ended_within(Duration::from_secs(STOP_SECONDS_MAX)) {
            return Ok(());
        }
        // This skips the last checkpoint: the next start recovers from the write-ahead log.
        process::signal(self.pid, Signal::SIGQUIT);
        if self.ended_within(Duration::from_secs(5)) {
            return Ok(());
        }
        Err(EmbeddedError::WillNotStop {
            pid: self.pid,
            seconds: STOP_SECONDS_MAX + 5,
        })
    }

    fn ended_within(&mut self, limit: Duration) -> bool {
        let started = Instant::now();
        loop {
            let ended = match &mut self.child {
                // The check also collects the child.
                Some(child) => !matches!(child.try_wait(), Ok(None)),
                None => !process::is_alive(self.pid),
            };
            if ended {
                self.ended = true;
                return true;
            }
            if started.elapsed() > limit {
                return false;
            }
            thread::sleep(Duration::from_millis(5));
        }
    }
}

/// This also stops the server after a failed or abandoned start.
impl Drop for Server {
    fn drop(&mut self) {
        if !self.ended {
            process::signal(self.pid, Signal::SIGINT);
            self.ended_within(Duration::from_secs(5));
        }
    }
}

/// A session of the cluster's superuser.
pub async fn connect(port: u16, password: &str, database: &str) -> Result<Client, tokio_postgres::Error> {
    let mut config = tokio_postgres::Config::new();
    config
        .host("127.0.0.1")
        .port(port)
        .user(ROLE)
        .password(password)
        .dbname(database);
    config
        .connect_timeout(Duration::from_secs(5))
        .application_name("razao-start");
    let (client, connection) = config.connect(NoTls).await?;
    spawn_once("embedded database's connection", connection);
    Ok(client)
}

async fn probe(paths: &ClusterPaths, port: u16, password: &str) -> ProbeResult {
    let client = match connect(port, password, "postgres").await {
        Ok(client) => client,
        Err(error) if error.code() == Some(&SqlState::INVALID_PASSWORD) => {
            return ProbeResult::PasswordRefused;
        }
        Err(_) => return ProbeResult::NotYet,
    };
    let question = "SELECT current_setting('data_directory'), current_setting('fsync') = 'on'";
    match client.query_one(question, &[]).await {
        Ok(row) if Path::new(row.get::<_, &str>(0)) == paths.data_dir() => {
            ProbeResult::Ours { durable: row.get(1) }
        }
        Ok(_) | Err(_) => ProbeResult::NotYet,
    }
}

/// Waits until no process uses the data. Backends can outlive their killed postmaster.
async fn wait_for_processes(paths: &ClusterPaths) -> Result<(), EmbeddedError> {
    let deadline = Instant::now() + Duration::from_secs(10);
    loop {
        let pids = process::processes_in(paths.data_dir());
        if pids.is_empty() {
            return Ok(());
        }
        if Instant::now() > deadline {
            return Err(EmbeddedError::StillInUse {
                data_dir: paths.data_dir().to_owned(),
                pids,
            });
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

fn free_port(paths: &ClusterPaths) -> Result<u16, EmbeddedError> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
        .and_then(|listener| listener.local_addr())
        .map(|address| address.port())
        .map_err(EmbeddedError::io("find a free port for", paths.data_dir()))
}

fn open_log(paths: &ClusterPaths) -> Result<(File, u64), EmbeddedError> {
    let path = paths.log_file();
    let size = fs::metadata(&path).map_or(0, |metadata| metadata.len());
    if size > LOG_BYTES_MAX {
        fs::rename(&path, path.with_extension("old.log")).map_err(EmbeddedError::io("rotate", &path))?;
    }
    let mut log = OpenOptions::new()
        .read(true)
        .append(true)
        .create(true)
        .open(&path)
        .map_err(EmbeddedError::io("open", &path))?;
    let end = log
        .seek(SeekFrom::End(0))
        .map_err(EmbeddedError::io("read", &path))?;
    Ok((log, end))
}

/// The last lines that the server wrote since `start`. They show the cause in an error message.
fn tail(log: &mut File, start: u64) -> String {
    let mut bytes = Vec::new();
    if log
        .seek(SeekFrom::Start(start))
        .and_then(|_| log.read_to_end(&mut bytes))
        .is_err()
    {
        return String::new();
    }
    let text = String::from_utf8_lossy(&bytes);
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(6)..].join("\n")
}

fn password_refused(paths: &ClusterPaths) -> EmbeddedError {
    EmbeddedError::PasswordRefused {
        path: paths.password_file(),
        data_dir: paths.data_dir().to_owned(),
    }
}

fn unresponsive(paths: &ClusterPaths, pid: i32) -> EmbeddedError {
    EmbeddedError::Unresponsive {
        pid,
        seconds: START_SECONDS_MAX,
        log: paths.log_file(),
    }
}
