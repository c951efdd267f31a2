//! The PDF of an order's boleto.

use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use gateway_formats::boleto::Boleto;
use gateway_formats::boleto_pdf::{BoletoDocument, Party, boleto_pdf};
use gateway_formats::short_code::OrderReference;
use gateway_platform::orders::{
    AttemptState, BoletoParties, OrderKey, OrderView, boleto_parties, order_view,
};
use ledger_domain::SaleId;
use ledger_domain::calendar::business_date;
use ledger_domain::order::OrderStatus;
use ledger_domain::sale::PaymentType;

use super::answer;
use crate::AppState;
use crate::files::upload::File;
use crate::problem::{Problem, Result};

/// Get the PDF of an order's boleto
///
/// By the order's reference, or by the id of the sale. Like every boleto, it shows the payer's name and document.
#[utoipa::path(
    get, path = "/transactions/{id}/boleto", tag = "checkout",
    params(("id" = String, Path, description = "The order's reference, or the sale's id", example = "7Q2M4Z9XKD")),
    responses(
        (status = 200, description = "The boleto", content((File = "application/pdf"))),
        (status = 404, description = "There is no such boleto, it is not issued yet, or its cancel is under way"),
        (status = 410, description = "The boleto was paid, refunded or canceled, or has expired. `Location` is the address of its order's status"),
    )
)]
pub(crate) async fn get_order_boleto(
    State(state): State<AppState>,
    Path(id): Path<String>,
) -> Result<Response> {
    let db = state.db().await?;
    let reference = OrderReference::parse(&id).ok();
    let sale_id: Option<SaleId> = id.parse().ok();
    let key = match (&reference, sale_id) {
        (Some(reference), _) => OrderKey::Reference(reference),
        (None, Some(sale_id)) => OrderKey::Sale(sale_id),
        (None, None) => return Err(unknown_boleto()),
    };
    let view = order_view(&*db, key).await?;
    let view = view.filter(|view| view.attempt.payment_type == PaymentType::Boleto);
    let view = view.ok_or_else(unknown_boleto)?;
    let (line, due) = match (&view.attempt.boleto, view.attempt.due_on) {
        (Some((line, _)), Some(due)) => (line.clone(), due),
        _ => return gone(&view),
    };
    let parties = boleto_parties(&*db, view.id).await?;
    // The buyer was erased, which happens only after all attempts have ended. So this one ended after `view` was read.
    let Some(parties) = parties else {
        return gone_because(CANCELED, &view.reference);
    };
    let boleto = Boleto::from_line(&line, due).map_err(Problem::internal)?;
    let pdf = draw(&view, &boleto, &parties)?;
    let headers = [
        (header::CONTENT_TYPE, "application/pdf".to_owned()),
        (
            header::CONTENT_DISPOSITION,
            format!("inline; filename=\"boleto-{}.pdf\"", view.reference),
        ),
        (header::CACHE_CONTROL, "private, no-store".to_owned()),
    ];
    Ok((headers, pdf).into_response())
}

fn unknown_boleto() -> Problem {
    Problem::new(
        StatusCode::NOT_FOUND,
        "Não encontramos este boleto. Confira o endereço com quem o enviou.",
    )
}

const CANCELED: &str = "Este boleto foi cancelado. Peça outro a quem o enviou.";

/// The reason why the boleto cannot be paid any more. A boleto that is not issued yet, or whose cancel is under way, is
/// a 404.
fn gone(view: &OrderView) -> Result<Response> {
    let attempt = &view.attempt;
    let message = match (attempt.state, view.status) {
        (AttemptState::Processing | AttemptState::ToPay | AttemptState::Challenge, _) => {
            return Err(unknown_boleto());
        }
        (AttemptState::Paid, _) => "Este boleto já foi pago. Você não precisa fazer mais nada.",
        (AttemptState::Declined | AttemptState::Canceled | AttemptState::Expired, _)
            if attempt.paid_at.is_some() =>
        {
            "Este boleto foi pago, e o valor foi devolvido."
        }
        (AttemptState::Declined | AttemptState::Canceled | AttemptState::Expired, OrderStatus::Paid) => {
            "Este pedido foi pago de outra forma. Você não precisa pagar este boleto."
        }
        (AttemptState::Expired, _) => "Este boleto venceu. Peça outro a quem o enviou.",
        (AttemptState::Declined | AttemptState::Canceled, _) => CANCELED,
    };
    gone_because(message, &view.reference)
}

/// A 410 with the address of the order's status. The boleto had the order's reference too, so this reveals nothing new.
fn gone_because(message: &'static str, reference: &str) -> Result<Response> {
    let response = Problem::new(StatusCode::GONE, message).into_response();
    answer::with_status_location(response, reference)
}

fn draw(view: &OrderView, boleto: &Boleto, parties: &BoletoParties) -> Result<Vec<u8>> {
    let bank_name = bank_name(boleto.bank.as_str());
    let instructions = [
        "Pague até o vencimento em qualquer banco ou aplicativo.",
        view.description.as_str(),
    ];
    let document = BoletoDocument {
        boleto,
        bank_name: &bank_name,
        beneficiary: Party {
            name: &parties.seller_name,
            document: &parties.seller_document,
            address: None,
        },
        // Acquirers do not report them.
        agency_and_code: "-",
        payer: Party {
            name: &parties.buyer_name,
            document: &parties.buyer_document,
            address: parties.buyer_address.as_deref(),
        },
        our_number: &view.reference,
        document_number: &view.reference,
        issued: business_date(parties.ordered_at),
        instructions: &instructions,
        pix_code: view.attempt.boleto_pix_code.as_deref(),
    };
    boleto_pdf(&document).map_err(Problem::internal)
}

/// A bank that is not listed is shown by its code.
fn bank_name(code: &str) -> String {
    let name = match code {
        "001" => "Banco do Brasil",
        "033" => "Santander",
        "104" => "Caixa",
        "237" => "Bradesco",
        "341" => "Itaú",
        "756" => "Sicoob",
        _ => return format!("Banco {code}"),
    };
    name.to_owned()
}
