//! For measurements and trials with faults: a PostgreSQL cluster, and processes of the program that use it.

use std::fs;
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use chrono::Utc;
use gateway_acquirers::calls::client_builder;
use gateway_environment::config::ChangeKey;
use gateway_platform::companies::{
    Approval, CompanyProfile, NewBusiness, business_create, decide_at_installation,
};
use gateway_platform::validity::Since;
use ledger_domain::BusinessId;
use ledger_domain::documents::Document;
use ledger_store::layout::PARTITION_POSITIONS;
use ledger_store::supervisor::spawn_once;
use ledger_store::{Layout, migrate};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tokio::process::{Child, Command};
use tokio_postgres::{Client, NoTls};
use uuid::Uuid;

use crate::demo;
use crate::embedded::{DATABASE, Embedded, EmbeddedOptions};

/// The number of companies that sell: enough that none of them is a hot spot.
const BUSINESSES: u64 = 100;
/// The number of 16 MB WAL files that the server keeps (`min_wal_size`).
const SPARE_WAL_FILES: u32 = 64;
const START_TIMEOUT: Duration = Duration::from_secs(60);
/// A million captures may be sent faster than they are followed.
const CATCH_UP_TIMEOUT: Duration = Duration::from_secs(600);
/// The secret that signs the notices of the run. All of them come from Zoop.
pub const PROVIDER_SECRET: &str = "the-benchmark-signs-with-this";
/// `RAZAO_KEY_CHECKPOINT` of the run. What is loaded before the program starts is proven with it.
const CHECKPOINT_KEY: [u8; 32] = [0x52; 32];

pub type BoxError = Box<dyn std::error::Error + Send + Sync>;

pub struct Installation {
    folder: PathBuf,
    /// The cluster's folder. It differs from `folder` if PostgreSQL runs as another user who cannot enter `folder`.
    cluster_folder: PathBuf,
    pub data_dir: PathBuf,
    pub businesses: Vec<BusinessId>,
    /// The address of a database that is not embedded.
    url: Option<String>,
}

/// A running gateway (`razao serve`). Dropping it kills the process.
pub struct GatewayProcess {
    child: Child,
    pub addr: SocketAddr,
    pub operations: SocketAddr,
}

impl Installation {
    /// For measurements of writes: with the spare WAL files that a used cluster has.
    pub async fn prepare(folder: &Path, layout: Layout) -> Result<Self, BoxError> {
        Self::create(folder, SPARE_WAL_FILES, layout).await
    }

    /// For measurements of reads, and for trials that measure no rate.
    pub async fn without_spare_wal(folder: &Path, layout: Layout) -> Result<Self, BoxError> {
        Self::create(folder, 0, layout).await
    }

    async fn create(folder: &Path, spare_wal_files: u32, layout: Layout) -> Result<Self, BoxError> {
        fs::create_dir_all(folder)?;
        let embedded = Embedded::start(Self::cluster_of(folder)).await?;
        let mut client = connect(&embedded.url(DATABASE)).await?;
        let businesses = install(&mut client, layout).await?;
        add_spare_wal_files(&client, spare_wal_files).await?;
        drop(client);
        Self::stopped(folder, embedded, businesses).await
    }

    /// On an empty database that others run. The folder has the program's files only.
    pub async fn at(url: String, folder: &Path, layout: Layout) -> Result<Self, BoxError> {
        let businesses = install(&mut connect(&url).await?, layout).await?;
        Self::found(url, folder, businesses)
    }

    /// On a database that others run and that has these companies of an earlier run.
    pub fn found(url: String, folder: &Path, businesses: Vec<BusinessId>) -> Result<Self, BoxError> {
        fs::create_dir_all(folder)?;
        Ok(Self {
            folder: folder.to_owned(),
            cluster_folder: folder.to_owned(),
            data_dir: folder.to_owned(),
            businesses,
            url: Some(url),
        })
    }

