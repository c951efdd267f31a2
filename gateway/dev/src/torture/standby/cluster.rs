//! Three nodes, each with PostgreSQL, Patroni and etcd, as docs/operations/high-availability.md has them in three zones.

use std::fs::{self, File};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use gateway_acquirers::calls::client_builder;
use nix::errno::Errno;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::needs::Needs;
use super::network::{NODES, Network};
use crate::embedded::ServerUser;
use crate::installation::{BoxError, connect};

const PATRONI: &str = include_str!("../../../../../docs/operations/high-availability/patroni.yml");
const ETCD: &str = include_str!("../../../../../docs/operations/high-availability/etcd.env");
/// Of every role of the run.
const PASSWORD: &str = "torture";
/// The longest wait for the nodes. A node that returns may copy the whole cluster.
const WAIT_MAX: Duration = Duration::from_secs(120);
const ANSWER_TIMEOUT: Duration = Duration::from_secs(2);
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// Dropping it kills the processes.
pub struct Cluster {
    user: ServerUser,
    needs: Needs,
    nodes: Vec<Node>,
    ports: Ports,
    // Dropped after the nodes, whose processes use it.
    pub network: Network,
}

/// The same on each node.
struct Ports {
    postgres: u16,
    rest: u16,
    etcd: u16,
    peer: u16,
}

struct Node {
    number: u8,
    folder: PathBuf,
    etcd: Option<Child>,
    patroni: Option<Child>,
}

/// A line of Patroni's `GET /cluster`, which is from etcd.
#[derive(Debug, Clone, Deserialize)]
struct Member {
    name: String,
    role: String,
    state: String,
}

#[derive(Debug, Deserialize)]
struct Members {
    members: Vec<Member>,
}

/// Patroni's `GET /patroni`: what a node says about itself. Members lack none of it while their PostgreSQL runs.
#[derive(Debug, Clone, Deserialize)]
struct Status {
    role: String,
    timeline: Option<u64>,
    /// Of a standby.
    replication_state: Option<String>,
    #[serde(default)]
    sync_standby: bool,
}

impl Cluster {
    pub async fn start(user: ServerUser, needs: Needs, folder: &Path) -> Result<Self, BoxError> {
        let network = Network::create();
        let mut cluster = Self {
            user,
            needs,
            nodes: vec![],
            ports: Ports {
                postgres: free_port()?,
                rest: free_port()?,
                etcd: free_port()?,
                peer: free_port()?,
            },
            network,
        };
        for number in 1..=NODES {
            cluster.nodes.push(cluster.prepare(number, folder)?);
        }
        for number in 1..=NODES {
            cluster.start_node(number)?;
        }
        cluster.wait_until_whole().await?;
        let administrator = connect(&cluster.url("postgres", "postgres")).await?;
        administrator
            .batch_execute(&format!("CREATE ROLE razao LOGIN PASSWORD '{PASSWORD}'"))
            .await?;
        administrator
            .batch_execute("CREATE DATABASE razao OWNER razao")
            .await?;
        Ok(cluster)
    }

    /// The folder of a node, with its two files.
    fn prepare(&self, number: u8, folder: &Path) -> Result<Node, BoxError> {
        let folder = folder.join(name(number));
        fs::create_dir_all(&folder)?;
        let folder = fs::canonicalize(folder)?;
        self.user.chown(&folder)?;
        if !self.user.can_enter(&folder) {
            return Err(format!("the user {} cannot enter {}", self.user.name(), folder.display()).into());
        }
        for (file, template) in [("patroni.yml", PATRONI), ("etcd.env", ETCD)] {
            let path = folder.join(file);
            fs::write(&path, self.fill(template, number, &folder)?)?;
            self.user.chown(&path)?;
        }
        Ok(Node {
            number,
            folder,
            etcd: None,
            patroni: None,
        })
    }

