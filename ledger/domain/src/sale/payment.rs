//! Payment types. Card brands are in `brand`.

use crate::words;

words! {
    pub enum PaymentType {
        Credit = "credit" | "CREDIT_CARD" => "Crédito",
        Debit = "debit" => "Débito",
        Boleto = "boleto" | "BOLETO" => "Boleto",
        Pix = "pix" | "PIX" => "PIX",
    }
}

impl PaymentType {
    /// The largest number of installments that plans have fees for.
    pub const INSTALLMENTS_MAX: u8 = 21;

    pub const fn is_card(self) -> bool {
        matches!(self, Self::Credit | Self::Debit)
    }

    /// Whether this payment type allows that many installments. Only credit can be split.
    pub const fn takes_installments(self, installments: u8) -> bool {
        match self {
            Self::Credit => 1 <= installments && installments <= Self::INSTALLMENTS_MAX,
            Self::Debit | Self::Boleto | Self::Pix => installments == 1,
        }
    }

    /// 'Crédito à vista', 'Crédito 3x', 'Débito'.
    pub fn label_with(self, installments: u8) -> String {
        match self {
            Self::Credit if installments <= 1 => "Crédito à vista".to_owned(),
            Self::Credit => format!("Crédito {installments}x"),
            Self::Debit | Self::Boleto | Self::Pix => self.label().to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn payment_types_parse_from_aliases_and_print_their_names() {
        for (written, meant) in [
            ("credit", PaymentType::Credit),
            ("CREDIT_CARD", PaymentType::Credit),
            ("debit", PaymentType::Debit),
            ("boleto", PaymentType::Boleto),
            ("BOLETO", PaymentType::Boleto),
            ("pix", PaymentType::Pix),
            ("PIX", PaymentType::Pix),
        ] {
            assert_eq!(written.parse(), Ok(meant));
        }
        assert!(PaymentType::parse("Credit").is_err());
        assert_eq!(
            serde_json::to_string(&PaymentType::Credit).expect("words serialize"),
            r#""credit""#
        );
    }

    #[test]
    fn only_credit_has_installments() {
        assert!(PaymentType::Credit.takes_installments(21));
        assert!(!PaymentType::Credit.takes_installments(22));
        assert!(!PaymentType::Credit.takes_installments(0));
        for whole in [PaymentType::Debit, PaymentType::Boleto, PaymentType::Pix] {
            assert!(whole.takes_installments(1));
            assert!(!whole.takes_installments(2));
        }
    }

    #[test]
    fn a_screen_shows_the_installments_of_credit() {
        assert_eq!(PaymentType::Credit.label_with(1), "Crédito à vista");
        assert_eq!(PaymentType::Credit.label_with(12), "Crédito 12x");
        assert_eq!(PaymentType::Debit.label_with(1), "Débito");
    }
}
