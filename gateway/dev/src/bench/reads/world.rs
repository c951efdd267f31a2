//! An installation of one size: its records, its gateway, and a signed-in owner.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use gateway_acquirers::calls::client_builder;
use gateway_identity::audit::Actor;
use gateway_identity::credentials::passwords;
use gateway_identity::roles::AdminRole;
use gateway_identity::users::{NewAdmin, admin_insert};
use ledger_domain::BusinessId;
use ledger_domain::ids::UserId;
use reqwest::{Client, StatusCode};
use serde_json::{Value, json};
use tokio_postgres::Client as Database;
use uuid::Uuid;

use super::super::BenchError;
use crate::installation::{GatewayProcess, Installation};

/// The last page of 20 rows of the 1,000 companies and sellers. Terminals have later ones.
pub const LAST_PAGE_SMALL: u32 = 50;

const EMAIL: &str = "dona@razao.example";
const PASSWORD: &str = "a senha da medida";
/// A connection reports its counts at the end of a transaction, at most once a second.
const BETWEEN_COUNTS: Duration = Duration::from_millis(1_200);

#[derive(Debug, Clone, Copy)]
pub struct Size {
    /// Each company has a seller user and three terminals.
    pub companies: u32,
    /// Plans and staff are few, because each plan is negotiated and each member of staff employed.
    pub plans: u32,
    pub staff: u32,
}

impl Size {
    pub const SMALL: Self = Self {
        companies: 1_000,
        plans: 30,
        staff: 20,
    };
    pub const LARGE: Self = Self {
        companies: 100_000,
        plans: 300,
        staff: 200,
    };
}

/// The id of the company with that number, the same in every size.
pub fn company_id(number: u32) -> BusinessId {
    BusinessId::from_uuid(Uuid::from_u128(
        0x0193_f0a0_5b1e_7c3a_8000_0000_0000_0000 + u128::from(number),
    ))
}

pub struct World {
    installation: Installation,
    gateway: GatewayProcess,
    database: Database,
    http: Client,
    token: String,
}

impl World {
    pub async fn open(folder: PathBuf, program: &Path, size: Size) -> Result<Self, BenchError> {
        let installation = Installation::without_spare_wal(&folder).await?;
        let (embedded, mut client) = installation.start_database().await?;
        load(&mut client, size).await?;
        drop(client);
        embedded.stop().await?;
        let gateway = installation.start(program).await?;
        let http = client_builder().build()?;
        let token = sign_in(&http, &gateway).await?;
        Ok(Self {
            database: installation.join_database().await?,
            installation,
            gateway,
            http,
            token,
        })
    }

    /// The microseconds of one call.
    pub async fn time(&self, path: &str) -> Result<u32, BenchError> {
        let request = self
            .http
            .get(format!("http://{}{path}", self.gateway.addr))
            .header("host", staff_host(&self.gateway))
            .bearer_auth(&self.token);
        let began = Instant::now();
        let answer = request.send().await?;
        let status = answer.status();
        let body = answer.bytes().await?;
        let micros = u32::try_from(began.elapsed().as_micros())?;
        if status == StatusCode::OK {
            Ok(micros)
        } else {
            let body = String::from_utf8_lossy(&body);
            Err(format!("{path} was answered with {status}: {body}").into())
        }
    }

    /// The rows of tables and the entries of indexes that one call reads, by PostgreSQL's own counters.
    pub async fn rows_read(&self, path: &str, calls: u32) -> Result<u64, BenchError> {
        let before = self.counted_after(path).await?;
        for _ in 0..calls {
            self.time(path).await?;
        }
        let read = self.counted_after(path).await?.saturating_sub(before);
        // The call that reports the counts is among them.
        Ok(read.unsigned_abs() / u64::from(calls + 1))
    }

    async fn counted_after(&self, path: &str) -> Result<i64, BenchError> {
        tokio::time::sleep(BETWEEN_COUNTS).await;
        self.time(path).await?;
        let row = self
            .database
            .query_one(
                "SELECT ((SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) FROM pg_stat_user_tables)
                       + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes))::bigint",
                &[],
            )
            .await?;
        Ok(row.get(0))
    }

    pub async fn close(self) -> Result<(), BenchError> {
        drop(self.database);
        self.gateway.stop().await?;
        self.installation.remove()
    }
}

fn staff_host(gateway: &GatewayProcess) -> String {
    format!("admin.localhost:{}", gateway.addr.port())
}

async fn sign_in(http: &Client, gateway: &GatewayProcess) -> Result<String, BenchError> {
    let answer = http
        .post(format!("http://{}/api/auth/admin/sign-in", gateway.addr))
        .header("host", staff_host(gateway))
        .json(&json!({ "email": EMAIL, "password": PASSWORD }))
        .send()
        .await?;
    let body: Value = answer.error_for_status()?.json().await?;
    let token = body["access_token"].as_str().ok_or("a sign-in without a token")?;
    Ok(token.to_owned())
}

async fn load(client: &mut Database, size: Size) -> Result<(), BenchError> {
    let transaction = client.transaction().await?;
    let owner = NewAdmin {
        id: UserId::from_uuid(Uuid::now_v7()),
        name: "Dona Clara",
        email: EMAIL,
        password_hash: &passwords::hash(PASSWORD).map_err(|error| error.to_string())?,
        roles: &[AdminRole::Owner],
        active: true,
    };
    admin_insert(&transaction, Actor::System, &owner).await?;
    let counts = format!(
        "CREATE TEMP TABLE size ON COMMIT DROP AS
         SELECT {}::int AS companies, {}::int AS plans, {}::int AS staff",
        size.companies, size.plans, size.staff
    );
    transaction.batch_execute(&counts).await?;
    transaction.batch_execute(RECORDS).await?;
    transaction.commit().await?;
    // Not one batch, because VACUUM runs in no transaction.
    client.batch_execute("VACUUM ANALYZE").await?;
    Ok(client.batch_execute("CHECKPOINT").await?)
}

/// Bulk inserts on the server. Names repeat: one company in twenty is a bakery, and one person in twenty a Souza.
const RECORDS: &str = include_str!("records.sql");