    /// Replaces the words between @ signs. It fails at one that it does not know.
    fn fill(&self, template: &str, number: u8, folder: &Path) -> Result<String, BoxError> {
        let Ports {
            postgres,
            rest,
            etcd,
            peer,
        } = self.ports;
        let all = |line: &dyn Fn(u8) -> String| (1..=NODES).map(line).collect::<Vec<_>>().join(",");
        let at = |number: u8| self.network.address(number);
        let path = |name: &str| folder.join(name).display().to_string();
        let words = [
            ("NODE", name(number)),
            ("ADDRESS", at(number).to_string()),
            ("NETWORK", self.network.range()),
            ("PG_PORT", postgres.to_string()),
            ("REST_PORT", rest.to_string()),
            ("ETCD_PORT", etcd.to_string()),
            ("PEER_PORT", peer.to_string()),
            ("ETCD_HOSTS", all(&|number| format!("{}:{etcd}", at(number)))),
            (
                "ETCD_MEMBERS",
                all(&|number| format!("{}=http://{}:{peer}", name(number), at(number))),
            ),
            ("DATA_DIR", path("postgres")),
            ("ETCD_DIR", path("etcd")),
            ("SOCKET_DIR", folder.display().to_string()),
            ("BIN_DIR", self.needs.postgres.display().to_string()),
            ("REST_PASSWORD", PASSWORD.to_owned()),
            ("SUPERUSER_PASSWORD", PASSWORD.to_owned()),
            ("REPLICATION_PASSWORD", PASSWORD.to_owned()),
            ("REWIND_PASSWORD", PASSWORD.to_owned()),
        ];
        let filled = words.iter().fold(template.to_owned(), |text, (word, value)| {
            text.replace(&format!("@{word}@"), value)
        });
        let settings = filled.lines().filter(|line| !line.trim_start().starts_with('#'));
        match settings.clone().find(|line| line.contains('@')) {
            Some(line) => Err(format!("an unknown word between @ signs: {line}").into()),
            None => Ok(filled),
        }
    }

    /// The address of all three, for sessions that write.
    pub fn url(&self, user: &str, database: &str) -> String {
        let hosts: Vec<_> = (1..=NODES)
            .map(|number| format!("{}:{}", self.network.address(number), self.ports.postgres))
            .collect();
        format!(
            "postgres://{user}:{PASSWORD}@{}/{database}?target_session_attrs=read-write&connect_timeout=2",
            hosts.join(",")
        )
    }

    // ------------------------------------------------------------ what Patroni says

    /// The leader by what the reachable nodes say.
    pub async fn leader(&self) -> Result<u8, BoxError> {
        self.wait_for("a leader", None, leader_of).await
    }

    /// Returns the new leader.
    pub async fn wait_for_other_leader(&self, than: u8) -> Result<u8, BoxError> {
        // The former one may be silent, and each question to it would take the time-out.
        self.wait_for("a new leader", Some(than), |members| {
            leader_of(members).filter(|leader| *leader != than)
        })
        .await
    }

    /// A leader, a standby that its commits wait for, and a third one that follows. Each node is asked about itself:
    /// in etcd a lost one stays as it was for some seconds.
    pub async fn wait_until_whole(&self) -> Result<(), BoxError> {
        let deadline = Instant::now() + WAIT_MAX;
        loop {
            let mut statuses = vec![];
            for number in 1..=NODES {
                statuses.extend(self.ask::<Status>(number, "patroni").await?);
            }
            if are_whole(&statuses) {
                return Ok(());
            }
            if Instant::now() > deadline {
                let tail = self.log_tail();
                return Err(format!("not whole within {WAIT_MAX:?}: {statuses:?}\n{tail}").into());
            }
            tokio::time::sleep(POLL_INTERVAL).await;
        }
    }

    /// `None` from a node that does not answer, or not with all fields.
    async fn ask<T: DeserializeOwned>(&self, number: u8, path: &str) -> Result<Option<T>, BoxError> {
        let http = client_builder().timeout(ANSWER_TIMEOUT).build()?;
        let url = format!(
            "http://{}:{}/{path}",
            self.network.address(number),
            self.ports.rest
        );
        let Ok(answer) = http.get(url).send().await else {
            return Ok(None);
        };
        Ok(answer.json().await.ok())
    }

