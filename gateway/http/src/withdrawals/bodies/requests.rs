//! The request bodies for withdrawals and for actions on transfers. The ledger decides whether the amount is allowed.

use ledger_domain::transfer::DestinationKind;
use ledger_domain::{BusinessId, Cents};

use crate::edge::QueryValue;
use crate::shared::form::{REASON_MAX, cents, flag, form, line, number, optional, password, required, value};

form! {
    pub struct TransferRequest {
        /// The company. If the query names it as well, both must be the same.
        #[example = "biz_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b02"]
        business_id: Option<BusinessId> = optional(value()),
        /// The amount in cents, including the fee.
        #[example = 150_000]
        amount: Cents = required(cents(), "requerido"),
        destination: DestinationKind = required(number("Deve ser 0 ou 1."), "Requerido"),
        /// The password of the signed-in user.
        #[example = "demonstracao-1"]
        password: String = required(password(), "A senha é requerida."),
        /// True confirms a second withdrawal of the same amount to the same destination within 15 minutes.
        #[example = false]
        confirm_duplicate: bool = flag(),
        /// True confirms a destination from which a bank returned the last withdrawal.
        #[example = false]
        confirm_destination: bool = flag(),
    }
}

form! {
    pub struct TransferAction {
        /// Required for refuse and fail. The seller can read it. Up to 500 characters.
        #[example = "Conta encerrada no banco."]
        reason: Option<String> = optional(line(REASON_MAX)),
    }
}

form! {
    pub struct TransferReopening {
        #[example = "biz_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b02"]
        business_id: BusinessId = required(value(), BusinessId::MISSING),
    }
}

form! {
    pub struct RentalCancel {
        #[example = "biz_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b02"]
        business_id: BusinessId = required(value(), BusinessId::MISSING),
        /// The seller can read it. Up to 500 characters.
        #[example = "Terminal devolvido antes do vencimento."]
        reason: Option<String> = optional(line(REASON_MAX)),
    }
}

form! {
    pub struct TransferReturn {
        #[example = "biz_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b02"]
        business_id: BusinessId = required(value(), BusinessId::MISSING),
        /// The bank's reason. The seller can read it. Up to 500 characters.
        #[example = "TED devolvida: conta encerrada."]
        reason: String = required(line(REASON_MAX), "Informe o motivo."),
        /// The password of the signed-in user.
        #[example = "demonstracao-1"]
        password: String = required(password(), "A senha é requerida."),
    }
}
