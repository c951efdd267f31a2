//! All transfers of a filter, read in batches and in the order of the list.

use std::collections::HashSet;

use ledger_domain::TransferId;
use ledger_domain::transfer::TransferStatus;
use projections::withdrawals::{Transfer, TransferCursor, TransferFilter, export_page};
use projections::{Error, ExportPage};
use tokio_postgres::GenericClient;

/// The progress of the reading. If the list shows pending transfers first, they are read first. Then all transfers are
/// read, and those that were read before are left out. So a transfer whose status changes in between is not missing and
/// not repeated.
pub enum ExportProgress {
    Pending {
        after: Option<TransferCursor>,
        read: HashSet<TransferId>,
    },
    All {
        after: Option<TransferCursor>,
        read: HashSet<TransferId>,
    },
}

/// The next batch, and the progress after it. `None` before the first batch, and after the last.
pub async fn transfer_batch(
    client: &impl GenericClient,
    filter: TransferFilter,
    progress: Option<ExportProgress>,
    rows_max: u32,
) -> Result<(Vec<Transfer>, Option<ExportProgress>), Error> {
    let progress = progress.unwrap_or_else(|| ExportProgress::first(&filter));
    let (filter, after) = progress.next_query(filter);
    let batch = export_page(client, &filter, after, rows_max).await?;
    Ok(progress.advance(batch))
}

impl ExportProgress {
    fn first(filter: &TransferFilter) -> Self {
        let (after, read) = (None, HashSet::new());
        if filter.pending_first && filter.statuses.is_empty() {
            Self::Pending { after, read }
        } else {
            Self::All { after, read }
        }
    }

    fn next_query(&self, filter: TransferFilter) -> (TransferFilter, Option<TransferCursor>) {
        match self {
            Self::Pending { after, .. } => {
                let statuses = vec![TransferStatus::Pending];
                (TransferFilter { statuses, ..filter }, *after)
            }
            Self::All { after, .. } => (filter, *after),
        }
    }

    fn advance(self, batch: ExportPage<Transfer, TransferCursor>) -> (Vec<Transfer>, Option<Self>) {
        let ExportPage { mut rows, next } = batch;
        match self {
            Self::Pending { mut read, .. } => {
                read.extend(rows.iter().map(|row| row.transfer_id));
                let progress = match next {
                    Some(_) => Self::Pending { after: next, read },
                    None => Self::All { after: None, read },
                };
                (rows, Some(progress))
            }
            Self::All { read, .. } => {
                rows.retain(|row| !read.contains(&row.transfer_id));
                let progress = next.map(|after| Self::All {
                    after: Some(after),
                    read,
                });
                (rows, progress)
            }
        }
    }
}
