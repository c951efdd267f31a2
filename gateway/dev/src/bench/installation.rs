//! The measured system: a cluster with companies and a plan and without sales, and the real program on it.

use std::fs;
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use chrono::Utc;
use gateway_platform::companies::{NewBusiness, business_create};
use gateway_platform::validity::Since;
use ledger_domain::BusinessId;
use ledger_domain::documents::Document;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tokio::process::{Child, Command};
use tokio_postgres::{Client, NoTls};
use uuid::Uuid;

use super::BenchError;
use super::inserts::InsertTable;
use crate::demo;
use crate::embedded::{DATABASE, Embedded, EmbeddedOptions};

/// The number of companies that sell: enough that none of them is a hot spot.
const BUSINESSES: u64 = 100;
/// WAL files of 16 MB: as many as the server keeps (`min_wal_size`).
const LOG_FILES: u32 = 64;
const STARTED_WITHIN: Duration = Duration::from_secs(60);
const CAUGHT_UP_WITHIN: Duration = Duration::from_secs(60);
/// The secret that signs every provider's notices in the run.
pub const SECRET: &str = "the-benchmark-signs-with-this";

pub struct Installation {
    folder: PathBuf,
    /// The folder of the cluster: the folder itself, or one elsewhere that the server's user can enter.
    cluster_folder: PathBuf,
    pub businesses: Vec<BusinessId>,
}

/// The measured program; dropping it kills the process.
pub struct Gateway {
    child: Child,
    pub addr: SocketAddr,
    operations: SocketAddr,
}

impl Installation {
    pub async fn prepare(folder: &Path) -> Result<Self, BenchError> {
        fs::create_dir_all(folder)?;
        let embedded = Embedded::start(Self::cluster_of(folder)).await?;
        let mut client = connect(&embedded.url(DATABASE)).await?;
        ledger_store::migrate::run(&mut client).await?;
        let transaction = client.transaction().await?;
        demo::install_records(&transaction, Utc::now().date_naive()).await?;
        let mut businesses = Vec::new();
        for number in 0..BUSINESSES {
            businesses.push(add_business(&transaction, number).await?);
        }
        transaction.commit().await?;
        add_spare_wal_files(&client).await?;
        drop(client);
        let cluster_folder = embedded.data_dir().parent().unwrap_or(folder).to_owned();
        embedded.stop().await?;
        Ok(Self {
            folder: folder.to_owned(),
            cluster_folder,
            businesses,
        })
    }

    fn cluster_of(folder: &Path) -> EmbeddedOptions {
        EmbeddedOptions {
            data_dir: folder.join("postgres"),
            durable: true,
        }
    }

    pub async fn start(&self, program: &Path) -> Result<Gateway, BenchError> {
        self.start_with(program, &[]).await
    }

    /// With additional environment variables.
    pub async fn start_with(
        &self,
        program: &Path,
        variables: &[(&str, &str)],
    ) -> Result<Gateway, BenchError> {
        let (addr, operations, sandbox) = (free_address()?, free_address()?, free_address()?);
        let log = fs::File::create(self.folder.join("gateway.log"))?;
        let child = Command::new(program)
            .arg("serve")
            .env_remove("DATABASE_URL")
            .env_remove("RAZAO_SMTP_URL")
            .env_remove("RAZAO_MAIL_FOLDER")
            .env("RAZAO_DATA", &self.folder)
            .env("RAZAO_ADDR", addr.to_string())
            .env("RAZAO_OPS_ADDR", operations.to_string())
            .env("RAZAO_SANDBOX_ADDR", sandbox.to_string())
            .env("RAZAO_PROVIDER_ZOOP_SECRETS", SECRET)
            .envs(variables.iter().copied())
            .stdin(Stdio::null())
            .stdout(log.try_clone()?)
            .stderr(log)
            .kill_on_drop(true)
            .spawn()?;
        let mut gateway = Gateway {
            child,
            addr,
            operations,
        };
        gateway.ready().await?;
        // Followers and jobs have finished their first pass after this.
        tokio::time::sleep(Duration::from_secs(2)).await;
        Ok(gateway)
    }

