//! The calculator: prices a planned sale with the function that prices real sales.

use axum::extract::State;
use ledger_domain::business::{ContextRequest, SaleContext};
use ledger_domain::fees::{PlanTerms, PricingInput, QuoteError, fee_lines, quote, quote_for_net};
use ledger_domain::money::AmountError;
use ledger_domain::sale::{CardBrand, PaymentType, Solution};
use ledger_domain::{BusinessId, Cents};
use ledger_store::ReferenceData;
use utoipa::IntoParams;
use utoipa::openapi::path::Parameter;

use super::bodies::Simulation;
use crate::AppState;
use crate::edge::{CurrentBusiness, FromQuery, Json, Query, QueryReader};
use crate::openapi::params_of;
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
pub async fn simulate_sale(
    State(state): State<AppState>,
    business: CurrentBusiness,
    Query(query): Query<SimulationQuery>,
) -> Result<Json<Simulation>> {
    let context = context(&state, business.id, query.solution).await?;
    let terms = context
        .terms
        .ok_or_else(|| Problem::field("solution", "Não há plano em vigor para esta solução."))?;
    let today = state.clock.today();
    let priced = |(charged, quote)| {
        let sale = PricingInput {
            amount: charged,
            ..query.sale.clone()
        };
        let lines = fee_lines(&terms, &sale)?;
        Ok(Simulation::of(
            charged,
            &quote,
            &lines,
            &PlanTerms::plan_ref(&terms),
        ))
    };
    let result = match query.payer {
        Payer::Seller => {
            quote(&terms, &query.sale, today, &context.calendar).map(|quote| (query.sale.amount, quote))
        }
        Payer::Buyer => quote_for_net(&terms, &query.sale, today, &context.calendar),
    };
    result
        .and_then(priced)
        .map(Json)
        .map_err(|error| refused(error, &query))
}

/// The plan and the calendar as of now, as for a capture now.
async fn context(state: &AppState, business_id: BusinessId, solution: Solution) -> Result<SaleContext> {
    let now = state.clock.now();
    let request = ContextRequest {
        business_id,
        solution,
        terminal_id: None,
        occurred_at: now,
        terms_at: now,
    };
    let db = state.db().await?;
    let contexts = state.reference_data.contexts(&db, &[request]).await?;
    contexts
        .into_iter()
        .next()
        .ok_or_else(|| Problem::internal("no context for a request"))
}

fn refused(error: QuoteError, query: &SimulationQuery) -> Problem {
    match (error, query.payer) {
        (QuoteError::NoFee, _) => Problem::field(
            "brand",
            "O plano não tem taxa para esta bandeira, forma de pagamento e número de parcelas.",
        ),
        (QuoteError::Installments, _) => Problem::field(
            "installments",
            "Esta forma de pagamento não aceita esse número de parcelas.",
        ),
        (QuoteError::Amount(AmountError::TooLarge), Payer::Buyer) => Problem::field(
            "amount",
            "Neste plano, nenhum valor de venda resulta neste valor líquido.",
        ),
        (QuoteError::Amount(_), _) => Problem::field("amount", "Valor fora do limite permitido."),
    }
}

/// The party that pays the fees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Payer {
    Seller,
    Buyer,
}

#[derive(utoipa::ToSchema)]
#[schema(rename_all = "lowercase")]
#[expect(dead_code, reason = "only describes a value in the OpenAPI document")]
pub enum PayerParam {
    Seller,
    Buyer,
}

#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what `FromQuery` reads")]
struct SimulationParams {
    /// 1 card machine, 2 e-commerce, 3 info product, 4 payment link.
    #[param(minimum = 1, maximum = 4, example = 1)]
    solution: u8,
    /// The amount in cents: the gross with `payer=seller`, the wanted net with `payer=buyer`.
    #[param(minimum = 1, example = 30_000)]
    amount: i64,
    /// credit, debit, boleto or pix. CREDIT_CARD, BOLETO and PIX are accepted as well.
    #[param(
        rename = "paymentType",
        pattern = "^(credit|debit|boleto|pix|CREDIT_CARD|BOLETO|PIX)$",
        example = "credit"
    )]
    payment_type: String,
    /// The card brand. Required for credit and debit.
    #[param(example = "visa")]
    brand: Option<String>,
    /// Number of installments; the default is 1. Only credit accepts more than 1.
    #[param(minimum = 1, maximum = 21, example = 3)]
    installments: Option<u8>,
    /// The party that pays the fees; the default is seller.
    #[param(inline)]
    payer: Option<PayerParam>,
}

pub struct SimulationQuery {
    solution: Solution,
    /// If the buyer pays the fees, the amount is the wanted net.
    sale: PricingInput,
    payer: Payer,
}

impl FromQuery for SimulationQuery {
    fn params() -> Vec<Parameter> {
        params_of::<SimulationParams>()
    }

    fn read(query: &mut QueryReader) -> Self {
        for (name, missing) in [
            ("solution", "Informe a solução."),
            ("amount", "Informe o valor."),
            ("paymentType", "Informe a forma de pagamento."),
        ] {
            if query.text(name).is_none() {
                query.error(name, missing);
            }
        }
        let solution = query.read("solution", "Deve ser 1, 2, 3 ou 4.", |text| {
            text.parse()
                .ok()
                .and_then(|number: u8| Solution::from_number(number).ok())
        });
        let amount: Option<i64> = query.parsed("amount", "O valor deve ser numérico");
        let payment_type = query.read("paymentType", "Deve ser credit, debit, boleto ou pix.", |text| {
            PaymentType::parse(text).ok()
        });
        let card_brand = query.read("brand", "Deve ser uma bandeira.", |text| {
            CardBrand::parse(text).ok()
        });
        let by_card = payment_type.is_some_and(PaymentType::is_card);
        if by_card && query.text("brand").is_none() {
            query.error("brand", "Informe a bandeira.");
        }
        let installments = query.read("installments", "Deve ser um número de 1 a 21.", |text| {
            text.parse()
                .ok()
                .filter(|count| (1..=PaymentType::INSTALLMENTS_MAX).contains(count))
        });
        let payer = query.read("payer", "Deve ser seller ou buyer.", |text| match text {
            "seller" => Some(Payer::Seller),
            "buyer" => Some(Payer::Buyer),
            _ => None,
        });
        Self {
            solution: solution.unwrap_or(Solution::MachineCard),
            sale: PricingInput {
                amount: Cents::new(amount.unwrap_or_default()),
                payment_type: payment_type.unwrap_or(PaymentType::Credit),
                card_brand: card_brand.filter(|_| by_card),
                installments: installments.unwrap_or(1),
            },
            payer: payer.unwrap_or(Payer::Seller),
        }
    }
}
