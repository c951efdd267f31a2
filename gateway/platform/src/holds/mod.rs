//! Lists of held money, one hold, and its history, from the read model; and the documents that sellers send for a hold.

pub mod documents;

use ledger_domain::calendar::Date;
use ledger_domain::hold::HoldKind;
use ledger_domain::{BusinessId, Cents, HoldId};
use ledger_rows::{FromRow, fetch, fetch_one, fetch_opt, params, row};
use projections::holds::{Hold, HoldStep};
use projections::{CountLimit, Cut, SortOrder, list_of_each_shard};
use tokio_postgres::{Error, GenericClient};

use crate::list::{Conditions, List, Order};

ledger_domain::words! {
    /// open: something is held, or a court may still take a credit. ended: released or paid whole.
    pub enum HoldState {
        Open = "open" => "Em aberto",
        Ended = "ended" => "Encerrada",
    }
}

/// A filter of holds. A field that is `None` does not restrict.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct HoldFilter {
    pub business_id: Option<BusinessId>,
    pub kind: Option<HoldKind>,
    pub state: Option<HoldState>,
    /// Only the open ones that staff want to look at again on this date or before.
    pub due_by: Option<Date>,
    /// Only those of this court case: the digits of its number.
    pub case_digits: Option<String>,
    pub order: SortOrder,
}

impl List for HoldFilter {
    type Row = Hold;
    const TABLE: &'static str = "hold";
    const COUNTED_IN_ORDER: bool = true;

    fn conditions<'a>(&'a self, list: &mut Conditions<'a>) {
        list.equals("business_id", &self.business_id);
        list.equals("kind", &self.kind);
        match self.state {
            Some(HoldState::Open) => list.and("ended_at IS NULL"),
            Some(HoldState::Ended) => list.and("ended_at IS NOT NULL"),
            None => {}
        }
        if self.due_by.is_some() {
            list.and("ended_at IS NULL");
        }
        if self.case_digits.is_some() {
            // Written out, so that the planner finds the index of the cases.
            list.and("case_number IS NOT NULL");
        }
        list.equals("regexp_replace(case_number, '\\D', '', 'g')", &self.case_digits);
        list.days("review_on", &None, &self.due_by);
    }

    fn order(&self) -> Order {
        Order::by(&["placed_at", "business_id", "hold_id"], self.order)
    }
}

row! {
    /// The holds of `HoldFilter::due_by`.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct HoldsDue {
        pub count: i64 = "count(*)",
        pub amount: Cents = "coalesce(sum(amount), 0)::bigint",
        pub first_day: Option<Date> = "min(review_on)",
    }
}

/// The first ones by date, as far as a list is counted.
pub async fn holds_due(client: &impl GenericClient, day: Date) -> Result<HoldsDue, Error> {
    let due = list_of_each_shard("review_on", Cut::first("$2"), |limit| {
        format!(
            "SELECT amount, review_on FROM hold WHERE ended_at IS NULL AND review_on <= $1 ORDER BY review_on {limit}"
        )
    });
    let sql = format!("SELECT {} FROM ({due}) AS due", HoldsDue::COLUMNS);
    fetch_one(client, &sql, params![day, CountLimit::LIST.last_row()]).await
}

pub async fn hold_fetch(
    client: &impl GenericClient,
    business: BusinessId,
    hold: HoldId,
) -> Result<Option<Hold>, Error> {
    let sql = format!(
        "SELECT {} FROM hold WHERE business_id = $1 AND hold_id = $2",
        Hold::COLUMNS
    );
    fetch_opt(client, &sql, params![business, hold]).await
}

/// What happened to the hold, in the order of recording. A hold on sales has a step for each settlement, so only the
/// last ones are read.
pub async fn hold_steps(
    client: &impl GenericClient,
    business: BusinessId,
    hold: HoldId,
    limit: i64,
) -> Result<Vec<HoldStep>, Error> {
    let sql = format!(
        "SELECT {0} FROM (SELECT * FROM hold_step WHERE business_id = $1 AND hold_id = $2
                           ORDER BY sequence DESC LIMIT $3) AS latest
          ORDER BY sequence",
        HoldStep::COLUMNS
    );
    fetch(client, &sql, params![business, hold, limit]).await
}
