//! Reconciliation: compares the payments that acquirers report with those that the ledger expects of them.
//!
//! `uploads` stores files, and `job` reads them. `receivables` calls those acquirers whose API lists their payments.
//! `write` stores the reported rows and finds their sales. `compare` decides the differences, and `differences`
//! keeps them for staff. `days` sums up each day and finds missing installments. Nothing is posted.

mod charges;
mod compare;
mod days;
mod differences;
mod files;
mod imports;
mod job;
mod rates;
mod receivables;
mod rematch;
mod reported;
mod reported_list;
mod stored_rows;
mod uploads;
mod write;

use gateway_environment::ids::Ids;
use ledger_domain::SaleId;
use ledger_domain::calendar::{Date, Instant, business_date, days_after};
use ledger_domain::sale::Provider;
use thiserror::Error;

use self::charges::Charges;

pub use compare::{DifferenceKind, Rate};
pub use days::{DayFilter, SettlementDay};
pub use differences::{
    Difference, DifferenceFilter, DifferenceState, Resolution, difference_fetch, difference_locked,
    difference_reopen, difference_resolve, differences_open,
};
pub use files::{FileFormat, FileHead, ForeignFile, ImplausibleDate};
pub use imports::{
    BadLineRecord, BadLinesOf, Import, ImportFailure, ImportFilter, ImportState, ImportWarning, import_fetch,
    import_warnings,
};
pub use job::Reconciliation;
pub use rates::{AcquirerRate, rate_add, rates_all};
pub use rematch::mark_rows_of_charge;
pub use reported::EntryKind;
pub use reported_list::{ReceivableFilter, ReceivableRecord};
pub use uploads::{
    FILE_BYTES_MAX, NewUpload, PART_BYTES, UploadCompletion, UploadOutcome, upload_add, upload_begin,
    upload_cancel, upload_complete, upload_end, upload_remove_repeated,
};

#[derive(Debug, Error)]
pub enum ReconciliationError {
    #[error("no connection to the database: {0}")]
    Pool(#[from] deadpool_postgres::PoolError),
    #[error("the database failed: {}", crate::error::DatabaseCause(.0))]
    Database(#[from] tokio_postgres::Error),
    #[error("the sales could not be read: {0}")]
    Rows(#[from] projections::Error),
    #[error("the sales could not be read from the log: {0}")]
    Log(#[from] ledger_store::log::LogError),
    #[error("a settlement file could not be read: {0}")]
    File(#[from] std::io::Error),
    #[error("another process has taken the import over")]
    TakenOver,
}

type Result<T, E = ReconciliationError> = std::result::Result<T, E>;

/// The inputs of a comparison that depend on the process and the time.
#[derive(Debug, Clone)]
struct Context {
    ids: Ids,
    now: Instant,
}

impl Context {
    fn today(&self) -> Date {
        business_date(self.now)
    }

    /// The ids that a sale with one of these names may have, the likeliest first. The sales of charges and orders with
    /// these names come first. Each name is then read as a sale id and as an external id, and last as a payment's name.
    fn candidates(&self, provider: Provider, names: &[String], charges: &Charges) -> Vec<SaleId> {
        let ids = names.iter().flat_map(|name| {
            let parsed = name.parse::<SaleId>().ok();
            let derived = self.ids.sale(provider, name);
            parsed.into_iter().chain([derived])
        });
        let of_orders = charges.named(provider, names);
        of_orders
            .chain(ids)
            .chain(charges.named_by_payment(provider, names))
            .collect()
    }

    /// An acquirer reports what it paid on a day by the day after. An installment that is not reported by then is
    /// missing.
    fn is_complete(&self, day: Date) -> bool {
        days_after(day, 1) < self.today()
    }
}

fn provider_number(provider: Provider) -> i16 {
    i16::from(provider.number())
}
