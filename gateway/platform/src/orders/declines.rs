//! Why a payment was declined: the code in rows, and the message and the advice for the buyer.

use gateway_acquirers::charge::Decline;

/// The texts for the buyer. They never say whether a card is lost, stolen or suspected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeclineText {
    pub code: &'static str,
    pub message: &'static str,
    pub advice: &'static str,
}

const ALL: [Decline; 10] = [
    Decline::InsufficientFunds,
    Decline::CardData,
    Decline::SecurityCode,
    Decline::ExpiredCard,
    Decline::BlockedCard,
    Decline::CallIssuer,
    Decline::Installments,
    Decline::Risk,
    Decline::Temporary,
    Decline::Other,
];

impl DeclineText {
    /// No acquirer could take the payment.
    pub const UNAVAILABLE: Self = Self {
        code: "unavailable",
        message: "Não conseguimos gerar este pagamento agora.",
        advice: "Escolha outra forma de pagamento ou tente de novo em alguns minutos.",
    };

    pub const fn of(decline: Decline) -> Self {
        let (code, message, advice) = match decline {
            Decline::InsufficientFunds => (
                "insufficient_funds",
                "O cartão não tem limite disponível para este valor.",
                "Tente outro cartão, mais parcelas ou pague com PIX.",
            ),
            Decline::CardData => (
                "card_data",
                "Os dados do cartão não conferem.",
                "Confira número, nome e validade e tente de novo.",
            ),
            Decline::SecurityCode => (
                "security_code",
                "O código de segurança não confere.",
                "Confira o código de segurança do cartão e tente de novo.",
            ),
            Decline::ExpiredCard => ("expired_card", "O cartão está vencido.", "Use outro cartão."),
            Decline::BlockedCard => (
                "blocked_card",
                "O banco não autorizou este cartão.",
                "Use outro cartão ou pague com PIX.",
            ),
            Decline::CallIssuer => (
                "call_issuer",
                "O banco pediu que você confirme a compra com ele.",
                "Ligue para o banco do cartão e depois tente de novo.",
            ),
            Decline::Installments => (
                "installments",
                "O cartão não aceita este número de parcelas.",
                "Escolha menos parcelas ou use outro cartão.",
            ),
            Decline::Risk => (
                "risk",
                "O pagamento não foi autorizado.",
                "Use outro cartão ou pague com PIX.",
            ),
            Decline::Temporary => (
                "temporary",
                "O banco do cartão não respondeu.",
                "Tente de novo em alguns minutos.",
            ),
            Decline::Other => (
                "other",
                "O banco não autorizou o pagamento.",
                "Use outro cartão ou pague com PIX.",
            ),
        };
        Self {
            code,
            message,
            advice,
        }
    }

    /// Reads the column. A code of a newer version of the program reads as the general one.
    pub fn of_column(code: &str) -> Self {
        ALL.into_iter()
            .map(Self::of)
            .find(|text| text.code == code)
            .unwrap_or_else(|| Self::of(Decline::Other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stored_code_reads_as_its_text() {
        for decline in ALL {
            let text = DeclineText::of(decline);
            assert_eq!(DeclineText::of_column(text.code), text);
        }
        assert_eq!(DeclineText::of_column("newer").code, "other");
    }
}
