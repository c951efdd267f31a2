//! What lists and totals of sales take from the query, whoever asks.

use ledger_domain::BusinessId;
use ledger_domain::sale::{CardBrand, PaymentType, Solution, StatusGroup};
use projections::sale::{SaleCursor, SaleFilter};
use projections::{Next, Order};
use utoipa::IntoParams;

use crate::edge::{FromQuery, Paging, QueryReader};

/// The filters of sales, as every list and total of them takes them.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what `FromQuery` reads")]
pub struct SaleFilterParams {
    /// The company; a seller who has several names it here or otherwise, and staff see all where they name none.
    business_id: Option<String>,
    /// 1 card machine, 2 e-commerce, 3 info product, 4 payment link.
    #[param(minimum = 1, maximum = 4)]
    solution: Option<u8>,
    /// credit, debit, boleto or pix; CREDIT_CARD, BOLETO and PIX are read as well.
    #[param(rename = "paymentType", example = "credit")]
    payment_type: Option<String>,
    /// A group (succeeded, reversed, dispute, canceled) or a detailed status.
    #[param(example = "succeeded")]
    status: Option<String>,
    /// A day of the list's zone, or an instant (RFC 3339); included.
    #[param(example = "2026-11-01")]
    start: Option<String>,
    /// As `start`; included.
    #[param(example = "2026-11-21T14:03:11Z")]
    end: Option<String>,
    /// Of the days, by its IANA name; else the person's, else the tenant's. The answer says which one.
    #[param(example = "America/Sao_Paulo")]
    time_zone: Option<String>,
    #[param(example = "visa")]
    brand: Option<String>,
    /// A terminal's id.
    terminal: Option<String>,
}

#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what `FromQuery` reads")]
pub struct SaleListParams {
    #[param(minimum = 1, example = 1)]
    page: Option<u32>,
    #[param(rename = "perPage", minimum = 1, maximum = 100, example = 20)]
    per_page: Option<u32>,
    /// asc or desc (the default), by the instant of the capture, else of the creation.
    #[param(inline)]
    order: Option<OrderParam>,
    /// The cursor of an earlier answer's `meta.next`; `page` does not count then.
    next: Option<String>,
}

/// How a list is sorted.
#[derive(utoipa::ToSchema)]
#[schema(rename_all = "lowercase")]
pub enum OrderParam {
    Asc,
    Desc,
}

#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what `FromQuery` reads")]
pub struct CardsParam {
    /// Several brands, comma separated.
    #[param(example = "visa,mastercard")]
    cards: Option<String>,
}

#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what `FromQuery` reads")]
pub struct ReceivablesParam {
    /// 1 for the schedule as well.
    #[param(minimum = 0, maximum = 1)]
    receivables: Option<u8>,
}

/// Of a sale that is named by its own id.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what the guard or `CompanyNamed` reads")]
pub struct SaleCompanyParam {
    /// The sale's company: a seller who has several names it here or otherwise; another one's sale is not found.
    business_id: Option<String>,
}

pub struct SaleListQuery {
    pub filter: SaleFilter,
    pub paging: Paging,
    pub after: Option<Next<SaleCursor>>,
}

impl FromQuery for SaleListQuery {
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

/// The company that staff name beside a sale's id.
pub struct CompanyNamed(pub Option<BusinessId>);

impl FromQuery for CompanyNamed {
    fn read(query: &mut QueryReader) -> Self {
        Self(query.parsed("business_id", NO_COMPANY))
    }
}

pub struct WithReceivables(pub bool);

impl FromQuery for WithReceivables {
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
