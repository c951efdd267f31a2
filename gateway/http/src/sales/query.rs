//! The query parameters of lists and totals of sales, in both panels.

use ledger_domain::BusinessId;
use ledger_domain::sale::{CardBrand, PaymentType, Solution, StatusGroup};
use projections::sale::{SaleCursor, SaleFilter};
use projections::{Next, Order};
use utoipa::IntoParams;
use utoipa::openapi::path::Parameter;

use crate::edge::{FromQuery, Paging, QueryReader};
use crate::openapi::params_of;
use crate::shared::params::OrderParam;

/// The filters that every list and total of sales takes.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what `FromQuery` reads")]
struct SaleFilterParams {
    /// The company. Sellers may leave it out if a header or a cookie names it, or if they have only one company. Staff
    /// leave it out to see all companies.
    business_id: Option<String>,
    /// 1 card machine, 2 e-commerce, 3 info product, 4 payment link.
    #[param(minimum = 1, maximum = 4)]
    solution: Option<u8>,
    /// credit, debit, boleto or pix. CREDIT_CARD, BOLETO and PIX are accepted as well.
    #[param(rename = "paymentType", example = "credit")]
    payment_type: Option<String>,
    /// A group of statuses (succeeded, reversed, dispute, canceled) or one status.
    #[param(example = "succeeded")]
    status: Option<String>,
    /// Start of the period, inclusive: a date in the time zone of the list, or an RFC 3339 instant.
    #[param(example = "2026-11-01")]
    start: Option<String>,
    /// End of the period, inclusive, in the formats of `start`.
    #[param(example = "2026-11-21T14:03:11Z")]
    end: Option<String>,
    /// The card brand.
    #[param(example = "visa")]
    brand: Option<String>,
    /// The id of the terminal.
    terminal: Option<String>,
}

#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what `FromQuery` reads")]
struct SaleListParams {
    /// Order by the instant of the capture, else of the creation; the default is desc.
    #[param(inline)]
    order: Option<OrderParam>,
    /// The cursor from `meta.next` of an earlier response. If it is given, `page` is ignored.
    next: Option<String>,
}

#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what `FromQuery` reads")]
struct CardsParam {
    /// Card brands, comma-separated. They are added to `brand`.
    #[param(example = "visa,mastercard")]
    cards: Option<String>,
}

#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what `FromQuery` reads")]
struct ReceivablesParam {
    /// 1 includes the schedule of installments.
    #[param(minimum = 0, maximum = 1)]
    receivables: Option<u8>,
}

/// For endpoints that take a sale's id.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what the guard or `CompanyInQuery` reads")]
struct SaleCompanyParam {
    /// The sale's company. Sellers may leave it out if a header or a cookie names it, or if they have only one company.
    /// A sale of another company is a 404.
    business_id: Option<String>,
}

pub struct SaleListQuery {
    pub filter: SaleFilter,
    pub paging: Paging,
    pub after: Option<Next<SaleCursor>>,
}

impl FromQuery for SaleListQuery {
    fn params() -> Vec<Parameter> {
        [
            params_of::<SaleFilterParams>(),
            params_of::<SaleListParams>(),
            Paging::params(),
        ]
        .concat()
    }

    fn read(query: &mut QueryReader) -> Self {
        let filter = SaleFilter {
            order: query.order(Order::Desc),
            ..read_filter(query)
        };
        Self {
            filter,
            paging: Paging::read(query),
            after: query.cursor(),
        }
    }
}

pub struct TotalsQuery(pub SaleFilter);

impl FromQuery for TotalsQuery {
    fn params() -> Vec<Parameter> {
        [params_of::<SaleFilterParams>(), params_of::<CardsParam>()].concat()
    }

    fn read(query: &mut QueryReader) -> Self {
        let mut filter = read_filter(query);
        let cards = query.read(
            "cards",
            "Deve ser uma lista de bandeiras separadas por vírgula.",
            |text| {
                text.split(',')
                    .map(|brand| CardBrand::parse(brand).ok())
                    .collect::<Option<Vec<_>>>()
            },
        );
        filter.brands.extend(cards.unwrap_or_default());
        Self(filter)
    }
}

/// The company that staff may give together with a sale's id.
pub struct CompanyInQuery(pub Option<BusinessId>);

impl FromQuery for CompanyInQuery {
    fn params() -> Vec<Parameter> {
        params_of::<SaleCompanyParam>()
    }

    fn read(query: &mut QueryReader) -> Self {
        Self(query.parsed("business_id", NO_COMPANY))
    }
}

pub struct WithReceivables(pub bool);

impl FromQuery for WithReceivables {
    fn params() -> Vec<Parameter> {
        params_of::<ReceivablesParam>()
    }

    fn read(query: &mut QueryReader) -> Self {
        Self(query.switch("receivables"))
    }
}

const NO_COMPANY: &str = "Deve ser o id de uma empresa.";

fn read_filter(query: &mut QueryReader) -> SaleFilter {
    let range = query.range();
    let number = |text: &str| {
        text.parse()
            .ok()
            .and_then(|number: u8| Solution::from_number(number).ok())
    };
    let brand = query.read("brand", "Deve ser uma bandeira.", |text| {
        CardBrand::parse(text).ok()
    });
    SaleFilter {
        business_id: query.parsed("business_id", NO_COMPANY),
        solution: query.read("solution", "Deve ser 1, 2, 3 ou 4.", number),
        payment_type: query.read("paymentType", "Deve ser credit, debit, boleto ou pix.", |text| {
            PaymentType::parse(text).ok()
        }),
        statuses: query
            .read("status", "Deve ser um status de venda.", |text| {
                StatusGroup::statuses_named(text).ok()
            })
            .unwrap_or_default(),
        brands: brand.into_iter().collect(),
        terminal_id: query.parsed("terminal", "Deve ser o id de um terminal."),
        range,
        ..SaleFilter::default()
    }
}
