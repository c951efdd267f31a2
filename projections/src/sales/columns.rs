//! A sale's columns as names and texts, for the findings of the audit.

use super::{Installment, SaleRecord, SaleRow};
use crate::column_values::{self, array_literal};
use crate::read_model::finding::{Columns, optional};

impl SaleRow {
    fn columns(&self) -> Vec<(&'static str, String)> {
        let terminal = self.terminal.as_ref();
        let plan = self.plan.as_ref();
        vec![
            ("provider", self.provider.number().to_string()),
            ("external_id", self.external_id.clone()),
            ("solution", self.solution.number().to_string()),
            ("payment_type", self.payment_type.to_string()),
            ("card_brand", optional(self.card_brand.as_ref())),
            ("installments", self.installments.to_string()),
            ("amount", self.amount.get().to_string()),
            ("status", self.status.to_string()),
            ("percentage_fee", self.fees.percentage_fee.get().to_string()),
            ("flat_fee", self.fees.flat_fee.get().to_string()),
            ("percentage_rate", self.fees.percentage_rate.get().to_string()),
            ("flat_rate", self.fees.flat_rate.get().to_string()),
            ("net", optional(self.net.map(|net| net.get()))),
            ("plan_id", optional(plan.map(|plan| plan.id))),
            ("plan_name", optional(plan.map(|plan| &plan.name))),
            ("plan_version", optional(plan.map(|plan| plan.version))),
            ("terminal_id", optional(terminal.map(|terminal| terminal.id))),
            (
                "terminal_serial",
                optional(terminal.map(|terminal| &terminal.serial_number)),
            ),
            ("payment_link_code", optional(self.payment_link_code.as_ref())),
            ("card_last_four", optional(self.card_last_four.as_ref())),
            ("authorization_code", optional(self.authorization_code.as_ref())),
            ("failure_reason", optional(self.failure_reason.as_ref())),
            ("occurred_at", self.occurred_at.to_string()),
            ("created_at", self.created_at.to_string()),
            ("captured_at", optional(self.captured_at)),
            ("sequences", array_literal(self.sequences.iter().map(Some))),
            ("part_refunds", self.parts.refunds.to_string()),
            ("refunded", self.parts.refunded.get().to_string()),
            ("refunded_net", self.parts.refunded_net.get().to_string()),
            ("part_chargebacks", self.parts.chargebacks.to_string()),
            ("charged_back", self.parts.charged_back.get().to_string()),
            (
                "disputed",
                optional(self.parts.disputed.map(|amount| amount.get())),
            ),
            ("names", optional(column_values::names_json(&self.names))),
            ("search_names", array_literal(self.search_names.iter().map(Some))),
        ]
    }
}

impl Columns for SaleRecord {
    fn columns(&self) -> Vec<(&'static str, String)> {
        let array =
            |value: fn(&Installment) -> Option<String>| array_literal(self.schedule.iter().map(value));
        let mut columns = self.row.columns();
        columns.extend([
            (
                "due_dates",
                array(|installment| Some(installment.due_date.to_string())),
            ),
            (
                "installment_gross",
                array(|installment| Some(installment.gross.get().to_string())),
            ),
            (
                "installment_net",
                array(|installment| Some(installment.net.get().to_string())),
            ),
            (
                "settled_by",
                array(|installment| installment.settled_by.map(|sequence| sequence.to_string())),
            ),
            ("accelerated_by", optional(self.accelerated_by)),
            ("awaits_approval", self.awaits_approval.to_string()),
            (
                "consumed_by",
                array_literal(self.consumed.iter().map(|part| Some(part.sequence))),
            ),
            (
                "consumed_installment",
                array_literal(self.consumed.iter().map(|part| Some(part.number))),
            ),
            (
                "consumed_net",
                array_literal(self.consumed.iter().map(|part| Some(part.net.get()))),
            ),
        ]);
        columns
    }
}
