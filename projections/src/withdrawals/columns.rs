//! A transfer's row as column names and texts, for the findings of the audit.

use ledger_domain::Cents;

use super::Transfer;
use crate::column_values;
use crate::column_values::array_literal;
use crate::read_model::finding::{Columns, optional};

impl Columns for Transfer {
    fn columns(&self) -> Vec<(&'static str, String)> {
        vec![
            ("kind", self.kind.number().to_string()),
            ("status", self.status.number().to_string()),
            ("amount", self.amount.get().to_string()),
            ("fee", self.fee.get().to_string()),
            ("destination", optional(self.destination_json())),
            ("direction", optional(self.direction)),
            (
                "terminal_serial",
                optional(self.rental.as_ref().map(|rental| &rental.terminal_serial)),
            ),
            (
                "rental_due_date",
                optional(self.rental.as_ref().map(|rental| rental.due_date)),
            ),
            ("description", optional(self.description.as_ref())),
            ("reason", optional(self.reason.as_ref())),
            ("fee_given_back", optional(self.fee_given_back.map(Cents::get))),
            ("names", optional(column_values::names_json(&self.names))),
            (
                "return_names",
                optional(column_values::names_json(&self.return_names)),
            ),
            ("by_hand", self.by_hand.to_string()),
            ("payout_id", optional(self.payout_id)),
            ("approvals", self.approvals.to_string()),
            ("needs_attention", self.needs_attention.to_string()),
            ("requested_by", optional(self.requested_by.as_ref())),
            ("requested_at", self.requested_at.to_string()),
            ("updated_at", self.updated_at.to_string()),
            ("updated_by", optional(self.updated_by.as_ref())),
            ("sequences", array_literal(self.sequences.iter().map(Some))),
        ]
    }
}
