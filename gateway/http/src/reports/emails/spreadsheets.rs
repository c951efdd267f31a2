//! The user's reports by e-mail as a file, in the words of the screen.

use std::collections::BTreeMap;

use ledger_domain::sale::{PaymentType, Solution};
use ledger_domain::transfer::TransferStatus;

use super::bodies::{ReportEmail, Rhythm, StopReason};
use crate::edge::QueryValue;
use crate::sales::labels;
use crate::spreadsheet::{Cell, Column, Table, column, text, text_or_empty};

pub const REPORT_EMAILS: Table<ReportEmail> = Table {
    name: "relatorios-por-email",
    columns: COLUMNS,
};

const COLUMNS: &[Column<ReportEmail>] = &[
    column("Relatório", 40, |email| text(email.title)),
    column("Frequência", 14, |email| {
        text(match email.every {
            Rhythm::Week => "Toda semana",
            Rhythm::Month => "Todo mês",
        })
    }),
    column("Status", 24, |email| {
        text(match email.stopped {
            None => "Ativo",
            Some(StopReason::Access) => "Parado: sem acesso",
            Some(StopReason::Filters) => "Parado: filtros inválidos",
        })
    }),
    column("Próximo", 14, |email| {
        email.next_end.map_or(Cell::Empty, Cell::Date)
    }),
    column("Último enviado", 18, |email| {
        email.last_sent.map_or(Cell::Empty, Cell::Date)
    }),
    column("Filtros", 44, |email| {
        let filters = filters_in_words(&email.filters);
        text_or_empty((!filters.is_empty()).then_some(filters))
    }),
    column("Pedido em", 17, |email| Cell::Instant(email.created_at)),
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
    let in_words = match name {
        "group" => match value {
            "hour" => Some("Hora".to_owned()),
            "day" => Some("Dia".to_owned()),
            "week" => Some("Semana".to_owned()),
            "month" => Some("Mês".to_owned()),
            _ => None,
        },
        "solution" => {
            <Solution as QueryValue>::parse(value).map(|solution| labels::solution(solution.number()))
        }
        "paymentType" => <PaymentType as QueryValue>::parse(value)
            .map(|payment_type| labels::payment_type(payment_type.into()).to_owned()),
        "brand" => Some(labels::brand(value).to_owned()),
        "status" => <TransferStatus as QueryValue>::parse(value).map(|status| status_name(status).to_owned()),
        _ => None,
    };
    in_words.unwrap_or_else(|| value.to_owned())
}

const fn status_name(status: TransferStatus) -> &'static str {
    match status {
        TransferStatus::Pending => "Pendente",
        TransferStatus::Approved => "Concluído",
        TransferStatus::Processing => "Em processamento",
        TransferStatus::Refused => "Recusado",
        TransferStatus::Failed => "Falha",
    }
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
