//! The query parameters of lists and totals of sales, in both panels.

use ledger_domain::sale::{CardBrand, PaymentType, SaleStatus, Solution, StatusGroup};
use ledger_domain::{BusinessId, TerminalId};
use projections::sales::{DateBasis, SaleCursor, SaleFilter};
use projections::{Next, SortOrder, TimeRange};
use utoipa::openapi::{RefOr, Schema};

use crate::edge::query::{id_pattern, text};
use crate::edge::{Paging, QueryValue, query};
use crate::plans::simulation::Installments;
use crate::shared::whole_name::WholeName;

query! {
    // The filters that every list and total of sales takes.
    impl FromQuery for SaleFilter {
        /// The company. Sellers may leave it out if a header or a cookie names it, or if they have only one company.
        /// Staff leave it out to see all companies.
        business_id: Option<BusinessId>,
        /// 1 card machine, 2 e-commerce, 3 info product, 4 payment link.
        #[example = 1]
        solution: Option<Solution>,
        /// credit, debit, boleto or pix. CREDIT_CARD, BOLETO and PIX are accepted as well.
        #[name = "paymentType"]
        #[example = "credit"]
        payment_type: Option<PaymentType>,
        /// A group of statuses (succeeded, reversed, dispute, canceled) or one status.
        #[example = "succeeded"]
        status: Option<Statuses>,
        range: ..TimeRange,
        /// The card brand.
        #[example = "visa"]
        brand: Option<CardBrand>,
        /// The id of the terminal, or `any` for the sales of all terminals. A sale of a card machine that was reported
        /// without its terminal is not among them.
        terminal: Option<Terminals>,
        /// The code of a payment link.
        #[example = "2F6F4F5A1B0B"]
        payment_link: Option<LinkCode>,
        /// Number of installments, 1 to 21.
        installments: Option<Installments>,
        /// A name of the payment or of a refund of it: PIX end-to-end id, txid, NSU, TID, authorization code, nosso
        /// número, or the acquirer's id. The whole name; upper and lower case are the same.
        #[example = "E60746948202611231403A1b2C3d4E5f"]
        name: Option<WholeName>,
        /// The event whose time lists and orders the sales; `start` and `end` restrict that time. The figures of
        /// reports count the same way. captured: the captures of sales. reversed: cancels, refunds, reversals, disputes
        /// and chargebacks; `status` is then canceled, refunded, reversed, returned (refunded and reversed), dispute,
        /// charged_back, or succeeded (disputes won). settled: the settlements of installments. Reports count by
        /// business dates, so use it with `time_zone=America/Sao_Paulo`. If it is left out, all sales are listed by
        /// their capture, else by their creation.
        #[example = "captured"]
        by: Option<CountedBy>,
    } => Self {
        business_id,
        solution,
        payment_type,
        statuses: status.map_or_else(Vec::new, |named| named.statuses(by)),
        installments: installments.map(|Installments(number)| number),
        name: name.map(|WholeName(name)| name),
        date_basis: by.map_or(DateBasis::Occurred, CountedBy::basis),
        brands: brand.into_iter().collect(),
        only_terminals: terminal == Some(Terminals::Any),
        terminal_id: match terminal {
            Some(Terminals::One(terminal)) => Some(terminal),
            Some(Terminals::Any) | None => None,
        },
        payment_link: payment_link.map(|LinkCode(code)| code),
        range,
        ..Self::default()
    }
}

pub struct SaleListQuery {
    pub filter: SaleFilter,
    pub paging: Paging,
    pub after: Option<Next<SaleCursor>>,
}

query! {
    impl FromQuery for SaleListQuery {
        filter: ..SaleFilter,
        /// The order of the times of the event that `by` selects. Without `by`: of the capture, or of the creation if
        /// the sale has no capture. The default is desc.
        order: SortOrder = SortOrder::Desc,
        /// The cursor from `meta.next` of an earlier response. If it is given, `page` is ignored.
        next: Option<Next<SaleCursor>>,
        paging: ..Paging,
    } => Self {
        filter: SaleFilter { order, ..filter },
        paging,
        after: next,
    }
}

