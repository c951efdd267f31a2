//! The request body of a manual transfer. The ledger decides whether the amount is allowed.

use ledger_domain::transfer::Direction;
use ledger_domain::{BusinessId, Cents};

use crate::shared::form::{
    REASON_MAX, cents, flag, form, line, optional, optional_word, password, required, value,
};

form! {
    pub struct ManualTransferForm {
        /// The company. Required unless the query names it; if both name it, they must be the same.
        #[example = "biz_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b02"]
        business_id: Option<BusinessId> = optional(value()),
        /// The amount in cents; at least 100 with `direction: out`.
        #[example = 12_000]
        amount: Cents = required(cents(), "requerido"),
        /// The seller can read it. Up to 500 characters.
        #[example = "Aluguel de equipamento de novembro"]
        description: String = required(line(REASON_MAX), "Informe a descrição."),
        /// The password of the signed-in user.
        #[example = "demonstracao-1"]
        password: String = required(password(), "A senha é requerida."),
        /// The default is out.
        direction: Option<Direction> = optional_word(),
        /// Allows the balance to go below zero.
        #[example = false]
        allow_negative: bool = flag(),
    }
}
