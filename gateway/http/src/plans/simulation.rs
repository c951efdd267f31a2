//! The calculator: prices a planned sale with the function that prices real sales.

use std::sync::Arc;

use axum::extract::State;
use gateway_platform::links::FeePayer;
use ledger_domain::business::SaleContext;
use ledger_domain::calendar::{Calendar, Date};
use ledger_domain::fees::{PlanTerms, PricingInput, QuoteError, fee_lines, quote, quote_for_net};
use ledger_domain::money::AmountError;
use ledger_domain::sale::{CardBrand, PaymentType, Solution};
use ledger_domain::{BusinessId, Cents};
use utoipa::openapi::schema::{KnownFormat, ObjectBuilder, SchemaFormat, Type};
use utoipa::openapi::{RefOr, Schema};

use super::bodies::simulation::Simulation;
use crate::AppState;
use crate::edge::query::{integer, within};
use crate::edge::{CurrentBusiness, Json, Query, QueryValue, query};
use crate::problem::{Problem, Result};

/// Simulate a sale
///
/// Prices a sale by the plan in force, as if it were captured today. With `payer=seller`, `amount` is the amount that
/// the buyer pays. With `payer=buyer`, `amount` is the net that the seller wants to receive. Nothing is recorded.
#[utoipa::path(
    get, path = "/business/plan/simulation", tag = "sales",
    responses(
        (status = 200, body = Simulation),
        (status = 422, description = "Invalid values, by field: solution (no plan), brand (the plan has no fee for it), installments, amount (outside the limits of a sale, or no sale leaves this net), paymentType, payer, business_id"),
    )
)]
pub(crate) async fn simulate_sale(
    State(state): State<AppState>,
    business: CurrentBusiness,
    Query(query): Query<SimulationQuery>,
) -> Result<Json<Simulation>> {
    let context = context(&state, business.id, query.solution).await?;
    let terms = terms_of(&context)?;
    let today = state.clock.today();
    price(&terms, &query.sale, query.payer, today, &context.calendar)
        .map(Json)
        .map_err(|error| quote_problem(error, query.payer))
}

/// The price of a sale whose amount is the gross, or the wanted net if the buyer pays the fees.
pub fn price(
    terms: &PlanTerms,
    sale: &PricingInput,
    payer: FeePayer,
    today: Date,
    calendar: &Calendar,
) -> Result<Simulation, QuoteError> {
    let (gross, quoted) = match payer {
        FeePayer::Seller => (sale.amount, quote(terms, sale, today, calendar)?),
        FeePayer::Buyer => quote_for_net(terms, sale, today, calendar)?,
    };
    let sale = PricingInput {
        amount: gross,
        ..sale.clone()
    };
    let lines = fee_lines(terms, &sale)?;
    Ok(Simulation::of(gross, &quoted, &lines, &terms.plan_ref()))
}

/// The terms in force, or a 422.
pub fn terms_of(context: &SaleContext) -> Result<Arc<PlanTerms>> {
    let terms = context.terms.clone();
    terms.ok_or_else(|| Problem::field("solution", "Não há plano em vigor para esta solução."))
}

/// The plan and the calendar that a sale captured now would get.
pub(crate) async fn context(
    state: &AppState,
    business_id: BusinessId,
    solution: Solution,
) -> Result<SaleContext> {
    let db = state.db().await?;
    context_on(state, &db, business_id, solution).await
}

/// Like `context`, on a connection that the caller holds.
pub(crate) async fn context_on(
    state: &AppState,
    db: &tokio_postgres::Client,
    business_id: BusinessId,
    solution: Solution,
) -> Result<SaleContext> {
    let now = state.clock.now();
    let context = state.reference_data.context_at(db, business_id, solution, now);
    Ok(context.await?)
}

/// The invalid field of a sale that cannot be priced.
pub fn quote_problem(error: QuoteError, payer: FeePayer) -> Problem {
    match (error, payer) {
        (QuoteError::NoFee, _) => Problem::field(
            "brand",
            "O plano não tem taxa para esta bandeira, forma de pagamento e número de parcelas.",
        ),
        (QuoteError::Installments, _) => Problem::field(
            "installments",
            "Esta forma de pagamento não aceita esse número de parcelas.",
        ),
        (QuoteError::Amount(AmountError::TooLarge), FeePayer::Buyer) => Problem::field(
            "amount",
            "Neste plano, nenhum valor de venda resulta neste valor líquido.",
        ),
        (QuoteError::Amount(_), _) => Problem::field("amount", "Valor fora do limite permitido."),
    }
}

pub struct SimulationQuery {
    solution: Solution,
    /// If the buyer pays the fees, the amount is the wanted net.
    sale: PricingInput,
    payer: FeePayer,
}

query! {
    impl FromQuery for SimulationQuery {
        /// 1 card machine, 2 e-commerce, 3 info product, 4 payment link.
        #[example = 1]
        solution: Solution,
        /// The amount in cents: the gross with `payer=seller`, the wanted net with `payer=buyer`.
        #[example = 30_000]
        amount: AmountInCents,
        payment: ..Payment,
        /// Number of installments; the default is 1. Only credit accepts more than 1.
        #[example = 3]
        installments: Installments = Installments(1),
        /// The party that pays the fees; the default is seller.
        payer: FeePayer = FeePayer::Seller,
    } => Self {
        solution,
        sale: PricingInput {
            amount: amount.0,
            payment_type: payment.payment_type,
            card_brand: payment.card_brand,
            installments: installments.0,
        },
        payer,
    }
}

struct Payment {
    payment_type: PaymentType,
    card_brand: Option<CardBrand>,
}

query! {
    impl FromQuery for Payment with query {
        /// credit, debit, boleto or pix. CREDIT_CARD, BOLETO and PIX are accepted as well.
        #[name = "paymentType"]
        #[example = "credit"]
        #[missing = "Informe a forma de pagamento."]
        payment_type: PaymentType,
        /// The card brand. Required for credit and debit.
        #[example = "visa"]
        brand: Option<CardBrand>,
    } => {
        let by_card = payment_type.is_card();
        if by_card && brand.is_none() {
            query.error("brand", "Informe a bandeira.");
        }
        Self { payment_type, card_brand: brand.filter(|_| by_card) }
    }
}

/// `parse` takes any integer: the limits of a sale are checked later.
pub struct AmountInCents(pub Cents);

impl QueryValue for AmountInCents {
    const INVALID: &'static str = "O valor deve ser numérico";
    const MISSING: &'static str = "Informe o valor.";

    fn schema() -> RefOr<Schema> {
        let cents = ObjectBuilder::new().schema_type(Type::Integer);
        let cents = cents.format(Some(SchemaFormat::KnownFormat(KnownFormat::Int64)));
        cents.minimum(Some(1)).into()
    }

    fn parse(text: &str) -> Option<Self> {
        text.parse().ok().map(|cents| Self(Cents::new(cents)))
    }
}

pub struct Installments(pub u8);

impl QueryValue for Installments {
    const INVALID: &'static str = "Deve ser um número de 1 a 21.";

    fn schema() -> RefOr<Schema> {
        integer(1, PaymentType::INSTALLMENTS_MAX.into())
    }

    fn parse(text: &str) -> Option<Self> {
        within(text, 1, PaymentType::INSTALLMENTS_MAX).map(Self)
    }
}