    async fn wait_for<T>(
        &self,
        what: &str,
        unasked: Option<u8>,
        mut found: impl FnMut(&[Member]) -> Option<T>,
    ) -> Result<T, BoxError> {
        let deadline = Instant::now() + WAIT_MAX;
        let mut last = vec![];
        while Instant::now() < deadline {
            for number in (1..=NODES).filter(|number| Some(*number) != unasked) {
                if let Some(Members { members }) = self.ask(number, "cluster").await? {
                    if let Some(found) = found(&members) {
                        return Ok(found);
                    }
                    last = members;
                }
            }
            tokio::time::sleep(POLL_INTERVAL).await;
        }
        Err(format!("no {what} within {WAIT_MAX:?}: {last:?}\n{}", self.log_tail()).into())
    }

    /// The last lines of Patroni on each node.
    fn log_tail(&self) -> String {
        let tail = |node: &Node| {
            let log = fs::read_to_string(node.folder.join("patroni.log")).unwrap_or_default();
            let lines: Vec<&str> = log.lines().collect();
            lines[lines.len().saturating_sub(10)..].join("\n")
        };
        let tails: Vec<_> = self.nodes.iter().map(tail).collect();
        tails.join("\n")
    }

    // ------------------------------------------------------------ faults and repairs

    /// Starts what the node has, or what was killed of it.
    pub fn start_node(&mut self, number: u8) -> Result<(), BoxError> {
        let (etcd, patroni) = (self.etcd_command(number)?, self.patroni_command(number)?);
        let node = self.node_mut(number)?;
        for (process, mut command) in [(&mut node.etcd, etcd), (&mut node.patroni, patroni)] {
            if process.is_none() {
                *process = Some(command.spawn()?);
            }
        }
        Ok(())
    }

    fn etcd_command(&self, number: u8) -> Result<Command, BoxError> {
        let node = self.node(number)?;
        let mut command = self.network.command(number, &self.user, &self.needs.etcd);
        for line in fs::read_to_string(node.folder.join("etcd.env"))?.lines() {
            if let Some((name, value)) = line.split_once('=').filter(|_| !line.starts_with('#')) {
                command.env(name, value);
            }
        }
        node.log_of(&mut command, "etcd.log")?;
        Ok(command)
    }

    fn patroni_command(&self, number: u8) -> Result<Command, BoxError> {
        let node = self.node(number)?;
        let mut command = self.network.command(number, &self.user, &self.needs.patroni);
        command.arg(node.folder.join("patroni.yml"));
        node.log_of(&mut command, "patroni.log")?;
        Ok(command)
    }

    /// SIGKILL for all that runs on the node, as if the machine were switched off.
    pub fn kill_node(&mut self, number: u8) -> Result<(), BoxError> {
        self.node_mut(number)?.kill()
    }

    /// SIGKILL for PostgreSQL alone; Patroni goes on.
    pub fn kill_postgres(&self, number: u8) -> Result<(), BoxError> {
        let node = self.node(number)?;
        let postmaster = node.postmaster()?.ok_or("no PostgreSQL runs on the leader")?;
        Ok(kill(postmaster, Signal::SIGKILL)?)
    }

    /// SIGSTOP or SIGCONT for all processes of the node.
    pub fn signal_node(&self, number: u8, signal: Signal) -> Result<(), BoxError> {
        let node = self.node(number)?;
        let mut processes = vec![];
        processes.extend(node.postmaster()?);
        for child in [&node.patroni, &node.etcd].into_iter().flatten() {
            processes.push(Pid::from_raw(i32::try_from(child.id())?));
        }
        for process in processes {
            for one in children(process)?.into_iter().chain([process]) {
                match kill(one, signal) {
                    // A backend may have ended.
                    Ok(()) | Err(Errno::ESRCH) => {}
                    Err(error) => return Err(error.into()),
                }
            }
        }
        Ok(())
    }