    /// Opens the installation that an earlier run left in a folder. Its `businesses` is empty.
    pub async fn loaded(folder: &Path) -> Result<Self, BoxError> {
        let embedded = Embedded::start(Self::cluster_of(folder)).await?;
        Self::stopped(folder, embedded, vec![]).await
    }

    /// Stops the database, because a gateway starts it itself.
    async fn stopped(
        folder: &Path,
        embedded: Embedded,
        businesses: Vec<BusinessId>,
    ) -> Result<Self, BoxError> {
        let data_dir = embedded.data_dir().to_owned();
        let cluster_folder = data_dir.parent().unwrap_or(folder).to_owned();
        embedded.stop().await?;
        Ok(Self {
            folder: folder.to_owned(),
            cluster_folder,
            data_dir,
            businesses,
            url: None,
        })
    }

    fn cluster_of(folder: &Path) -> EmbeddedOptions {
        EmbeddedOptions {
            data_dir: folder.join("postgres"),
            durable: true,
        }
    }

    pub async fn start(&self, program: &Path) -> Result<GatewayProcess, BoxError> {
        self.start_with(program, &[]).await
    }

    /// With additional environment variables.
    pub async fn start_with(
        &self,
        program: &Path,
        variables: &[(&str, &str)],
    ) -> Result<GatewayProcess, BoxError> {
        let mut gateway = self.spawn(program, variables)?;
        gateway.wait_until_ready().await?;
        // Time for the first pass of followers and jobs.
        tokio::time::sleep(Duration::from_secs(2)).await;
        Ok(gateway)
    }

    /// Returns before the gateway answers.
    pub fn spawn(&self, program: &Path, variables: &[(&str, &str)]) -> Result<GatewayProcess, BoxError> {
        let (addr, operations) = (free_address()?, free_address()?);
        self.spawn_at(program, addr, operations, variables)
    }

    /// On given addresses, for example those of an earlier process.
    pub fn spawn_at(
        &self,
        program: &Path,
        addr: SocketAddr,
        operations: SocketAddr,
        variables: &[(&str, &str)],
    ) -> Result<GatewayProcess, BoxError> {
        let child = self
            .command(program, &["serve"])?
            .env("RAZAO_ADDR", addr.to_string())
            .env("RAZAO_OPS_ADDR", operations.to_string())
            .envs(variables.iter().copied())
            .spawn()?;
        Ok(GatewayProcess {
            child,
            addr,
            operations,
        })
    }

    /// The program with this installation's settings. Its output goes into the installation's log.
    pub fn command(&self, program: &Path, arguments: &[&str]) -> Result<Command, BoxError> {
        let log = fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(self.folder.join("gateway.log"))?;
        let mut command = Command::new(program);
        command
            .args(arguments)
            .env_remove("DATABASE_URL")
            .env_remove("RAZAO_SMTP_URL")
            .env_remove("RAZAO_MAIL_FOLDER")
            .env("RAZAO_DATA", &self.folder)
            .env("RAZAO_SANDBOX_ADDR", "127.0.0.1:0")
            .env("RAZAO_PROVIDER_ZOOP_SECRETS", PROVIDER_SECRET)
            .env("RAZAO_KEY_CHECKPOINT", hex::encode(CHECKPOINT_KEY))
            .stdin(Stdio::null())
            .stdout(log.try_clone()?)
            .stderr(log)
            .kill_on_drop(true);
        if let Some(url) = &self.url {
            command.env("DATABASE_URL", url);
        }
        Ok(command)
    }

    /// The last lines of the log, to explain a failure.
    pub fn log_tail(&self) -> String {
        let log = fs::read_to_string(self.folder.join("gateway.log")).unwrap_or_default();
        let lines: Vec<&str> = log.lines().collect();
        lines[lines.len().saturating_sub(20)..].join("\n")
    }

    /// Starts the cluster while no program runs on it. Dropping the [`Embedded`] stops it.
    pub async fn start_database(&self) -> Result<(Embedded, Client), BoxError> {
        let embedded = Embedded::start(Self::cluster_of(&self.folder)).await?;
        let client = connect(&embedded.url(DATABASE)).await?;
        Ok((embedded, client))
    }

