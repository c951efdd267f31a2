//! Compares the states of sales and transfers that the append stores with the states that follow from the events.
//!
//! `sale_state` and `transfer_state` have the same columns and are compared by the same code.

use std::collections::BTreeMap;
use std::fmt;

use ledger_domain::business::{Business, BusinessEvent, Sale, Transfer};
use ledger_domain::calendar::Instant;
use ledger_domain::{BusinessId, SaleId, TransferId};
use ledger_store::log::{self, StateRow, StateTable};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio_postgres::GenericClient;
use uuid::Uuid;

use super::folded::{EventSummary, FoldedBusiness};
use crate::Error;
use crate::read_model::finding::{Columns, Reporter, Subject};

/// The kind of object whose state is stored.
pub(super) trait StoredState: Clone + PartialEq + Serialize + DeserializeOwned {
    type Id: Copy + Ord + fmt::Display;
    const SUBJECT: Subject;
    const STATES: StateTable;
    /// The table of the read model that lists these objects, and its key.
    const TABLE: &'static str;
    const KEY: &'static str;

    fn id(uuid: Uuid) -> Self::Id;
    fn uuid(id: Self::Id) -> Uuid;
    fn status(&self) -> &'static str;
    fn named_by(event: &BusinessEvent) -> Vec<Self::Id>;
    fn folded(business: &Business) -> &BTreeMap<Self::Id, Self>;
}

impl StoredState for Sale {
    type Id = SaleId;
    const SUBJECT: Subject = Subject::SaleState;
    const STATES: StateTable = StateTable::Sale;
    const TABLE: &'static str = "sale";
    const KEY: &'static str = "sale_id";

    fn id(uuid: Uuid) -> SaleId {
        SaleId::from_uuid(uuid)
    }

    fn uuid(id: SaleId) -> Uuid {
        id.uuid()
    }

    fn status(&self) -> &'static str {
        self.status.as_str()
    }

    fn named_by(event: &BusinessEvent) -> Vec<SaleId> {
        event.sale_ids()
    }

    fn folded(business: &Business) -> &BTreeMap<SaleId, Self> {
        &business.sales
    }
}

impl StoredState for Transfer {
    type Id = TransferId;
    const SUBJECT: Subject = Subject::TransferState;
    const STATES: StateTable = StateTable::Transfer;
    const TABLE: &'static str = "transfer";
    const KEY: &'static str = "transfer_id";

    fn id(uuid: Uuid) -> TransferId {
        TransferId::from_uuid(uuid)
    }

    fn uuid(id: TransferId) -> Uuid {
        id.uuid()
    }

    fn status(&self) -> &'static str {
        self.status.slug()
    }

    fn named_by(event: &BusinessEvent) -> Vec<TransferId> {
        event.transfer_ids()
    }

    fn folded(business: &Business) -> &BTreeMap<TransferId, Self> {
        &business.transfers
    }
}

/// A row of `sale_state` or `transfer_state`. The column `status` repeats part of the state, and is compared as well.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct State<Of> {
    business_id: BusinessId,
    status: String,
    created_at: Instant,
    sequence: i64,
    /// `None` if the text is not a state.
    state: Option<Of>,
}

const STATES_PER_PAGE: usize = 1_000;

/// The states of all objects that the business's events name. They are found by the objects' ids, so that a row with a
/// wrong business is found too.
pub(super) async fn read<Of: StoredState>(
    client: &impl GenericClient,
    business: &Business,
) -> Result<BTreeMap<Of::Id, State<Of>>, Error> {
    let ids: Vec<Uuid> = Of::folded(business).keys().copied().map(Of::uuid).collect();
    let mut states = BTreeMap::new();
    for page in ids.chunks(STATES_PER_PAGE) {
        let rows = log::state_rows(client, Of::STATES, page).await?;
        states.extend(rows.into_iter().map(|row| (Of::id(row.id), State::of(row))));
    }
    Ok(states)
}

impl<Of: StoredState> State<Of> {
    fn of(row: StateRow) -> Self {
        Self {
            business_id: row.business_id,
            status: row.status,
            created_at: row.created_at,
            sequence: row.sequence,
            state: serde_json::from_str(&row.state).ok(),
        }
    }
}

pub(super) fn compare<Of: StoredState>(
    folded: &FoldedBusiness,
    summaries: &BTreeMap<Of::Id, EventSummary>,
    business_id: BusinessId,
    found: &BTreeMap<Of::Id, State<Of>>,
    reporter: &mut Reporter<'_>,
) {
    if folded.unreadable {
        return;
    }
    let expected = Of::folded(&folded.business).iter().filter_map(|(id, state)| {
        let summary = summaries.get(id)?;
        // A sale with one event has no row in `sale_state`: the event claims it.
        if summary.is_claimed && summary.events == 1 {
            return None;
        }
        let state = State {
            business_id,
            status: state.status().to_owned(),
            created_at: summary.first_at,
            sequence: summary.last_sequence,
            state: Some(state.clone()),
        };
        Some((*id, state))
    });
    reporter.rows(Of::SUBJECT, &expected.collect(), found, ToString::to_string);
}

impl<Of: StoredState> Columns for State<Of> {
    fn columns(&self) -> Vec<(&'static str, String)> {
        let written = |state: &Of| serde_json::to_string(state).unwrap_or_else(|error| error.to_string());
        let state = self
            .state
            .as_ref()
            .map_or_else(|| "unreadable".to_owned(), written);
        vec![
            ("business_id", self.business_id.to_string()),
            ("status", self.status.clone()),
            ("created_at", self.created_at.to_string()),
            ("sequence", self.sequence.to_string()),
            ("state", state),
        ]
    }
}
