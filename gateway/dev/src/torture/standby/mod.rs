//! Three nodes of PostgreSQL under Patroni. Under load the leader is lost in different ways, and each time a synchronous
//! standby takes over: no acknowledged capture is lost or doubled, and the same process of the program reads and writes
//! again. The lost node returns afterwards.

mod cluster;
mod needs;
mod network;

use std::fmt;
use std::fs;
use std::time::{Duration, Instant};

use cluster::Cluster;
use ledger_store::Layout;
use needs::Needs;
use nix::sys::signal::Signal;

use super::ledger::{self, RecordedSales};
use super::senders::Senders;
use super::{CAPTURES_UNDER_LOAD, TortureOptions};
use crate::embedded::ServerUser;
use crate::installation::{BoxError, Installation};

/// How the leader is lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Loss {
    /// SIGKILL for its PostgreSQL. Patroni on the same node sees it.
    PostgresKilled,
    /// SIGKILL for all that runs on the node.
    NodeKilled,
    /// All that runs on the node goes on, and no packet reaches it or leaves it.
    Cut,
    /// In place of a cut where there are no network namespaces: SIGSTOP for all that runs on the node.
    Frozen,
    /// `patronictl switchover`.
    SwitchOver,
}

#[derive(Debug, Clone)]
pub struct StandbyReport {
    losses: Vec<LossReport>,
    /// Captures, each of which is in the log once.
    pub acknowledged: u64,
}

#[derive(Debug, Clone)]
struct LossReport {
    loss: Loss,
    /// Until Patroni had another leader.
    leader_after: Duration,
    /// The longest time without an acknowledgment.
    gap: Duration,
    /// Until the program was ready for reads and writes.
    ready_after: Duration,
    /// From the node's repair until it followed the new leader.
    returned_after: Duration,
    unavailable: u64,
    unanswered: u64,
}

/// The longest time from Patroni's new leader to the next capture. A busy machine needs some of it.
const RECOVERY_MAX: Duration = Duration::from_secs(5);

impl StandbyReport {
    /// Fails if the program needed too long after Patroni.
    pub fn check_bounds(&self) -> Result<(), BoxError> {
        let late = |loss: &&LossReport| loss.gap > loss.leader_after + RECOVERY_MAX;
        match self.losses.iter().find(late) {
            Some(loss) => Err(format!("the program came back too late after Patroni: {loss}").into()),
            None => Ok(()),
        }
    }
}

impl fmt::Display for LossReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:?}: {} ms without a capture (another leader after {} ms, ready after {} ms), {} answers of 503, {} \
             requests without an answer, the node back after {} ms",
            self.loss,
            self.gap.as_millis(),
            self.leader_after.as_millis(),
            self.ready_after.as_millis(),
            self.unavailable,
            self.unanswered,
            self.returned_after.as_millis()
        )
    }
}

impl fmt::Display for StandbyReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} captures acknowledged and recorded once", self.acknowledged)?;
        self.losses.iter().try_for_each(|loss| write!(f, "; {loss}"))
    }
}

/// The error says what is missing on this machine.
pub fn needs(options: &TortureOptions) -> Result<(ServerUser, Needs), String> {
    let user = ServerUser::choose(&options.folder).map_err(|error| error.to_string())?;
    let needs = Needs::find(&user)?;
    Ok((user, needs))
}

pub async fn run(
    (user, needs): (ServerUser, Needs),
    options: &TortureOptions,
    mut progress: impl FnMut(String),
) -> Result<StandbyReport, BoxError> {
    let folder = options.folder.join("standby");
    fs::create_dir_all(&folder)?;
    let mut cluster = Cluster::start(user, needs, &folder).await?;
    let installation = Installation::at(
        cluster.url("razao", "razao"),
        &folder.join("program"),
        Layout::One,
    )
    .await?;
    // The nodes are not this process's children alone: an interrupt must end them in order.
    let report = tokio::select! {
        report = lose_leaders(&mut cluster, &installation, options, &mut progress) => report,
        _ = tokio::signal::ctrl_c() => Err("interrupted".into()),
    };
    let report = super::finished(installation, report)?;
    drop(cluster);
    fs::remove_dir_all(&folder)?;
    Ok(report)
}

async fn lose_leaders(
    cluster: &mut Cluster,
    installation: &Installation,
    options: &TortureOptions,
    progress: &mut impl FnMut(String),
) -> Result<StandbyReport, BoxError> {
    let silent = if cluster.network.can_be_cut() {
        Loss::Cut
    } else {
        Loss::Frozen
    };
    let mut gateway = installation.spawn(&options.program, &[])?;
    gateway.wait_until_ready().await?;
    let mut sales = RecordedSales::default();
    let mut losses = vec![];
    for loss in [Loss::PostgresKilled, Loss::NodeKilled, silent, Loss::SwitchOver] {
        let leader = cluster.leader().await?;
        let name = format!("standby-{loss:?}");
        let senders = Senders::start(installation, &[gateway.addr], &name, options.seed);
        senders.wait_for_more(CAPTURES_UNDER_LOAD).await?;
        let began = Instant::now();
        lose(cluster, leader, loss).await?;
        cluster.wait_for_other_leader(leader).await?;
        let leader_after = began.elapsed();
        senders.wait_for_more(CAPTURES_UNDER_LOAD).await?;
        gateway.wait_until_ready().await?;
        let ready_after = began.elapsed();
        // A process that starts now connects to the new leader too, although the lost node may come first in the
        // address.
        let migrated = installation
            .command(&options.program, &["migrate"])?
            .status()
            .await?;
        if !migrated.success() {
            return Err(format!("{loss:?}: migrate: {migrated}").into());
        }
        let repaired_at = Instant::now();
        repair(cluster, leader, loss)?;
        cluster.wait_until_whole().await?;
        let returned_after = repaired_at.elapsed();
        senders.wait_for_more(CAPTURES_UNDER_LOAD).await?;
        let (counts, gap) = (senders.counts(), senders.longest_pause());
        let acknowledged = senders.stop().await?;
        gateway.wait_until_caught_up().await?;
        let database = installation.join_database().await?;
        sales
            .check(&database, &acknowledged)
            .await
            .map_err(|error| format!("{loss:?}: {error}"))?;
        ledger::audit(installation, &options.program)
            .await
            .map_err(|error| format!("{loss:?}: {error}"))?;
        let report = LossReport {
            loss,
            leader_after,
            gap,
            ready_after,
            returned_after,
            unavailable: counts.unavailable,
            unanswered: counts.unanswered,
        };
        progress(report.to_string());
        losses.push(report);
    }
    gateway.stop().await?;
    Ok(StandbyReport {
        losses,
        acknowledged: sales.count(),
    })
}

async fn lose(cluster: &mut Cluster, leader: u8, loss: Loss) -> Result<(), BoxError> {
    match loss {
        Loss::PostgresKilled => cluster.kill_postgres(leader),
        Loss::NodeKilled => cluster.kill_node(leader),
        Loss::Cut => cluster.network.set_connected(leader, false),
        Loss::Frozen => cluster.signal_node(leader, Signal::SIGSTOP),
        Loss::SwitchOver => cluster.switch_over(leader).await,
    }
}

fn repair(cluster: &mut Cluster, node: u8, loss: Loss) -> Result<(), BoxError> {
    match loss {
        Loss::NodeKilled => cluster.start_node(node),
        Loss::Cut => cluster.network.set_connected(node, true),
        Loss::Frozen => cluster.signal_node(node, Signal::SIGCONT),
        // Patroni does it.
        Loss::PostgresKilled | Loss::SwitchOver => Ok(()),
    }
}