pub struct TotalsQuery(pub SaleFilter);

query! {
    impl FromQuery for TotalsQuery {
        filter: ..SaleFilter,
        /// Card brands, comma-separated. They are added to `brand`.
        #[example = "visa,mastercard"]
        cards: Option<Vec<CardBrand>>,
    } => {
        let SaleFilter { mut brands, .. } = filter;
        brands.extend(cards.unwrap_or_default());
        Self(SaleFilter { brands, ..filter })
    }
}

/// The company that staff may give together with a sale's id.
pub struct CompanyInQuery(pub Option<BusinessId>);

query! {
    impl FromQuery for CompanyInQuery {
        /// The sale's company; may be left out. A sale of another company is a 404.
        business_id: Option<BusinessId>,
    } => Self(business_id)
}

pub struct WithReceivables(pub bool);

query! {
    impl FromQuery for WithReceivables {
        /// 1 includes the schedule of installments.
        receivables: bool = false,
    } => Self(receivables)
}

ledger_domain::words! {
    /// The event by which the figures of reports count sales.
    pub enum CountedBy {
        Captured = "captured",
        Reversed = "reversed",
        Settled = "settled",
    }
}

impl CountedBy {
    const fn basis(self) -> DateBasis {
        match self {
            Self::Captured => DateBasis::Captured,
            Self::Reversed => DateBasis::Reversed,
            Self::Settled => DateBasis::Settled,
        }
    }
}

/// The statuses of a group, or one status.
struct Statuses {
    named: Vec<SaleStatus>,
    /// The status of the same name. A group and a status may share a name.
    exact: Option<SaleStatus>,
}

impl Statuses {
    /// A word that names both a group and a status means the group. In lists of reversals it means the status,
    /// because a row is one event, which led to one status.
    fn statuses(self, by: Option<CountedBy>) -> Vec<SaleStatus> {
        match (by, self.exact) {
            (Some(CountedBy::Reversed), Some(exact)) => vec![exact],
            _ => self.named,
        }
    }
}

impl QueryValue for Statuses {
    const INVALID: &'static str = "Deve ser um status de venda.";

    fn schema() -> RefOr<Schema> {
        text().into()
    }

    fn parse(text: &str) -> Option<Self> {
        // Reports have one figure for refunded and reversed sales together.
        if text == "returned" {
            return Some(Self {
                named: StatusGroup::Reversed.members().to_vec(),
                exact: None,
            });
        }
        Some(Self {
            named: StatusGroup::statuses_named(text).ok()?,
            exact: SaleStatus::parse(text).ok(),
        })
    }
}

/// The sales of one terminal, or of all terminals.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Terminals {
    One(TerminalId),
    Any,
}

impl QueryValue for Terminals {
    const INVALID: &'static str = "Deve ser o id de uma maquininha ou any.";

    fn schema() -> RefOr<Schema> {
        text()
            .pattern(Some(format!("^any$|{}", id_pattern("ter"))))
            .into()
    }

    fn parse(text: &str) -> Option<Self> {
        match text {
            "any" => Some(Self::Any),
            id => <TerminalId as QueryValue>::parse(id).map(Self::One),
        }
    }
}

/// The code of a payment link, spelled as the sale has it. An unknown code matches no sale.
pub struct LinkCode(pub String);

impl QueryValue for LinkCode {
    const INVALID: &'static str = "Deve ser o código de um link de pagamento.";

    fn schema() -> RefOr<Schema> {
        text().into()
    }

    fn parse(text: &str) -> Option<Self> {
        Some(Self(text.to_owned()))
    }
}

impl QueryValue for Vec<CardBrand> {
    const INVALID: &'static str = "Deve ser uma lista de bandeiras separadas por vírgula.";

    fn schema() -> RefOr<Schema> {
        text().into()
    }

    fn parse(text: &str) -> Option<Self> {
        text.split(',')
            .map(|brand| CardBrand::parse(brand).ok())
            .collect()
    }
}
