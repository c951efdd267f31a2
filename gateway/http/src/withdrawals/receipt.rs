//! The receipt of a paid withdrawal as a PDF, for both panels.

use axum::extract::State;
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use gateway_environment::time_zone::TimeZone;
use gateway_formats::receipt_pdf::{Fact, ReceiptDocument, receipt_pdf};
use gateway_platform::companies::{NamedCompany, bank_name, companies_by_id};
use gateway_platform::withdrawals::{ExecutionStep, execution_steps};
use ledger_domain::business::{TransferApproved, TransferEvent};
use ledger_domain::calendar::Instant;
use ledger_domain::documents::Document;
use ledger_domain::transfer::{BankAccount, Destination, TransferKind, TransferStatus};
use ledger_domain::{BusinessId, TransferId};
use projections::withdrawals::{Transfer, find};

use crate::AppState;
use crate::edge::{CurrentBusiness, Id};
use crate::files::download::SANDBOXED;
use crate::files::upload::File;
use crate::problem::{Problem, Result};
use crate::spreadsheet::attachment;

const NOT_PAID: &str = "Só um saque concluído tem recibo.";

/// Download the receipt of a withdrawal of the company
///
/// A PDF of one page: what arrived, the fee, the whole destination, the instants in Brasília, and the bank's names of the
/// payment.
#[utoipa::path(
    get, path = "/balance/transfers/{transfer_id}/receipt", tag = "balance",
    responses(
        (status = 200, description = "The receipt", content((File = "application/pdf"))),
        (status = 409, description = "The transfer is no withdrawal, or is not paid"),
    )
)]
pub(crate) async fn download_receipt(
    State(state): State<AppState>,
    business: CurrentBusiness,
    Id(id): Id<TransferId>,
) -> Result<Response> {
    receipt(&state, Some(business.id), id).await
}

/// Download the receipt of a withdrawal of any company
#[utoipa::path(
    get, path = "/admin/balance/transfers/{transfer_id}/receipt", tag = "balance",
    responses(
        (status = 200, description = "The receipt", content((File = "application/pdf"))),
        (status = 409, description = "The transfer is no withdrawal, or is not paid"),
    )
)]
pub(crate) async fn download_any_receipt(
    State(state): State<AppState>,
    Id(id): Id<TransferId>,
) -> Result<Response> {
    receipt(&state, None, id).await
}

async fn receipt(state: &AppState, company: Option<BusinessId>, id: TransferId) -> Result<Response> {
    let db = state.db().await?;
    let transfer = find(&*db, company, id).await?.ok_or_else(Problem::not_found)?;
    if (transfer.kind, transfer.status) != (TransferKind::Withdrawal, TransferStatus::Approved) {
        return Err(Problem::conflict(NOT_PAID));
    }
    let company = companies_by_id(&*db, &[transfer.business_id]).await?;
    let company = company
        .get(&transfer.business_id)
        .ok_or_else(Problem::not_found)?;
    let steps = execution_steps(&*db, &transfer).await?;
    let file = draw(company, &transfer, &steps)?;
    let headers: [(HeaderName, HeaderValue); 4] = [
        (header::CONTENT_TYPE, HeaderValue::from_static("application/pdf")),
        (
            header::CONTENT_DISPOSITION,
            attachment(&format!("recibo-de-saque-{id}.pdf")),
        ),
        (header::CONTENT_SECURITY_POLICY, SANDBOXED),
        (
            header::CACHE_CONTROL,
            HeaderValue::from_static("private, no-store"),
        ),
    ];
    Ok((headers, file).into_response())
}

fn draw(company: &NamedCompany, transfer: &Transfer, steps: &[ExecutionStep]) -> Result<Vec<u8>> {
    let document = document_text(&company.document);
    let facts = facts(transfer, steps, &company.name)?;
    let facts: Vec<Fact<'_>> = facts
        .iter()
        .filter(|(_, value)| !value.is_empty())
        .map(|(label, value)| (*label, value.as_str()))
        .collect();
    let arrived = transfer.net_amount().to_string();
    Ok(receipt_pdf(&ReceiptDocument {
        title: "Recibo de saque",
        company: &company.name,
        document: &document,
        amount: ("Caiu na conta", &arrived),
        facts: &facts,
        note: "Horários de Brasília. Se o valor não está na conta, envie este recibo ao seu banco: ele encontra o \
               pagamento pelo ID acima.",
    }))
}

