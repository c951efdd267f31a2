//! The outboxes of the program. Each has a table, which the exceptions queue names for a row that cannot be read
//! (`exception.work`).
//!
//! The e-mails' outbox is in `gateway/identity`. Its table is here, because staff put unreadable rows of every table
//! back into their queues.

use gateway_outbox::{Table, UnreadableRows};

macro_rules! outboxes {
    ($($work:ident $table:ident $plural:literal $exception_type:literal $reason:literal,)+) => {
        /// A kind of work: one per table.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Work {
            $($work,)+
        }

        impl Work {
            pub const ALL: &[Self] = &[$(Self::$work),+];

            /// The name in paths of calls and on the command line.
            pub const fn plural(self) -> &'static str {
                match self { $(Self::$work => $plural,)+ }
            }

            pub const fn table(self) -> &'static Table {
                match self { $(Self::$work => &$table,)+ }
            }

            /// The type in the list of exceptions, next to the types of notices.
            pub const fn exception_type(self) -> &'static str {
                match self { $(Self::$work => $exception_type,)+ }
            }

            /// The code of the reason why an unreadable row waits for staff.
            pub const fn reason(self) -> &'static str {
                match self { $(Self::$work => $reason,)+ }
            }
        }
    };
}

outboxes! {
    Payout PAYOUTS "payouts" "payout.unreadable" "unreadable_payout",
    Refund REFUNDS "refunds" "refund.unreadable" "unreadable_refund",
    Email EMAILS "emails" "email.unreadable" "unreadable_email",
    OrderAttempt ORDER_ATTEMPTS "charges" "order.unreadable" "unreadable_order",
}

impl Work {
    /// The kind of work with this name in paths and on the command line.
    pub fn of_plural(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|work| work.plural() == name)
    }

    /// The kind of work with this table.
    pub fn of_table(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|work| work.table().name == name)
    }
}

pub const PAYOUTS: Table = Table {
    name: "payout",
    id: "payout_id",
    columns: "transfer_id, business_id, amount, destination",
    open_condition: "ended_at IS NULL",
    can_be_late: "true",
    has_look_up: true,
    claim_sets_provider: true,
    has_updated_at_column: false,
    unreadable_rows: UnreadableRows::KeepOpen,
};

pub const REFUNDS: Table = Table {
    name: "refund",
    id: "refund_id",
    columns: "business_id, sale_id, provider, external_id, amount, of_part, reference, charged",
    open_condition: "ended_at IS NULL",
    can_be_late: "true",
    has_look_up: true,
    // The column `provider` has the acquirer of the sale. It is set from the start.
    claim_sets_provider: false,
    has_updated_at_column: true,
    unreadable_rows: UnreadableRows::KeepOpen,
};

pub const EMAILS: Table = Table {
    name: "mail",
    id: "id",
    columns: "kind, audience, user_id, recipient, panel_url, facts, created_at",
    open_condition: "status = 'waiting'",
    can_be_late: "true",
    // An SMTP server cannot be asked. A repeated e-mail has the same Message-ID and the same link.
    has_look_up: false,
    claim_sets_provider: false,
    has_updated_at_column: false,
    unreadable_rows: UnreadableRows::EndAs("given-up"),
};

pub const ORDER_ATTEMPTS: Table = Table {
    name: "order_attempt",
    id: "sale_id",
    columns: "order_id, business_id, provider, payment_type, installments, total, card_brand, card_last_four, \
              card_token, ordered_at, expires_at, due_on, acquirer_id, cancel_asked_at",
    open_condition: "ended_at IS NULL",
    // Those that were not sent or not answered clearly, payments by card, those whose last try failed, and those whose
    // cancel was requested so long ago. Any other PIX code or boleto waits for the buyer, so it is never late.
    can_be_late: "status <> 'sent' OR payment_type = 'credit' OR last_error IS NOT NULL
                  OR cancel_asked_at < now() - interval '1 millisecond' * $1",
    has_look_up: true,
    // The column `provider` has the acquirer that was chosen. Another one is another attempt.
    claim_sets_provider: false,
    has_updated_at_column: false,
    unreadable_rows: UnreadableRows::KeepOpen,
};
