//! The Portuguese labels of a sale's codes in spreadsheets. They are the same as on the screens.

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

/// The last twelve characters of a sale's id, by which users name it.
pub fn short_code(id: &str) -> String {
    let skipped = id.chars().count().saturating_sub(SHORT_CODE_CHARACTERS);
    id.chars().skip(skipped).collect::<String>().to_uppercase()
}

/// The acquirer knows the sale of a payment link by the sale's own id, which is not repeated.
pub fn external_id<'a>(sale_id: &str, external_id: &'a str) -> Option<&'a str> {
    (external_id != sale_id).then_some(external_id)
}

pub fn provider(number: u8) -> String {
    match number {
        1 => "Zoop".to_owned(),
        2 => "Iugu".to_owned(),
        3 => "Zoop V2".to_owned(),
        4 => "Valori".to_owned(),
        5 => "Entrepay".to_owned(),
        6 => "Barte".to_owned(),
        7 => "CeoPag".to_owned(),
        8 => "CeoPag P2".to_owned(),
        other => format!("#{other}"),
    }
}

pub fn solution(number: u8) -> String {
    match number {
        1 => "Maquininha".to_owned(),
        2 => "E-commerce".to_owned(),
        3 => "Info Produto".to_owned(),
        4 => "Link de pagamento".to_owned(),
        other => format!("#{other}"),
    }
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

pub fn payment(payment_type: PaymentType, installments: u8) -> String {
    match payment_type {
        PaymentType::Credit if installments > 1 => format!("Crédito {installments}x"),
        PaymentType::Credit => "Crédito à vista".to_owned(),
        PaymentType::Debit => "Débito".to_owned(),
        PaymentType::Boleto => "Boleto".to_owned(),
        PaymentType::Pix => "PIX".to_owned(),
    }
}

/// Brands that are missing here keep their code.
pub fn brand(code: &str) -> &str {
    match code {
        "alelo" => "Alelo",
        "amex" => "Amex",
        "aura" => "Aura",
        "banes" => "Banescard",
        "banese" => "Banese Card",
        "boleto" => "Boleto",
        "cabal" => "Cabal",
        "credtodos" => "Credtodos",
        "diners" => "Diners Club",
        "discover" => "Discover",
        "elo" => "Elo",
        "goodcard" => "GoodCard",
        "hiper" => "Hiper",
        "hipercard" => "Hipercard",
        "jcb" => "JCB",
        "maestro" => "Maestro",
        "mastercard" => "Mastercard",
        "visa" => "Visa",
        "visaelectron" => "Visa Electron",
        "vr" => "VR",
        other => other,
    }
}
