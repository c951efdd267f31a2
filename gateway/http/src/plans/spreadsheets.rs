//! The lists of sales plans and of receiving plans.

use ledger_domain::sale::Solution;

use super::bodies::plan::PlanSummary;
use super::bodies::receiving::ReceivingPlan;
use crate::spreadsheet::{Cell, Column, Table, column, text, text_or_empty};

pub const PLANS: Table<PlanSummary> = Table {
    name: "planos-de-venda",
    columns: PLAN_COLUMNS,
};

pub const RECEIVING_PLANS: Table<ReceivingPlan> = Table {
    name: "planos-de-recebimento",
    columns: RECEIVING_COLUMNS,
};

const PLAN_COLUMNS: &[Column<PlanSummary>] = &[
    column("Plano", 40, |plan| text(&plan.description)),
    column("Solução", 18, |plan| {
        text_or_empty(Solution::from_number(plan.solution_id).ok().map(Solution::label))
    }),
    column("Tipo de taxa", 14, |plan| {
        text_or_empty(plan.mdr.map(|mdr| if mdr { "Taxa MDR" } else { "Taxa Efetiva" }))
    }),
    column("Prazo (dias)", 12, |plan| {
        plan.settlement_days
            .map_or(Cell::Empty, |days| Cell::Count(days.into()))
    }),
    column("Status", 10, |plan| text(active_label(plan.active))),
    column("Padrão", 8, |plan| text(yes_or_no(plan.default))),
    column("Em vigor desde", 17, |plan| {
        plan.valid_from.map_or(Cell::Empty, Cell::Instant)
    }),
    column("Mudança agendada", 17, |plan| {
        plan.scheduled_from.map_or(Cell::Empty, Cell::Instant)
    }),
];

const RECEIVING_COLUMNS: &[Column<ReceivingPlan>] = &[
    column("Plano", 40, |plan| text(&plan.description)),
    column("Tarifa por saque", 16, |plan| Cell::Money(plan.flat_rate)),
    column("Status", 10, |plan| text(active_label(plan.active))),
    column("Padrão", 8, |plan| text(yes_or_no(plan.default))),
    column("Criado em", 17, |plan| Cell::Instant(plan.created_at)),
];

const fn active_label(active: bool) -> &'static str {
    if active { "Ativo" } else { "Inativo" }
}

const fn yes_or_no(yes: bool) -> &'static str {
    if yes { "Sim" } else { "Não" }
}