    /// A planned switch-over to the synchronous standby.
    pub async fn switch_over(&self, from: u8) -> Result<(), BoxError> {
        let node = self.node(from)?;
        let mut command = self.network.command(from, &self.user, &self.needs.patronictl);
        command.arg("-c").arg(node.folder.join("patroni.yml"));
        command.args(["switchover", "razao", "--leader", &name(from), "--force"]);
        let output = tokio::process::Command::from(command).output().await?;
        if output.status.success() {
            return Ok(());
        }
        let said = [output.stdout, output.stderr].concat();
        Err(format!("patronictl switchover: {}", String::from_utf8_lossy(&said)).into())
    }

    fn node(&self, number: u8) -> Result<&Node, BoxError> {
        let node = self.nodes.iter().find(|node| node.number == number);
        node.ok_or_else(|| format!("no node {number}").into())
    }

    fn node_mut(&mut self, number: u8) -> Result<&mut Node, BoxError> {
        let node = self.nodes.iter_mut().find(|node| node.number == number);
        node.ok_or_else(|| format!("no node {number}").into())
    }
}

impl Node {
    fn log_of(&self, command: &mut Command, name: &str) -> Result<(), BoxError> {
        let log = File::options()
            .create(true)
            .append(true)
            .open(self.folder.join(name))?;
        command.stdout(log.try_clone()?).stderr(log);
        Ok(())
    }

    /// `None` if it does not run. The file of a killed one may name a number that another process has since.
    fn postmaster(&self) -> Result<Option<Pid>, BoxError> {
        let data = self.folder.join("postgres");
        let Ok(pid_file) = fs::read_to_string(data.join("postmaster.pid")) else {
            return Ok(None);
        };
        let first = pid_file.lines().next().ok_or("an empty postmaster.pid")?.trim();
        if fs::read_link(format!("/proc/{first}/cwd")).is_ok_and(|folder| folder == data) {
            Ok(Some(Pid::from_raw(first.parse()?)))
        } else {
            Ok(None)
        }
    }

    fn kill(&mut self) -> Result<(), BoxError> {
        // Patroni first: it would start PostgreSQL again.
        if let Some(mut patroni) = self.patroni.take() {
            patroni.kill()?;
            patroni.wait()?;
        }
        if let Some(postmaster) = self.postmaster()? {
            match kill(postmaster, Signal::SIGKILL) {
                Ok(()) | Err(Errno::ESRCH) => {}
                Err(error) => return Err(error.into()),
            }
        }
        if let Some(mut etcd) = self.etcd.take() {
            etcd.kill()?;
            etcd.wait()?;
        }
        Ok(())
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        if let Err(error) = self.kill() {
            tracing::error!(%error, node = self.number, "processes of a node may still run");
        }
    }
}

fn name(number: u8) -> String {
    format!("node{number}")
}

/// The leader that the nodes agree on and whose PostgreSQL runs.
fn leader_of(members: &[Member]) -> Option<u8> {
    let leader = members
        .iter()
        .find(|member| member.role == "leader" && member.state == "running")?;
    (1..=NODES).find(|number| name(*number) == leader.name)
}

fn are_whole(statuses: &[Status]) -> bool {
    let Some(leader) = statuses
        .iter()
        .find(|status| matches!(status.role.as_str(), "primary" | "master"))
    else {
        return false;
    };
    let follows = |status: &&Status| {
        status.replication_state.as_deref() == Some("streaming") && status.timeline == leader.timeline
    };
    let followers: Vec<_> = statuses.iter().filter(follows).collect();
    followers.len() + 1 == usize::from(NODES) && followers.iter().any(|status| status.sync_standby)
}

fn children(process: Pid) -> Result<Vec<Pid>, BoxError> {
    let listed = match fs::read_to_string(format!("/proc/{process}/task/{process}/children")) {
        Ok(listed) => listed,
        // It has ended.
        Err(_) => return Ok(vec![]),
    };
    let parsed = listed
        .split_whitespace()
        .map(|pid| Ok(Pid::from_raw(pid.parse()?)));
    parsed.collect()
}

fn free_port() -> std::io::Result<u16> {
    Ok(TcpListener::bind(("0.0.0.0", 0))?.local_addr()?.port())
}