    /// Starts the cluster while no program runs on it. The caller stops it.
    pub async fn database(&self) -> Result<(Embedded, Client), BenchError> {
        let embedded = Embedded::start(Self::cluster_of(&self.folder)).await?;
        let client = connect(&embedded.url(DATABASE)).await?;
        Ok((embedded, client))
    }

    pub async fn insert_table(&self) -> Result<InsertTable, BenchError> {
        let embedded = Embedded::join(Self::cluster_of(&self.folder)).await?;
        InsertTable::create(embedded.url(DATABASE)).await
    }

    pub async fn remove(self) -> Result<(), BenchError> {
        fs::remove_dir_all(&self.cluster_folder)?;
        if self.folder.exists() {
            fs::remove_dir_all(&self.folder)?;
        }
        Ok(())
    }
}

/// Gives the cluster the spare WAL files that a cluster has after writing for a while. In a new cluster, captures and
/// plain rows wait after every 16 MB until another file is filled with zeros.
async fn add_spare_wal_files(client: &Client) -> Result<(), BenchError> {
    for _ in 0..LOG_FILES {
        client
            .batch_execute("SELECT pg_logical_emit_message(false, 'bench', ''); SELECT pg_switch_wal()")
            .await?;
    }
    Ok(client.batch_execute("CHECKPOINT").await?)
}

async fn add_business(
    client: &impl tokio_postgres::GenericClient,
    number: u64,
) -> Result<BusinessId, BenchError> {
    let id = BusinessId::from_uuid(Uuid::new_v4());
    let document = (0..100)
        .find_map(|digits| Document::parse(&format!("9{number:07}0001{digits:02}")).ok())
        .ok_or("one of a hundred pairs of check digits is right")?;
    let business = NewBusiness {
        id,
        name: format!("Empresa {number}"),
        document,
        statement_descriptor: None,
        receiving_plan_id: demo::Story::receiving_plan_id(),
        created_at: Since::Now,
    };
    business_create(client, &business).await?;
    Ok(id)
}

impl Gateway {
    pub fn readiness_url(&self) -> String {
        format!("http://{}/readyz", self.operations)
    }

    async fn ready(&mut self) -> Result<(), BenchError> {
        let url = self.readiness_url();
        let deadline = Instant::now() + STARTED_WITHIN;
        while Instant::now() < deadline {
            if let Some(status) = self.child.try_wait()? {
                return Err(format!("the gateway ended at its start: {status}").into());
            }
            if reqwest::get(&url)
                .await
                .is_ok_and(|answer| answer.status().is_success())
            {
                return Ok(());
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        Err("the gateway was not ready within a minute".into())
    }

    /// Waits until the read models have caught up and returns how long that took. The next measurement then runs on
    /// an idle server.
    pub async fn caught_up(&self) -> Result<Duration, BenchError> {
        let url = self.readiness_url();
        let began = Instant::now();
        while began.elapsed() < CAUGHT_UP_WITHIN {
            let readiness: serde_json::Value = reqwest::get(&url).await?.json().await?;
            if readiness["lag_events"] == 0 {
                return Ok(began.elapsed());
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        Err("the read models did not catch up within a minute".into())
    }

    /// The resident memory by the kernel's count. The database is another process.
    pub fn resident_kib(&self) -> Result<u64, BenchError> {
        let pid = self.child.id().ok_or("the gateway has ended")?;
        let status = fs::read_to_string(format!("/proc/{pid}/status"))?;
        let line = status
            .lines()
            .find_map(|line| line.strip_prefix("VmRSS:"))
            .ok_or("no VmRSS")?;
        Ok(line.trim().trim_end_matches("kB").trim().parse()?)
    }

    pub async fn stop(mut self) -> Result<(), BenchError> {
        let pid = self.child.id().ok_or("the gateway has ended")?;
        kill(Pid::from_raw(i32::try_from(pid)?), Signal::SIGTERM)?;
        tokio::time::timeout(Duration::from_secs(30), self.child.wait()).await??;
        Ok(())
    }
}

pub async fn connect(url: &str) -> Result<Client, BenchError> {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await?;
    tokio::spawn(connection);
    Ok(client)
}

fn free_address() -> std::io::Result<SocketAddr> {
    TcpListener::bind(("127.0.0.1", 0))?.local_addr()
}
