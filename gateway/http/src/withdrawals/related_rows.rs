//! Adds data of other tables to transfers: the company, the names of users, the available balance.

use std::collections::{BTreeSet, HashMap};

use chrono::{DateTime, Utc};
use gateway_identity::audience::Audience;
use gateway_identity::users::user_names;
use gateway_platform::companies::{companies_by_id, destination_marks};
use ledger_domain::ids::UserId;
use ledger_domain::transfer::{Destination, TransferKind};
use ledger_domain::{BusinessId, TransferId};
use ledger_store::Actor;
use projections::balance::available_of;
use projections::withdrawals::Transfer as Row;

use super::bodies::transfer::{RelatedRows, Transfer};
use crate::AppState;
use crate::edge::{CurrentAdmin, Db};
use crate::problem::{Problem, Result};
use crate::shared::author::Authors;

/// The viewer of a list of transfers.
#[derive(Debug, Clone, Copy)]
pub struct Viewer {
    pub audience: Audience,
    /// Whether each row includes the company's available balance.
    pub sees_balance: bool,
}

impl Viewer {
    /// A seller's list has no balances; sellers read the balance by another endpoint.
    pub const SELLER: Self = Self {
        audience: Audience::Seller,
        sees_balance: false,
    };

    pub fn staff(staff: &CurrentAdmin) -> Self {
        Self {
            audience: Audience::Admin,
            sees_balance: staff.sees_balance(),
        }
    }
}

/// One transfer, for the response to a request or an action.
pub(crate) async fn one_transfer(
    state: &AppState,
    db: &Db,
    audience: Audience,
    row: Row,
) -> Result<Transfer> {
    let viewer = Viewer {
        audience,
        sees_balance: false,
    };
    let rows = with_related_rows(state, db, viewer, vec![row]).await?;
    rows.into_iter()
        .next()
        .ok_or_else(|| Problem::internal("a transfer is missing in the response"))
}

pub(crate) async fn with_related_rows(
    state: &AppState,
    db: &Db,
    viewer: Viewer,
    rows: Vec<Row>,
) -> Result<Vec<Transfer>> {
    let companies: BTreeSet<BusinessId> = rows.iter().map(|row| row.business_id).collect();
    let companies: Vec<_> = companies.into_iter().collect();
    let users: BTreeSet<UserId> = rows
        .iter()
        .flat_map(|row| [requested_by(row), updated_by(row)])
        .flatten()
        .collect();
    let users: Vec<_> = users.into_iter().collect();
    let named = companies_by_id(&**db, &companies).await?;
    let users = user_names(&**db, viewer.audience, &users).await?;
    let authors = Authors::new(viewer.audience, users.clone());
    let available = if viewer.sees_balance {
        available_of(&**db, &companies).await?
    } else {
        Default::default()
    };
    let settings = match viewer.audience {
        Audience::Admin => Some(state.settings_at(&**db, state.clock.now()).await?),
        Audience::Seller => None,
    };
    let changed = match viewer.audience {
        Audience::Admin => changed_destinations(db, &rows).await?,
        Audience::Seller => Default::default(),
    };
    let transfers = rows.into_iter().map(|row| {
        let related = RelatedRows {
            company: named.get(&row.business_id).cloned(),
            user: requested_by(&row).and_then(|id| Some((id, users.get(&id)?.clone()))),
            author: authors.of(&author_of_request(&row)),
            updated_by: author_of_change(&row).and_then(|actor| authors.of(&actor)),
            approvals_needed: settings.map(|settings| settings.approvals(row.amount).users()),
            destination_changed_at: changed.get(&row.transfer_id).copied(),
            // A company that is not in the result has no postings yet.
            available_now: viewer
                .sees_balance
                .then(|| available.get(&row.business_id).map_or(0, |cents| cents.get())),
        };
        Transfer::of(row, related)
    });
    Ok(transfers.collect())
}

/// When the bank account was changed, for withdrawals that the change marks (setting `marked_destination_days`).
async fn changed_destinations(db: &Db, rows: &[Row]) -> Result<HashMap<TransferId, DateTime<Utc>>> {
    let to_account = |row: &&Row| matches!(row.destination, Some(Destination::BankAccount(_)));
    let rows: Vec<&Row> = rows.iter().filter(to_account).collect();
    let requests: Vec<_> = rows
        .iter()
        .map(|row| (row.business_id, row.requested_at))
        .collect();
    let changed = destination_marks(&**db, &requests).await?;
    let of_transfer = |(row, at): (&Row, Option<DateTime<Utc>>)| Some((row.transfer_id, at?));
    Ok(rows.into_iter().zip(changed).filter_map(of_transfer).collect())
}

const UNKNOWN: Actor = Actor::Other {
    actor: None,
    audience: None,
};

/// Only users of the company request withdrawals. Staff and jobs make the other transfers.
fn author_of_request(row: &Row) -> Actor {
    match (requested_by(row), row.kind) {
        (Some(user), TransferKind::Withdrawal) => Actor::Seller(user),
        (Some(user), TransferKind::Adjustment | TransferKind::TerminalRental) => Actor::Admin(user),
        (None, _) => row.requested_by.clone().map_or(UNKNOWN, Actor::from_stored_name),
    }
}

/// Sellers only request transfers, so a user who changed one is staff.
fn author_of_change(row: &Row) -> Option<Actor> {
    let actor = row.updated_by.clone()?;
    Some(match updated_by(row) {
        Some(user) => Actor::Admin(user),
        None => Actor::from_stored_name(actor),
    })
}

fn updated_by(row: &Row) -> Option<UserId> {
    row.updated_by.as_deref()?.parse().ok()
}

/// `None` if a job or the demo made the transfer.
fn requested_by(row: &Row) -> Option<UserId> {
    row.requested_by.as_deref()?.parse().ok()
}