    /// For a load that begins again if it fails.
    pub async fn start_database_without_durability(&self) -> Result<(Embedded, Client), BoxError> {
        let embedded = Embedded::start(EmbeddedOptions {
            durable: false,
            ..Self::cluster_of(&self.folder)
        })
        .await?;
        let client = connect(&embedded.url(DATABASE)).await?;
        Ok((embedded, client))
    }

    /// Connects to the cluster while a program runs on it.
    pub async fn join_database(&self) -> Result<Client, BoxError> {
        if let Some(url) = &self.url {
            return connect(url).await;
        }
        let embedded = Embedded::join(Self::cluster_of(&self.folder)).await?;
        connect(&embedded.url(DATABASE)).await
    }

    /// The address of a database on the cluster of a running program.
    pub async fn url(&self, database: &str) -> Result<String, BoxError> {
        let embedded = Embedded::join(Self::cluster_of(&self.folder)).await?;
        Ok(embedded.url(database))
    }

    pub fn postmaster_pid(&self) -> Result<i32, BoxError> {
        let pid_file = fs::read_to_string(self.data_dir.join("postmaster.pid"))?;
        Ok(pid_file
            .lines()
            .next()
            .ok_or("an empty postmaster.pid")?
            .trim()
            .parse()?)
    }

    pub fn remove(self) -> Result<(), BoxError> {
        fs::remove_dir_all(&self.cluster_folder)?;
        if self.folder.exists() {
            fs::remove_dir_all(&self.folder)?;
        }
        Ok(())
    }
}

/// Migrates the database and adds what captures need.
async fn install(client: &mut Client, layout: Layout) -> Result<Vec<BusinessId>, BoxError> {
    match layout {
        Layout::One => drop(migrate::run(client).await?),
        Layout::Schemas => drop(migrate::run_to_schemas(client, PARTITION_POSITIONS, |_| {}).await?),
    }
    let transaction = client.transaction().await?;
    demo::install_records(&transaction, Utc::now().date_naive()).await?;
    let mut businesses = Vec::new();
    for number in 0..BUSINESSES {
        businesses.push(add_business(&transaction, number).await?);
    }
    transaction.commit().await?;
    Ok(businesses)
}

/// Gives the cluster the spare WAL files that a cluster has after writing for a while. In a new cluster, every 16 MB of
/// writes wait for PostgreSQL to create and zero the next WAL file. That would slow captures and INSERTs alike.
async fn add_spare_wal_files(client: &Client, files: u32) -> Result<(), BoxError> {
    for _ in 0..files {
        client
            .batch_execute("SELECT pg_logical_emit_message(false, 'bench', ''); SELECT pg_switch_wal()")
            .await?;
    }
    Ok(client.batch_execute("CHECKPOINT").await?)
}

async fn add_business(
    client: &impl tokio_postgres::GenericClient,
    number: u64,
) -> Result<BusinessId, BoxError> {
    let id = BusinessId::from_uuid(Uuid::new_v4());
    let document = (0..100)
        .find_map(|digits| Document::parse(&format!("9{number:07}0001{digits:02}")).ok())
        .ok_or("no valid check digits for the document")?;
    let business = NewBusiness {
        id,
        name: format!("Empresa {number}"),
        document,
        statement_descriptor: None,
        receiving_plan_id: demo::Story::receiving_plan_id(),
        profile: CompanyProfile::default(),
        created_at: Since::Now,
    };
    business_create(client, &business).await?;
    let decision = (Uuid::new_v4(), Approval::Enabled, Utc::now());
    decide_at_installation(client, id, decision).await?;
    Ok(id)
}

impl GatewayProcess {
    pub fn pid(&self) -> Result<u32, BoxError> {
        Ok(self.child.id().ok_or("the gateway has ended")?)
    }

    pub fn readiness_url(&self) -> String {
        format!("http://{}/readyz", self.operations)
    }

    /// Ready for everything: it owns all shards of the log.
    pub async fn wait_until_ready(&mut self) -> Result<(), BoxError> {
        self.wait_until_success(&self.readiness_url()).await
    }

