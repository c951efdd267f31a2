//! What becomes of a sandbox sale: told by the last four digits of its card, as test cards do, or by asking for it.

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    Captured,
    Failed,
    /// Opened, and given up or expired before payment.
    Canceled,
    /// Opened, and nothing more: the buyer still has to pay.
    Pending,
}

impl Outcome {
    /// The table of test cards, with the reason that the issuer gives.
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
    fn a_card_that_is_no_test_card_of_a_refusal_is_captured() {
        assert_eq!(Outcome::of_card("4242"), (Outcome::Captured, None));
        assert_eq!(Outcome::of_card("0002").0, Outcome::Failed);
        assert_eq!(Outcome::of_card("0077").0, Outcome::Canceled);
    }
}
