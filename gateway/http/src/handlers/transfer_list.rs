//! Lists of transfers for both panels: the filters, and the data that is added to each row.

use std::collections::BTreeSet;

use axum::response::{IntoResponse, Response};
use deadpool_postgres::Client;
use gateway_identity::audience::Audience;
use gateway_identity::users::user_names;
use gateway_platform::companies::companies_named;
use ledger_domain::BusinessId;
use ledger_domain::ids::UserId;
use ledger_domain::transfer::{TransferKind, TransferStatus};
use ledger_store::Actor;
use projections::balance::available_of;
use projections::transfer::{Transfer as Row, TransferCursor, TransferFilter, list, list_after};
use projections::{Next, Order};
use utoipa::IntoParams;

use crate::AppState;
use crate::edge::{CurrentAdmin, FromQuery, Json, ListQuery, Paging, QueryReader};
use crate::handlers::sale_query::OrderParam;
use crate::handlers::transfer_sheet::all_transfers;
use crate::problem::{Problem, Result};
use crate::spreadsheet::Wanted;
use crate::spreadsheet::tables::{STAFF_TRANSFERS, TRANSFERS};
use crate::wire::author::Authors;
use crate::wire::page::PageMeta;
use crate::wire::transfer::{HandledBy, RelatedRows, Transfer, TransferPage};

#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what `FromQuery` reads")]
pub struct TransferListParams {
    /// The company. Sellers may leave it out if a header or a cookie names it, or if they have only one company. Staff
    /// leave it out to list all companies.
    business_id: Option<String>,
    /// 0 pending, 1 approved, 2 processing, 3 refused, 4 failed.
    #[param(minimum = 0, maximum = 4, example = 0)]
    status: Option<u8>,
    /// Start of the period, inclusive: a date in the time zone of the list, or an RFC 3339 instant.
    #[param(example = "2026-11-01")]
    start: Option<String>,
    /// End of the period, inclusive, in the formats of `start`.
    #[param(example = "2026-11-21T14:03:11Z")]
    end: Option<String>,
    /// IANA name of the time zone of the dates. Default: the user's zone, else the tenant's. Lists return the zone that
    /// was used in `meta.time_zone`.
    #[param(example = "America/Sao_Paulo")]
    time_zone: Option<String>,
    /// Page number, from 1.
    #[param(minimum = 1)]
    page: Option<u32>,
    /// Rows per page; the default is 20.
    #[param(rename = "perPage", minimum = 1, maximum = 100)]
    per_page: Option<u32>,
    /// Order by the instant of the request; the default is desc.
    #[param(inline)]
    order: Option<OrderParam>,
    /// The cursor from `meta.next` of an earlier response. If it is given, `page` is ignored.
    next: Option<String>,
}

#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what `FromQuery` reads")]
pub struct WithdrawListParams {
    /// The company. Staff leave it out to list all companies.
    business_id: Option<String>,
    /// Page number, from 1.
    #[param(minimum = 1)]
    page: Option<u32>,
    /// Rows per page; the default is 20.
    #[param(rename = "perPage", minimum = 1, maximum = 100)]
    per_page: Option<u32>,
    /// Order by the instant of the request; the default is desc.
    #[param(inline)]
    order: Option<OrderParam>,
}

pub struct TransferQuery {
    pub filter: TransferFilter,
    pub paging: Paging,
    pub next: Option<Next<TransferCursor>>,
}

impl FromQuery for TransferQuery {
    fn read(query: &mut QueryReader) -> Self {
        let range = query.range();
        let status = query.read("status", "Deve ser 0, 1, 2, 3 ou 4.", |text| {
            TransferStatus::parse(text).ok()
        });
        let filter = TransferFilter {
            statuses: status.into_iter().collect(),
            range,
            ..WithdrawQuery::read(query).0.filter
        };
        Self {
            filter,
            paging: Paging::read(query),
            next: query.cursor(),
        }
    }
}

/// The filters of the withdrawal queue, a subset of `TransferQuery`'s.
pub struct WithdrawQuery(pub TransferQuery);

impl FromQuery for WithdrawQuery {
    fn read(query: &mut QueryReader) -> Self {
        let filter = TransferFilter {
            business_id: query.parsed("business_id", "Deve ser o id de uma empresa."),
            order: query.order(Order::Desc),
            ..TransferFilter::default()
        };
        Self(TransferQuery {
            filter,
            paging: Paging::read(query),
            next: None,
        })
    }
}

/// The reader of a list of transfers.
#[derive(Debug, Clone, Copy)]
pub struct Reader {
    pub audience: Audience,
    /// Whether each row includes the company's available balance.
    pub sees_balance: bool,
}