    /// A process beside the one that owns the shards.
    pub async fn wait_until_ready_for_reads(&mut self) -> Result<(), BoxError> {
        self.wait_until_success(&format!("{}?reads", self.readiness_url()))
            .await
    }

    pub async fn is_ready(&self) -> Result<bool, BoxError> {
        is_success(&self.readiness_url()).await
    }

    pub async fn is_ready_for_reads(&self) -> Result<bool, BoxError> {
        is_success(&format!("{}?reads", self.readiness_url())).await
    }

    async fn wait_until_success(&mut self, url: &str) -> Result<(), BoxError> {
        let http = client_builder().build()?;
        let deadline = Instant::now() + START_TIMEOUT;
        while Instant::now() < deadline {
            if let Some(status) = self.child.try_wait()? {
                return Err(format!("the gateway exited during startup: {status}").into());
            }
            if http
                .get(url)
                .send()
                .await
                .is_ok_and(|answer| answer.status().is_success())
            {
                return Ok(());
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        Err(format!("the gateway was not ready within {START_TIMEOUT:?}").into())
    }

    /// Waits until the read models have caught up and returns how long that took.
    pub async fn wait_until_caught_up(&self) -> Result<Duration, BoxError> {
        let url = self.readiness_url();
        let http = client_builder().build()?;
        let began = Instant::now();
        while began.elapsed() < CATCH_UP_TIMEOUT {
            let readiness: serde_json::Value = http.get(&url).send().await?.json().await?;
            if readiness["lag_events"] == 0 {
                return Ok(began.elapsed());
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        Err(format!("the read models did not catch up within {CATCH_UP_TIMEOUT:?}").into())
    }

    /// The resident memory by the kernel's count. The database is another process.
    pub fn resident_kib(&self) -> Result<u64, BoxError> {
        self.kib_of("VmRSS:")
    }

    /// The largest resident memory since the start or since `reset_peak`.
    pub fn peak_kib(&self) -> Result<u64, BoxError> {
        self.kib_of("VmHWM:")
    }

    pub fn reset_peak(&self) -> Result<(), BoxError> {
        let pid = self.pid()?;
        // proc_pid_clear_refs(5): 5 resets the peak to the present resident memory.
        Ok(fs::write(format!("/proc/{pid}/clear_refs"), "5")?)
    }

    fn kib_of(&self, name: &str) -> Result<u64, BoxError> {
        let pid = self.pid()?;
        let status = fs::read_to_string(format!("/proc/{pid}/status"))?;
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        let line = line.ok_or_else(|| format!("no {name}"))?;
        Ok(line.trim().trim_end_matches("kB").trim().parse()?)
    }

    pub fn signal(&self, signal: Signal) -> Result<(), BoxError> {
        Ok(kill(Pid::from_raw(i32::try_from(self.pid()?)?), signal)?)
    }

    /// Sends SIGKILL, so that the process cannot finish anything.
    pub async fn kill(mut self) -> Result<(), BoxError> {
        Ok(self.child.kill().await?)
    }

    pub async fn stop(mut self) -> Result<(), BoxError> {
        self.signal(Signal::SIGTERM)?;
        tokio::time::timeout(Duration::from_secs(30), self.child.wait()).await??;
        Ok(())
    }
}

async fn is_success(url: &str) -> Result<bool, BoxError> {
    let answer = client_builder().build()?.get(url).send().await?;
    Ok(answer.status().is_success())
}

pub(crate) fn free_address() -> std::io::Result<SocketAddr> {
    TcpListener::bind(("127.0.0.1", 0))?.local_addr()
}

pub async fn connect(url: &str) -> Result<Client, BoxError> {
    let mut options: tokio_postgres::Config = url.parse()?;
    ChangeKey::of(&CHECKPOINT_KEY).set_in(&mut options);
    let (client, connection) = options.connect(NoTls).await?;
    // An error of the connection also fails the statement.
    drop(spawn_once("connection of a measurement", connection));
    Ok(client)
}
