//! The fold of the holds' histories: a row for each change.

use std::collections::BTreeMap;

use deadpool_postgres::Transaction;
use ledger_domain::{BusinessId, HoldId};
use ledger_rows::{FromRow, fetch, insert, params};
use tokio_postgres::GenericClient;

use super::{HoldRecords, HoldStep};
use crate::Error;
use crate::decoded_event::DecodedEvent;
use crate::error::Poison;
use crate::read_model::{ReadModel, RowsOf};

#[derive(Debug, Default, PartialEq)]
pub(crate) struct HoldSteps {
    rows: BTreeMap<StepKey, HoldStep>,
}

type StepKey = (BusinessId, i64, HoldId);

impl ReadModel for HoldSteps {
    const TABLE: &'static str = "hold_step";
    type FirstOfGroup = HoldRecords;
    type Key = StepKey;
    type Row = HoldStep;

    fn fold(&mut self, recorded: &DecodedEvent, holds: &HoldRecords) -> Result<(), Poison> {
        for change in holds.last_changes() {
            let step = HoldStep {
                business_id: recorded.business_id,
                hold_id: change.hold_id,
                sequence: recorded.sequence,
                kind: change.kind,
                occurred_at: recorded.occurred_at,
                amount: change.amount,
                text: change.text.clone(),
                actor: recorded.actor.clone(),
            };
            self.rows.insert(key(&step), step);
        }
        Ok(())
    }

    async fn write(&self, tx: &Transaction<'_>) -> Result<(), tokio_postgres::Error> {
        for step in self.rows.values() {
            insert(&**tx, step).await?;
        }
        Ok(())
    }

    fn into_rows(self) -> RowsOf<Self> {
        self.rows
    }

    async fn stored(client: &impl GenericClient, business: BusinessId) -> Result<RowsOf<Self>, Error> {
        let sql = format!(
            "SELECT {} FROM hold_step WHERE business_id = $1",
            HoldStep::COLUMNS
        );
        let steps: Vec<HoldStep> = fetch(client, &sql, params![business]).await?;
        Ok(steps.into_iter().map(|step| (key(&step), step)).collect())
    }

    fn row_name((_, sequence, hold): &StepKey) -> String {
        format!("{hold} at {sequence}")
    }
}

fn key(step: &HoldStep) -> StepKey {
    (step.business_id, step.sequence, step.hold_id)
}
