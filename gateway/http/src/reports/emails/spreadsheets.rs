//! The user's reports by e-mail as a file, in the words of the screen.

use std::collections::BTreeMap;

use ledger_domain::sale::{PaymentType, Solution};
use ledger_domain::transfer::TransferStatus;

use super::bodies::ReportEmail;
use crate::edge::QueryValue;
use crate::reports::query::Group;
use crate::sales::labels;
use crate::spreadsheet::{Cell, Column, Table, list_column, text, text_or_empty};

pub const REPORT_EMAILS: Table<ReportEmail> = Table {
    name: "relatorios-por-email",
    columns: COLUMNS,
};

const COLUMNS: &[Column<ReportEmail>] = &[
    list_column("report", "Relatório", 40, |email| text(email.title)),
    list_column("frequency", "Frequência", 14, |email| text(email.every.label())),
    list_column("status", "Status", 24, |email| {
        text(email.stopped.map_or("Ativo", |reason| reason.label()))
    }),
    list_column("next", "Próximo", 14, |email| {
        email.next_end.map_or(Cell::Empty, Cell::Date)
    }),
    list_column("lastSent", "Último enviado", 18, |email| {
        email.last_sent.map_or(Cell::Empty, Cell::Date)
    }),
    list_column("filters", "Filtros", 44, |email| {
        let filters = filters_in_words(&email.filters);
        text_or_empty((!filters.is_empty()).then_some(filters))
    }),
    list_column("subscribedAt", "Pedido em", 17, |email| {
        Cell::Instant(email.created_at)
    }),
];

fn filters_in_words(filters: &BTreeMap<String, String>) -> String {
    let filters = filters
        .iter()
        .map(|(name, value)| format!("{}: {}", filter_name(name), value_name(name, value)));
    filters.collect::<Vec<_>>().join(", ")
}

/// The label of the filter's field on the screen. Other filters keep the name of their query parameter.
fn filter_name(name: &str) -> &str {
    match name {
        "group" => "Agrupar por",
        "solution" => "Solução",
        "paymentType" => "Pagamento",
        "brand" => "Bandeira",
        "installments" => "Parcelas",
        "terminal" => "Maquininha",
        "payment_link" => "Link de pagamento",
        "business_id" => "Empresa",
        "user_id" => "Usuário",
        "status" => "Status",
        other => other,
    }
}

/// The label of the value on the screen. Ids, numbers and values that the report no longer takes stay as they are.
fn value_name(name: &str, value: &str) -> String {
    let label = match name {
        "group" => Group::parse(value).ok().map(Group::label),
        "solution" => <Solution as QueryValue>::parse(value).map(Solution::label),
        "paymentType" => PaymentType::parse(value).ok().map(PaymentType::label),
        "brand" => Some(labels::brand(value)),
        "status" => <TransferStatus as QueryValue>::parse(value).map(TransferStatus::label),
        _ => None,
    };
    label.unwrap_or(value).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(filters: &[(&str, &str)]) -> String {
        let filters = filters
            .iter()
            .map(|(name, value)| (name.to_string(), value.to_string()));
        filters_in_words(&filters.collect())
    }

    #[test]
    fn filters_have_the_words_of_their_fields() {
        assert_eq!(
            words(&[
                ("brand", "visa"),
                ("group", "week"),
                ("paymentType", "credit"),
                ("solution", "4")
            ]),
            "Bandeira: Visa, Agrupar por: Semana, Pagamento: Crédito, Solução: Link de pagamento"
        );
        assert_eq!(words(&[("status", "2")]), "Status: Em processamento");
        assert_eq!(
            words(&[("installments", "3"), ("solution", "9")]),
            "Parcelas: 3, Solução: 9"
        );
        assert_eq!(words(&[]), "");
    }
}
