//! An installation of one size: its records and sales, its gateway, and two signed-in users. One is an owner of the
//! platform, the other the owner of the company with a tenth of the sales.

use std::path::Path;
use std::time::{Duration, Instant};

use bytes::Bytes;
use chrono::Utc;
use gateway_acquirers::calls::client_builder;
use gateway_identity::audit::Actor;
use gateway_identity::credentials::passwords;
use gateway_identity::roles::AdminRole;
use gateway_identity::users::{NewAdmin, admin_insert};
use ledger_domain::ids::UserId;
use ledger_domain::{BusinessId, TransferId};
use ledger_store::Layout;
use reqwest::{Client, StatusCode};
use serde_json::{Value, json};
use tokio_postgres::Client as Database;
use uuid::Uuid;

use super::super::BenchError;
use super::sales::Sales;
use crate::installation::{GatewayProcess, Installation};

/// The page of 20 rows that is measured as the last one of the small installation. It ends at row 1,000; some lists are
/// longer.
pub const LAST_PAGE_SMALL: u32 = 50;
/// The number of the company with a tenth of the sales.
pub const BIG_COMPANY: u32 = 7;

const EMAIL: &str = "dona@razao.example";
const PASSWORD: &str = "a senha da medida";
/// A connection reports its counts at the end of a transaction, at most once a second.
const BETWEEN_COUNTS: Duration = Duration::from_millis(1_200);

#[derive(Debug, Clone, Copy)]
pub struct Size {
    /// For each company there are a seller user and three terminals.
    pub companies: u32,
    /// Plans and staff are few, because each plan is negotiated and each member of staff employed.
    pub plans: u32,
    pub staff: u32,
    pub sales: u64,
}

impl Size {
    pub const SMALL: Self = Self {
        companies: 1_000,
        plans: 30,
        staff: 20,
        sales: 10_000,
    };

    pub const fn large(sales: u64) -> Self {
        Self {
            companies: 100_000,
            plans: 300,
            staff: 200,
            sales,
        }
    }
}

/// The id of the company with that number, the same in every size.
pub fn company_id(number: u32) -> BusinessId {
    BusinessId::from_uuid(Uuid::from_u128(
        0x0193_f0a0_5b1e_7c3a_8000_0000_0000_0000 + u128::from(number),
    ))
}

/// The withdrawal of the big company whose composition is measured, the same in every size.
pub fn withdrawal_id() -> TransferId {
    TransferId::from_uuid(Uuid::from_u128(0x0193_f0a9_5b1e_7c3a_8000_0000_0000_0001))
}

/// The panel whose host and session a call has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Panel {
    Staff,
    Seller,
}

/// A running installation of one size, with a session on each panel.
pub struct World {
    installation: Installation,
    pub gateway: GatewayProcess,
    database: Database,
    http: Client,
    staff: String,
    seller: String,
}

/// Fills the folder, which must be empty, and leaves it for `World::open`.
pub async fn load(folder: &Path, size: Size, progress: &mut impl FnMut(String)) -> Result<(), BenchError> {
    let installation = Installation::without_spare_wal(folder, Layout::One).await?;
    // Without durability until everything is loaded: a failed load begins anew.
    let (embedded, mut client) = installation.start_database_without_durability().await?;
    load_records(&mut client, size).await?;
    progress(format!("copying {} sales", size.sales));
    load_sales(&mut client, size, progress).await?;
    // These are two batches, because VACUUM cannot run in a transaction.
    client.batch_execute("VACUUM ANALYZE").await?;
    client.batch_execute("CHECKPOINT").await?;
    drop(client);
    embedded.stop().await?;
    Ok(())
}

impl World {
    /// Starts the gateway on a loaded folder.
    pub async fn open(folder: &Path, program: &Path) -> Result<Self, BenchError> {
        let installation = Installation::loaded(folder).await?;
        let gateway = installation.start(program).await?;
        let http = client_builder().build()?;
        let staff = sign_in(&http, &gateway, Panel::Staff).await?;
        let seller = sign_in(&http, &gateway, Panel::Seller).await?;
        Ok(Self {
            database: installation.join_database().await?,
            installation,
            gateway,
            http,
            staff,
            seller,
        })
    }

    /// The microseconds of one call.
    pub async fn time(&self, panel: Panel, path: &str) -> Result<u32, BenchError> {
        let began = Instant::now();
        self.body(panel, path, "application/json").await?;
        Ok(u32::try_from(began.elapsed().as_micros())?)
    }

    pub async fn body(&self, panel: Panel, path: &str, accept: &str) -> Result<Bytes, BenchError> {
        let token = match panel {
            Panel::Staff => &self.staff,
            Panel::Seller => &self.seller,
        };
        let request = self
            .http
            .get(format!("http://{}{path}", self.gateway.addr))
            .header("host", host(&self.gateway, panel))
            .header("accept", accept)
            .bearer_auth(token);
        let answer = request.send().await?;
        let status = answer.status();
        let body = answer.bytes().await?;
        if status == StatusCode::OK {
            Ok(body)
        } else {
            let body = String::from_utf8_lossy(&body);
            Err(format!("{path} was answered with {status}: {body}").into())
        }
    }

