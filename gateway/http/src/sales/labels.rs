//! The Portuguese labels of a sale's codes in spreadsheets. They are the same as on the screens.

use ledger_domain::sale::{CardBrand, Provider, Solution};

use super::bodies::list::{PaymentType, SaleStatus};

const SHORT_CODE_CHARACTERS: usize = 12;

pub const fn sale_status(status: SaleStatus) -> &'static str {
    match status {
        SaleStatus::New | SaleStatus::Created => "Criado",
        SaleStatus::Pending => "Pendente",
        SaleStatus::Succeeded => "Aprovado",
        SaleStatus::Failed => "Falha",
        SaleStatus::Canceled => "Cancelado",
        SaleStatus::Refunded | SaleStatus::Reversed => "Estornado",
        SaleStatus::Dispute => "Contestado",
        SaleStatus::ChargedBack => "Chargeback",
    }
}

/// The last twelve characters of a sale's id, in upper case. Users name the sale by them.
pub fn short_code(id: &str) -> String {
    let skipped = id.chars().count().saturating_sub(SHORT_CODE_CHARACTERS);
    id.chars().skip(skipped).collect::<String>().to_uppercase()
}

/// `None` if the acquirer knows the sale by the sale's own id: it is not repeated.
pub fn external_id<'a>(sale_id: &str, external_id: &'a str) -> Option<&'a str> {
    (external_id != sale_id).then_some(external_id)
}

/// An unknown acquirer is `#` with its number.
pub fn provider(number: u8) -> String {
    Provider::label_of(Some(number))
}

/// An unknown solution is `#` with its number.
pub fn solution(number: u8) -> String {
    Solution::from_number(number)
        .map_or_else(|_| format!("#{number}"), |solution| solution.label().to_owned())
}

/// The payment type alone.
pub const fn payment_type(payment_type: PaymentType) -> &'static str {
    match payment_type {
        PaymentType::Credit => "Crédito",
        PaymentType::Debit => "Débito",
        PaymentType::Boleto => "Boleto",
        PaymentType::Pix => "PIX",
    }
}

/// The payment type, with the number of installments of credit.
pub fn payment(paid_by: PaymentType, installments: u8) -> String {
    match paid_by {
        PaymentType::Credit if installments > 1 => format!("Crédito {installments}x"),
        PaymentType::Credit => "Crédito à vista".to_owned(),
        PaymentType::Debit | PaymentType::Boleto | PaymentType::Pix => payment_type(paid_by).to_owned(),
    }
}

/// A brand that the platform does not know keeps its code.
pub fn brand(code: &str) -> &str {
    let known = CardBrand::KNOWN.iter().find(|brand| brand.as_str() == code);
    known.map_or(code, CardBrand::label)
}

#[cfg(test)]
mod tests {
    use ledger_domain::sale;

    use super::*;

    #[test]
    fn statuses_and_payment_types_have_the_labels_of_the_domain() {
        for status in sale::SaleStatus::ALL {
            assert_eq!(sale_status((*status).into()), status.label());
        }
        for paid_by in sale::PaymentType::ALL {
            assert_eq!(payment_type((*paid_by).into()), paid_by.label());
            for installments in [1, 2, 21] {
                assert_eq!(
                    payment((*paid_by).into(), installments),
                    paid_by.label_with(installments)
                );
            }
        }
    }

    #[test]
    fn unknown_codes_stay_visible() {
        assert_eq!(
            (provider(3), provider(9)),
            ("Zoop V2".to_owned(), "#9".to_owned())
        );
        assert_eq!(
            (solution(4), solution(5)),
            ("Link de pagamento".to_owned(), "#5".to_owned())
        );
        assert_eq!((brand("banes"), brand("sorocred")), ("Banescard", "sorocred"));
    }
}
