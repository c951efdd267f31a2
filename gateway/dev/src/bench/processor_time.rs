//! Processor time by kind of process, from the kernel's own counts: the gateway, the load generator, and each kind of
//! PostgreSQL process of the cluster.

use std::collections::BTreeMap;
use std::fs;

use tokio_postgres::Client;

use super::BenchError;

/// The name of the connections that insert the baseline's rows.
pub const INSERT_CLIENT_NAME: &str = "razao-bench";

/// Linux counts the time of processes in these units (`USER_HZ` is 100).
const MICROS_PER_TICK: u64 = 10_000;

const GATEWAY: &str = "gateway";
const LOAD_GENERATOR: &str = "load generator";
const WRITER: &str = "PostgreSQL: writer";
const POOL: &str = "PostgreSQL: followers, jobs";
const INSERT_CLIENTS: &str = "PostgreSQL: INSERTs";
const VACUUM_AND_ENDED: &str = "PostgreSQL: autovacuum, ended";
const SERVER: &str = "PostgreSQL: checkpoints, WAL, I/O";

/// Microseconds by kind of process.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProcessorTime(pub BTreeMap<&'static str, u64>);

impl ProcessorTime {
    pub fn sum(&self) -> u64 {
        self.0.values().sum()
    }
}

/// Reads the counts at the start of a round and again at its end.
pub struct ProcessorMeter {
    gateway_pid: u32,
    postmaster_pid: u32,
    before: Counts,
}

#[derive(Debug, Clone, Default)]
struct Counts {
    gateway: u64,
    load_generator: u64,
    postmaster: u64,
    /// The children of the postmaster that have ended.
    ended: u64,
    /// By process number.
    children: BTreeMap<i32, u64>,
}

impl ProcessorMeter {
    pub fn start(gateway_pid: u32, postmaster_pid: i32) -> Result<Self, BenchError> {
        let postmaster_pid = postmaster_pid.try_into()?;
        Ok(Self {
            gateway_pid,
            postmaster_pid,
            before: Counts::read(gateway_pid, postmaster_pid)?,
        })
    }

    pub async fn stop(self, database: &Client) -> Result<ProcessorTime, BenchError> {
        let after = Counts::read(self.gateway_pid, self.postmaster_pid)?;
        let kinds = kinds(database).await?;
        Ok(after.since(&self.before, &kinds))
    }
}

impl Counts {
    fn read(gateway_pid: u32, postmaster_pid: u32) -> Result<Self, BenchError> {
        let (postmaster, ended) = Stat::read(&postmaster_pid.to_string())?.times();
        let mut children = BTreeMap::new();
        for entry in fs::read_dir("/proc")?.flatten() {
            let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else {
                continue;
            };
            // A process that ends during this loop may be missing.
            if let Ok(stat) = Stat::read(&format!("{pid}"))
                && stat.parent() == Some(postmaster_pid)
                && let Some(micros) = scheduled_micros(pid)
            {
                children.insert(pid, micros);
            }
        }
        Ok(Self {
            gateway: Stat::read(&gateway_pid.to_string())?.times().0,
            load_generator: Stat::read("self")?.times().0,
            postmaster,
            ended,
            children,
        })
    }

    fn since(&self, before: &Self, kinds: &BTreeMap<i32, &'static str>) -> ProcessorTime {
        let mut times: BTreeMap<&'static str, u64> = BTreeMap::new();
        let mut add = |kind, micros: u64| *times.entry(kind).or_default() += micros;
        add(GATEWAY, self.gateway.saturating_sub(before.gateway));
        add(
            LOAD_GENERATOR,
            self.load_generator.saturating_sub(before.load_generator),
        );
        add(SERVER, self.postmaster.saturating_sub(before.postmaster));
        for (pid, micros) in &self.children {
            let earlier = before.children.get(pid).copied().unwrap_or(0);
            add(
                kinds.get(pid).copied().unwrap_or(VACUUM_AND_ENDED),
                micros.saturating_sub(earlier),
            );
        }
        // The count of ended children includes their time before the round.
        let gone = before
            .children
            .iter()
            .filter(|(pid, _)| !self.children.contains_key(pid));
        let earlier: u64 = gone.map(|(_, micros)| micros).sum();
        add(
            VACUUM_AND_ENDED,
            self.ended.saturating_sub(before.ended + earlier),
        );
        ProcessorTime(times)
    }
}

/// The kind of each process that the server knows.
async fn kinds(database: &Client) -> Result<BTreeMap<i32, &'static str>, BenchError> {
    let rows = database
        .query(
            "SELECT pid, coalesce(backend_type, ''), coalesce(application_name, '') FROM pg_stat_activity",
            &[],
        )
        .await?;
    let kind = |backend_type: &str, name: &str| match (backend_type, name) {
        ("client backend", "razao-writer") => WRITER,
        ("client backend", INSERT_CLIENT_NAME) => INSERT_CLIENTS,
        ("client backend", _) => POOL,
        ("autovacuum worker" | "autovacuum launcher", _) => VACUUM_AND_ENDED,
        _ => SERVER,
    };
    Ok(rows
        .iter()
        .map(|row| (row.get(0), kind(row.get(1), row.get(2))))
        .collect())
}

/// The fields of `/proc/<pid>/stat` behind the process's name: number 0 is the state, field 3 of proc_pid_stat(5).
struct Stat(String);

impl Stat {
    fn read(pid: &str) -> Result<Self, BenchError> {
        let text = fs::read_to_string(format!("/proc/{pid}/stat"))?;
        let (_, fields) = text.rsplit_once(')').ok_or("an unreadable /proc/<pid>/stat")?;
        Ok(Self(fields.to_owned()))
    }

    fn field(&self, number: usize) -> Option<u64> {
        self.0.split_whitespace().nth(number)?.parse().ok()
    }

    fn parent(&self) -> Option<u32> {
        self.field(1).and_then(|pid| pid.try_into().ok())
    }

    /// The times of the process with all its threads, and of its children that have ended.
    fn times(&self) -> (u64, u64) {
        let sum = |first, second| {
            (self.field(first).unwrap_or(0) + self.field(second).unwrap_or(0)) * MICROS_PER_TICK
        };
        (sum(11, 12), sum(13, 14))
    }
}

/// The time of a process with one thread. It is more exact than in ticks, whose rounding errors would add up: there are
/// up to a hundred such processes.
fn scheduled_micros(pid: i32) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{pid}/schedstat")).ok()?;
    let nanos: u64 = text.split_whitespace().next()?.parse().ok()?;
    Some(nanos / 1_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_process_is_booked_under_its_kind() {
        let before = Counts {
            gateway: 100,
            ended: 10,
            children: BTreeMap::from([(1, 5), (2, 7)]),
            ..Counts::default()
        };
        // Process 2 has ended: its 7 microseconds before the round are in the parent's count.
        let after = Counts {
            gateway: 160,
            ended: 40,
            children: BTreeMap::from([(1, 25), (3, 4)]),
            ..Counts::default()
        };
        let times = after.since(&before, &BTreeMap::from([(1, WRITER), (3, POOL)]));
        assert_eq!(times.0[GATEWAY], 60);
        assert_eq!(times.0[WRITER], 20);
        assert_eq!(times.0[POOL], 4);
        assert_eq!(times.0[VACUUM_AND_ENDED], 23);
        assert_eq!(times.sum(), 107);
    }

    #[test]
    fn the_parent_is_read_from_the_stat_of_this_process() {
        let stat = Stat::read("self").expect("its stat");
        assert_eq!(stat.parent(), Some(std::os::unix::process::parent_id()));
    }
}
