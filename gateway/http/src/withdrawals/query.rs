//! The query parameters of the lists of transfers, in both panels.

use ledger_domain::transfer::TransferStatus;
use projections::transfer::{TransferCursor, TransferFilter};
use projections::{Next, Order};
use utoipa::IntoParams;
use utoipa::openapi::path::Parameter;

use crate::edge::{FromQuery, Paging, QueryReader};
use crate::openapi::params_of;
use crate::shared::params::OrderParam;

#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what `FromQuery` reads")]
struct TransferListParams {
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
    /// Order by the instant of the request; the default is desc.
    #[param(inline)]
    order: Option<OrderParam>,
    /// The cursor from `meta.next` of an earlier response. If it is given, `page` is ignored.
    next: Option<String>,
}

#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what `FromQuery` reads")]
struct WithdrawListParams {
    /// The company. Staff leave it out to list all companies.
    business_id: Option<String>,
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
    fn params() -> Vec<Parameter> {
        [params_of::<TransferListParams>(), Paging::params()].concat()
    }

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
    fn params() -> Vec<Parameter> {
        [params_of::<WithdrawListParams>(), Paging::params()].concat()
    }

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