    /// The rows of tables and the entries of indexes that all statements of one call read, by PostgreSQL's counters.
    ///
    /// A connection reports what it read at the end of a transaction, at most once a second. So the same calls are made
    /// after each of two pauses. The reads that are not reported yet are then about the same both times.
    pub async fn rows_read(&self, panel: Panel, path: &str, calls: u32) -> Result<u64, BenchError> {
        let before = self.read_counters_after(panel, path, calls).await?;
        let after = self.read_counters_after(panel, path, calls).await?;
        Ok(after.saturating_sub(before).unsigned_abs() / u64::from(calls.max(1)))
    }

    async fn read_counters_after(&self, panel: Panel, path: &str, calls: u32) -> Result<i64, BenchError> {
        tokio::time::sleep(BETWEEN_COUNTS).await;
        for _ in 0..calls {
            self.time(panel, path).await?;
        }
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

    pub async fn server_version(&self) -> Result<String, BenchError> {
        let row = self.database.query_one("SHOW server_version", &[]).await?;
        Ok(row.get(0))
    }

    pub async fn count(&self, sql: &str) -> Result<u64, BenchError> {
        let row = self.database.query_one(sql, &[]).await?;
        Ok(u64::try_from(row.get::<_, i64>(0))?)
    }

    pub async fn stop(self) -> Result<Installation, BenchError> {
        drop(self.database);
        self.gateway.stop().await?;
        Ok(self.installation)
    }
}

fn host(gateway: &GatewayProcess, panel: Panel) -> String {
    match panel {
        Panel::Staff => format!("admin.localhost:{}", gateway.addr.port()),
        Panel::Seller => format!("localhost:{}", gateway.addr.port()),
    }
}

async fn sign_in(http: &Client, gateway: &GatewayProcess, panel: Panel) -> Result<String, BenchError> {
    let seller = format!("pessoa-{BIG_COMPANY}@loja.example");
    let (path, email) = match panel {
        Panel::Staff => ("/api/auth/admin/sign-in", EMAIL),
        Panel::Seller => ("/api/auth/sign-in", seller.as_str()),
    };
    let answer = http
        .post(format!("http://{}{path}", gateway.addr))
        .header("host", host(gateway, panel))
        .json(&json!({ "email": email, "password": PASSWORD }))
        .send()
        .await?;
    let body: Value = answer.error_for_status()?.json().await?;
    let token = body["access_token"].as_str().ok_or("a sign-in without a token")?;
    Ok(token.to_owned())
}

async fn load_records(client: &mut Database, size: Size) -> Result<(), BenchError> {
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
        "CREATE TEMP TABLE size ON COMMIT PRESERVE ROWS AS
         SELECT {}::int AS companies, {}::int AS plans, {}::int AS staff",
        size.companies, size.plans, size.staff
    );
    transaction.batch_execute(&counts).await?;
    transaction.batch_execute(RECORDS).await?;
    Ok(transaction.commit().await?)
}

/// The tables whose keys and indexes are dropped before the load and created again after it.
const BULK_LOADED: [&str; 9] = [
    "sale",
    "sale_return",
    "statement_line",
    "daily_sales",
    "hourly_sales",
    "receivables_schedule",
    "balance_daily",
    "journal",
    "transfer",
];

async fn load_sales(
    client: &mut Database,
    size: Size,
    progress: &mut impl FnMut(String),
) -> Result<(), BenchError> {
    let tables = BULK_LOADED.map(|table| format!("'{table}'")).join(", ");
    client
        .batch_execute(&format!(
            "SET work_mem = '256MB'; SET maintenance_work_mem = '512MB';
             CREATE TEMP TABLE indexed AS SELECT unnest(ARRAY[{tables}])::regclass AS of_table"
        ))
        .await?;
    client.batch_execute(WITHOUT_INDEXES).await?;
    let transaction = client.transaction().await?;
    let sales = Sales {
        count: size.sales,
        companies: size.companies,
        now: Utc::now(),
    };
    sales.copy(&transaction).await?;
    transaction.commit().await?;
    progress("the read models that follow from the sales".to_owned());
    client.batch_execute("ANALYZE sale, sale_return").await?;
    let transaction = client.transaction().await?;
    transaction.batch_execute(READ_MODELS).await?;
    transaction.commit().await?;
    progress("keys and indexes".to_owned());
    Ok(client.batch_execute(WITH_INDEXES).await?)
}

/// Saves the definitions of the keys and indexes of these tables, then drops the keys and indexes.
const WITHOUT_INDEXES: &str = "
    CREATE TEMP TABLE definition AS
    SELECT format('ALTER TABLE %s ADD CONSTRAINT %I %s', of_table, conname, pg_get_constraintdef(pg_constraint.oid)) AS made,
           format('ALTER TABLE %s DROP CONSTRAINT %I', of_table, conname) AS dropped
      FROM indexed JOIN pg_constraint ON conrelid = of_table WHERE contype IN ('p', 'u')
     UNION ALL
    SELECT pg_get_indexdef(indexrelid), format('DROP INDEX %s', indexrelid::regclass)
      FROM indexed JOIN pg_index ON indrelid = of_table
     WHERE NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid);
    DO $$ DECLARE statement text; BEGIN
        FOR statement IN SELECT dropped FROM definition LOOP EXECUTE statement; END LOOP;
    END $$";
const WITH_INDEXES: &str = "
    DO $$ DECLARE statement text; BEGIN
        FOR statement IN SELECT made FROM definition LOOP EXECUTE statement; END LOOP;
    END $$";

/// Bulk inserts on the server. Names repeat: one company in twenty is a bakery, and one person in twenty a Souza.
const RECORDS: &str = include_str!("records.sql");
const READ_MODELS: &str = include_str!("sales.sql");
