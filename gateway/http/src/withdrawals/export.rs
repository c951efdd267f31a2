//! All transfers of a filter for a spreadsheet, read in batches and in the order of the list.

use std::collections::HashSet;

use futures::Stream;
use ledger_domain::TransferId;
use ledger_domain::transfer::TransferStatus;
use projections::ExportPage;
use projections::withdrawals::{Transfer as Row, TransferCursor, TransferFilter, export_page};

use super::bodies::transfer::Transfer;
use super::related_rows::{Viewer, with_related_rows};
use crate::AppState;
use crate::problem::Result;
use crate::spreadsheet::{PAGE_ROWS, pages};

/// The progress of the reading. If the list shows pending transfers first, they are read first. Then all transfers are
/// read, and those that were read before are left out. So a transfer whose status changes in between is not missing and
/// not repeated.
enum Progress {
    Pending {
        after: Option<TransferCursor>,
        read: HashSet<TransferId>,
    },
    All {
        after: Option<TransferCursor>,
        read: HashSet<TransferId>,
    },
}

pub fn all_transfers(
    state: AppState,
    viewer: Viewer,
    filter: TransferFilter,
) -> impl Stream<Item = Result<Vec<Transfer>>> {
    pages(move |progress: Option<Progress>| {
        let (state, filter) = (state.clone(), filter.clone());
        async move {
            let progress = progress.unwrap_or_else(|| Progress::first(&filter));
            let db = state.db().await?;
            let (filter, after) = progress.next_query(filter);
            let batch = export_page(&*db, &filter, after, PAGE_ROWS).await?;
            let (rows, next) = progress.advance(batch);
            let rows = with_related_rows(&state, &db, viewer, rows).await?;
            Ok((rows, next))
        }
    })
}

impl Progress {
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

    fn advance(self, batch: ExportPage<Row, TransferCursor>) -> (Vec<Row>, Option<Self>) {
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
