//! The directory of terminals by serial number. It finds the company whose terminal made a sale.
//!
//! A terminal is answered from memory while no newer version of the reference data (`reference_version`) was read. If
//! its owner has changed since, the ledger refuses the command, and the caller reads the terminal again.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use deadpool_postgres::Pool;
use ledger_domain::calendar::Instant;
use ledger_domain::{BusinessId, TerminalId};
use lru::LruCache;
use uuid::Uuid;

use crate::error::Result;
use crate::validity::History;

/// The most cached terminals. This limits the memory to some tens of megabytes.
const KEPT_MAX: NonZeroUsize = NonZeroUsize::new(100_000).expect("more than none");

#[derive(Debug)]
pub struct Terminals {
    /// By serial number: the version at which the terminal was read, and the terminal.
    kept: Mutex<LruCache<String, (i64, KnownTerminal)>>,
    latest_version: Arc<AtomicI64>,
}

#[derive(Debug, Clone)]
pub struct KnownTerminal {
    pub id: TerminalId,
    owners: Arc<History<Option<BusinessId>>>,
}

impl KnownTerminal {
    pub fn owner_at(&self, instant: Instant) -> Option<BusinessId> {
        self.owners.at(instant).copied().flatten()
    }
}

impl Terminals {
    /// `latest_version` is the newest version of the reference data that was read, here or by the ledger's look-up.
    pub fn new(latest_version: Arc<AtomicI64>) -> Self {
        Self {
            kept: Mutex::new(LruCache::sparse(KEPT_MAX)),
            latest_version,
        }
    }

    /// The terminal with this serial number; `None` if there is none. A missing terminal is never cached.
    pub async fn find(&self, pool: &Pool, serial_number: &str) -> Result<Option<KnownTerminal>> {
        let latest_version = self.latest_version.load(Ordering::Acquire);
        let kept = self
            .kept
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get(serial_number)
            .cloned();
        match kept {
            Some((version, terminal)) if version >= latest_version => Ok(Some(terminal)),
            _ => self.read(pool, serial_number).await,
        }
    }

    /// Like `find`, but reads the table and renews the cached entry.
    pub async fn read(&self, pool: &Pool, serial_number: &str) -> Result<Option<KnownTerminal>> {
        let client = pool.get().await?;
        let statement = client
            .prepare_cached(
                "SELECT v.version, t.id, o.business_id, o.valid_from
                   FROM reference_version v, terminal t LEFT JOIN terminal_owner o ON o.terminal_id = t.id
                  WHERE t.serial_number = $1",
            )
            .await?;
        let rows = client.query(&statement, &[&serial_number]).await?;
        let Some(first) = rows.first() else {
            return Ok(None);
        };
        let version: i64 = first.get("version");
        let mut owners = History::default();
        for row in &rows {
            if let Some(valid_from) = row.get::<_, Option<Instant>>("valid_from") {
                owners.add(
                    valid_from,
                    row.get::<_, Option<Uuid>>("business_id")
                        .map(BusinessId::from_uuid),
                );
            }
        }
        let terminal = KnownTerminal {
            id: TerminalId::from_uuid(first.get("id")),
            owners: Arc::new(owners),
        };
        self.latest_version.fetch_max(version, Ordering::AcqRel);
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.put(serial_number.to_owned(), (version, terminal.clone()));
        Ok(Some(terminal))
    }
}