type NamedValue = (&'static str, String);

fn facts(transfer: &Transfer, steps: &[ExecutionStep], holder: &str) -> Result<Vec<NamedValue>> {
    let paid = steps.iter().rev().find_map(|step| match step {
        ExecutionStep::Event(event) => match &event.event {
            TransferEvent::TransferApproved(paid) => Some(paid),
            _ => None,
        },
        ExecutionStep::Call { .. } => None,
    });
    let paid = paid.ok_or_else(|| Problem::internal("a paid withdrawal has no payment"))?;
    let destination = transfer
        .destination
        .as_ref()
        .ok_or_else(|| Problem::internal("a withdrawal has no destination"))?;
    let mut facts = vec![
        ("Saiu do disponível", transfer.amount.to_string()),
        ("Tarifa de saque", transfer.fee.to_string()),
        ("Solicitado em", in_brasilia(transfer.requested_at)),
        ("Pago em", in_brasilia(paid.occurred_at)),
    ];
    facts.extend(destination_facts(destination));
    facts.push(("Titular", holder.to_owned()));
    facts.extend(bank_facts(transfer, paid, steps));
    facts.push(("ID do saque", transfer.transfer_id.to_string()));
    Ok(facts)
}

fn destination_facts(destination: &Destination) -> Vec<NamedValue> {
    match destination {
        Destination::Pix { key } => vec![("Chave PIX", document_text(key))],
        Destination::BankAccount(account) => vec![
            (
                "Banco",
                format!("{} · {}", account.bank_code, bank_name(&account.bank_code)),
            ),
            ("Agência", branch(account)),
            (
                account.account_type.label(),
                format!("{}-{}", account.account_number, account.account_digit),
            ),
        ],
    }
}

fn branch(account: &BankAccount) -> String {
    match &account.routing_digit {
        Some(digit) => format!("{}-{digit}", account.routing_number),
        None => account.routing_number.clone(),
    }
}

/// The bank's names of the payment, and its id of the payment if that is none of them.
fn bank_facts(transfer: &Transfer, paid: &TransferApproved, steps: &[ExecutionStep]) -> Vec<NamedValue> {
    let name = |name: &Option<ledger_domain::sale::PaymentName>| {
        name.as_ref().map(ToString::to_string).unwrap_or_default()
    };
    let names = [
        ("ID do PIX (E2E)", name(&transfer.names.end_to_end_id)),
        ("Número de controle (TED)", name(&transfer.names.control_number)),
    ];
    let bank_id = steps.iter().rev().find_map(|step| match step {
        ExecutionStep::Call { call, .. } => call.bank_id.clone(),
        ExecutionStep::Event(_) => None,
    });
    let bank_id = bank_id.filter(|id| names.iter().all(|(_, name)| name != id));
    let key = paid.payout_id.map(|id| id.to_string());
    names
        .into_iter()
        .chain([
            ("ID no banco", bank_id.unwrap_or_default()),
            ("Chave do pagamento", key.unwrap_or_default()),
        ])
        .collect()
}

fn in_brasilia(at: Instant) -> String {
    let local = TimeZone::BRASILIA.local_time(at);
    local.format("%d/%m/%Y %H:%M:%S").to_string()
}

/// "CNPJ 11.222.333/0001-81"
fn document_text(document: &str) -> String {
    match Document::parse(document) {
        Ok(cpf @ Document::Cpf(_)) => format!("CPF {cpf}"),
        Ok(cnpj @ Document::Cnpj(_)) => format!("CNPJ {cnpj}"),
        Err(_) => document.to_owned(),
    }
}