impl Reader {
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

/// A page of transfers, or all of them as a spreadsheet.
pub async fn transfer_answer(
    state: AppState,
    reader: Reader,
    ListQuery { query, zone }: ListQuery<TransferQuery>,
    wanted: Wanted,
) -> Result<Response> {
    match wanted {
        Wanted::Json => {
            let mut page = transfer_page(&state, reader, query).await?;
            page.meta = page.meta.in_zone(zone);
            Ok(Json(page).into_response())
        }
        Wanted::Spreadsheet(file) => {
            let table = match reader.audience {
                Audience::Seller => &TRANSFERS,
                Audience::Admin => &STAFF_TRANSFERS,
            };
            file.of(table, all_transfers(state, reader, query.filter)).await
        }
    }
}

async fn transfer_page(state: &AppState, reader: Reader, query: TransferQuery) -> Result<TransferPage> {
    let TransferQuery { filter, paging, next } = query;
    let client = state.pool.get().await?;
    let mut page = match next {
        Some(next) => list_after(&**client, &filter, next, paging.per_page).await?,
        None => list(&**client, &filter, paging.into()).await?,
    };
    let meta = PageMeta::of(&page, paging);
    let rows = std::mem::take(&mut page.rows);
    let data = with_what_is_around(state, &client, reader, rows).await?;
    Ok(TransferPage { data, meta })
}

/// One transfer, for the response of an action.
pub async fn one_transfer(
    state: &AppState,
    client: &Client,
    seen_by: Audience,
    row: Row,
) -> Result<Transfer> {
    let reader = Reader {
        audience: seen_by,
        sees_balance: false,
    };
    let rows = with_what_is_around(state, client, reader, vec![row]).await?;
    rows.into_iter()
        .next()
        .ok_or_else(|| Problem::internal("a transfer is missing in the response"))
}

pub(super) async fn with_what_is_around(
    state: &AppState,
    client: &Client,
    reader: Reader,
    rows: Vec<Row>,
) -> Result<Vec<Transfer>> {
    let companies: BTreeSet<BusinessId> = rows.iter().map(|row| row.business_id).collect();
    let companies: Vec<_> = companies.into_iter().collect();
    let people: BTreeSet<UserId> = rows
        .iter()
        .flat_map(|row| [requested_by(row), updated_by(row)])
        .flatten()
        .collect();
    let people: Vec<_> = people.into_iter().collect();
    let named = companies_named(&***client, &companies).await?;
    let people = user_names(&***client, reader.audience, &people).await?;
    let authors = Authors::new(reader.audience, people.clone());
    let available = if reader.sees_balance {
        available_of(&***client, &companies).await?
    } else {
        Default::default()
    };
    let wire = rows.into_iter().map(|row| {
        let around = RelatedRows {
            company: named.get(&row.business_id).cloned(),
            person: requested_by(&row).and_then(|id| Some((id, people.get(&id)?.clone()))),
            author: authors.of(&asked_by(&row)),
            updated_by: changed_by(&row).and_then(|actor| authors.of(&actor)),
            handling: (reader.audience == Audience::Admin).then(|| HandledBy {
                approvals_needed: state.config.withdrawals.approvals_needed(),
            }),
            // A company that is not in the result has no postings yet.
            available_now: reader
                .sees_balance
                .then(|| available.get(&row.business_id).map_or(0, |cents| cents.get())),
        };
        Transfer::of(row, around)
    });
    Ok(wire.collect())
}

const UNKNOWN: Actor = Actor::Other {
    actor: None,
    audience: None,
};

/// Only users of the company request withdrawals. Staff and jobs make the other transfers.
fn asked_by(row: &Row) -> Actor {
    match (requested_by(row), row.kind) {
        (Some(person), TransferKind::Withdrawal) => Actor::Seller(person),
        (Some(person), TransferKind::Adjustment | TransferKind::TerminalRental) => Actor::Admin(person),
        (None, _) => row.requested_by.clone().map_or(UNKNOWN, Actor::from_stored_name),
    }
}

/// Sellers only request transfers, so a user who changed one is staff.
fn changed_by(row: &Row) -> Option<Actor> {
    let actor = row.updated_by.clone()?;
    Some(match updated_by(row) {
        Some(person) => Actor::Admin(person),
        None => Actor::from_stored_name(actor),
    })
}

fn updated_by(row: &Row) -> Option<UserId> {
    row.updated_by.as_deref()?.parse().ok()
}

/// `None` for the job and the demo, which are no users.
fn requested_by(row: &Row) -> Option<UserId> {
    row.requested_by.as_deref()?.parse().ok()
}
