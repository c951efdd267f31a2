//! Adds data of other tables to transfers: the company, the names of users, the available balance.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use chrono::{DateTime, Utc};
use gateway_identity::audience::Audience;
use gateway_identity::users::given_access::{WithdrawalBy, new_access_marks, new_credentials};
use gateway_identity::users::{seller_users, user_names};
use gateway_platform::companies::companies_by_id;
use gateway_platform::withdrawals::{
    TransferSignal, author_of_change, author_of_request, changed_by, changed_destinations, expected_days,
    history_signals, requested_by, waits,
};
use ledger_domain::ids::UserId;
use ledger_domain::transfer::TransferKind;
use ledger_domain::{BusinessId, Cents, TransferId};
use projections::balance::available_of;
use projections::withdrawals::Transfer as Row;
use tokio_postgres::GenericClient;

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
        .flat_map(|row| [requested_by(row), changed_by(row)])
        .flatten()
        .collect();
    let users: Vec<_> = users.into_iter().collect();
    let named = companies_by_id(&**db, &companies).await?;
    let users = user_names(&**db, viewer.audience, &users).await?;
    let authors = Authors::new(viewer.audience, users.clone());
    let changed_by: Vec<UserId> = rows.iter().filter_map(changed_by).collect();
    let of_companies = seller_users(&**db, &changed_by).await?;
    let expected = expected_days(&**db, &rows).await?;
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
        Audience::Admin => changed_destinations(&**db, &rows).await?,
        Audience::Seller => Default::default(),
    };
    let new_accesses = match &settings {
        Some(settings) => new_accesses(&**db, &rows, settings.marked_destination_days).await?,
        None => Default::default(),
    };
    let mut signals = match &settings {
        Some(settings) => signals(&**db, &rows, settings.marked_destination_days, &available).await?,
        None => Default::default(),
    };
    let transfers = rows.into_iter().map(|row| {
        let related = RelatedRows {
            company: named.get(&row.business_id).cloned(),
            user: requested_by(&row).and_then(|id| Some((id, users.get(&id)?.clone()))),
            author: authors.of(&author_of_request(&row)),
            updated_by: author_of_change(&row, |user| of_companies.contains(&user))
                .and_then(|actor| authors.of(&actor)),
            approvals_needed: settings.map(|settings| settings.approvals(row.amount).users()),
            destination_changed_at: changed.get(&row.transfer_id).copied(),
            requester_access_at: new_accesses.get(&row.transfer_id).copied(),
            expected_on: expected.get(&row.transfer_id).copied(),
            signals: signals.remove(&row.transfer_id).unwrap_or_default(),
            // A company that is not in the result has no postings yet.
            available_now: viewer
                .sees_balance
                .then(|| available.get(&row.business_id).map_or(0, |cents| cents.get())),
        };
        Transfer::of(row, related)
    });
    Ok(transfers.collect())
}

/// The signals of the withdrawals that wait, in the order of `TransferSignal`.
async fn signals(
    client: &impl GenericClient,
    rows: &[Row],
    days: u16,
    available: &BTreeMap<BusinessId, Cents>,
) -> Result<HashMap<TransferId, Vec<TransferSignal>>> {
    let mut signals = history_signals(client, rows).await?;
    let (transfers, requests) = requests_by_users(rows.iter().filter(|row| waits(row)));
    let credentials = new_credentials(client, &requests, days).await?;
    for (transfer, new) in transfers.into_iter().zip(credentials) {
        let of_transfer = signals.entry(transfer).or_default();
        of_transfer.extend(new.password.then_some(TransferSignal::NewPassword));
        of_transfer.extend(new.email.then_some(TransferSignal::NewEmail));
    }
    for row in rows.iter().filter(|row| waits(row)) {
        let owes = available
            .get(&row.business_id)
            .is_some_and(|cents| cents.is_negative());
        let of_transfer = signals.entry(row.transfer_id).or_default();
        of_transfer.extend(owes.then_some(TransferSignal::Debt));
        of_transfer.sort_unstable();
    }
    Ok(signals)
}

/// Those of the withdrawals that a user of the company requested, each with who and when.
fn requests_by_users<'a>(rows: impl Iterator<Item = &'a Row>) -> (Vec<TransferId>, Vec<WithdrawalBy>) {
    let request = |row: &Row| {
        let request = WithdrawalBy {
            user: requested_by(row)?,
            company: row.business_id,
            at: row.requested_at,
        };
        Some((row.transfer_id, request))
    };
    rows.filter_map(request).unzip()
}

/// When the access of the user who requested it was given, for withdrawals that were requested soon after.
async fn new_accesses(
    client: &impl GenericClient,
    rows: &[Row],
    days: u16,
) -> Result<HashMap<TransferId, DateTime<Utc>>> {
    let withdrawals = rows.iter().filter(|row| row.kind == TransferKind::Withdrawal);
    let (transfers, requests) = requests_by_users(withdrawals);
    let given = new_access_marks(client, &requests, days).await?;
    let marked = transfers.into_iter().zip(given);
    Ok(marked
        .filter_map(|(transfer, at)| Some((transfer, at?)))
        .collect())
}
