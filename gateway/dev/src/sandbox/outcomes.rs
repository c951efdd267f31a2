//! The outcome of a sandbox sale, chosen by the last four digits of a test card or by the request.

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    Captured,
    Failed,
    /// Created, and canceled or expired before payment.
    Canceled,
    /// Created and not paid yet.
    Pending,
}

impl Outcome {
    /// The outcome of a test card, with the reason of a failure or a cancellation.
    pub fn of_card(last_four: &str) -> (Self, Option<&'static str>) {
        match last_four {
            "0002" => (Self::Failed, Some("Cartão recusado pelo emissor")),
            "9995" => (Self::Failed, Some("Saldo ou limite insuficiente")),
            "0069" => (Self::Failed, Some("Cartão vencido")),
            "0127" => (Self::Failed, Some("Código de segurança incorreto")),
            "0119" => (Self::Failed, Some("Erro no processamento")),
            "0077" => (Self::Canceled, Some("Desistência do comprador")),
            "0341" => (Self::Pending, None),
            _ => (Self::Captured, None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cards_that_are_not_in_the_table_are_captured() {
        assert_eq!(Outcome::of_card("4242"), (Outcome::Captured, None));
        assert_eq!(Outcome::of_card("0002").0, Outcome::Failed);
        assert_eq!(Outcome::of_card("0077").0, Outcome::Canceled);
    }
}
