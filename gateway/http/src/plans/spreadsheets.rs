//! The lists of sales plans, of receiving plans and of their requested changes.

use ledger_domain::sale::Solution;

use super::bodies::changes::PlanChange;
use super::bodies::plan::PlanSummary;
use super::bodies::receiving::ReceivingPlan;
use crate::spreadsheet::{Cell, Column, Table, list_column, text, text_or_empty};

pub const PLANS: Table<PlanSummary> = Table {
    name: "planos-de-venda",
    columns: PLAN_COLUMNS,
};

pub const PLAN_CHANGES: Table<PlanChange> = Table {
    name: "mudancas-de-planos",
    columns: CHANGE_COLUMNS,
};

pub const RECEIVING_PLANS: Table<ReceivingPlan> = Table {
    name: "planos-de-recebimento",
    columns: RECEIVING_COLUMNS,
};

const PLAN_COLUMNS: &[Column<PlanSummary>] = &[
    list_column("description", "Plano", 40, |plan| text(&plan.description)),
    list_column("solution", "Solução", 18, |plan| {
        text_or_empty(Solution::from_number(plan.solution_id).ok().map(Solution::label))
    }),
    list_column("type", "Tipo de taxa", 14, |plan| {
        text_or_empty(plan.mdr.map(|mdr| if mdr { "Taxa MDR" } else { "Taxa Efetiva" }))
    }),
    list_column("days", "Prazo (dias)", 12, |plan| {
        plan.settlement_days
            .map_or(Cell::Empty, |days| Cell::Count(days.into()))
    }),
    list_column("active", "Status", 10, |plan| text(active_label(plan.active))),
    list_column("default", "Padrão", 8, |plan| text(yes_or_no(plan.default))),
    list_column("validFrom", "Em vigor desde", 17, |plan| {
        plan.valid_from.map_or(Cell::Empty, Cell::Instant)
    }),
    list_column("scheduled", "Mudança agendada", 17, |plan| {
        plan.scheduled_from.map_or(Cell::Empty, Cell::Instant)
    }),
];

const RECEIVING_COLUMNS: &[Column<ReceivingPlan>] = &[
    list_column("description", "Plano", 40, |plan| text(&plan.description)),
    list_column("flatRate", "Tarifa por saque", 16, |plan| {
        Cell::Money(plan.flat_rate)
    }),
    list_column("active", "Status", 10, |plan| text(active_label(plan.active))),
    list_column("default", "Padrão", 8, |plan| text(yes_or_no(plan.default))),
    list_column("createdAt", "Criado em", 17, |plan| {
        Cell::Instant(plan.created_at)
    }),
];

const CHANGE_COLUMNS: &[Column<PlanChange>] = &[
    list_column("plan", "Plano", 40, |change| text(&change.plan_description)),
    list_column("kind", "Tipo", 12, |change| text(change.kind.label())),
    list_column("status", "Status", 12, |change| text(change.status.label())),
    list_column("requestedBy", "Pedida por", 28, |change| {
        text_or_empty(change.requested_by.name.as_deref())
    }),
    list_column("requestedAt", "Pedida em", 17, |change| {
        Cell::Instant(change.requested_at)
    }),
    list_column("decidedBy", "Decidida por", 28, |change| {
        text_or_empty(change.decided_by.as_ref().and_then(|user| user.name.as_deref()))
    }),
    list_column("decidedAt", "Decidida em", 17, |change| {
        change.decided_at.map_or(Cell::Empty, Cell::Instant)
    }),
    list_column("reason", "Motivo", 40, |change| {
        text_or_empty(change.reason.as_deref())
    }),
];

const fn active_label(active: bool) -> &'static str {
    if active { "Ativo" } else { "Inativo" }
}

const fn yes_or_no(yes: bool) -> &'static str {
    if yes { "Sim" } else { "Não" }
}
