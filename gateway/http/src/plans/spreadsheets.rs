//! The lists of sales plans, of receiving plans and of their requested changes.

use ledger_domain::sale::Solution;

use super::bodies::changes::{ChangedPlanKind, PlanChange, PlanChangeStatus};
use super::bodies::plan::PlanSummary;
use super::bodies::receiving::ReceivingPlan;
use crate::spreadsheet::{Cell, Column, Table, column, text, text_or_empty};

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

const CHANGE_COLUMNS: &[Column<PlanChange>] = &[
    column("Plano", 40, |change| text(&change.plan_description)),
    column("Tipo", 12, |change| text(kind_label(change.kind))),
    column("Status", 12, |change| text(status_label(change.status))),
    column("Pedida por", 28, |change| {
        text_or_empty(change.requested_by.name.as_deref())
    }),
    column("Pedida em", 17, |change| Cell::Instant(change.requested_at)),
    column("Decidida por", 28, |change| {
        text_or_empty(change.decided_by.as_ref().and_then(|user| user.name.as_deref()))
    }),
    column("Decidida em", 17, |change| {
        change.decided_at.map_or(Cell::Empty, Cell::Instant)
    }),
    column("Motivo", 40, |change| text_or_empty(change.reason.as_deref())),
];

const fn kind_label(kind: ChangedPlanKind) -> &'static str {
    match kind {
        ChangedPlanKind::Sales => "Venda",
        ChangedPlanKind::Receiving => "Recebimento",
    }
}

const fn status_label(status: PlanChangeStatus) -> &'static str {
    match status {
        PlanChangeStatus::Pending => "Pendente",
        PlanChangeStatus::Approved => "Aprovada",
        PlanChangeStatus::Rejected => "Rejeitada",
        PlanChangeStatus::Withdrawn => "Retirada",
    }
}

const fn active_label(active: bool) -> &'static str {
    if active { "Ativo" } else { "Inativo" }
}

const fn yes_or_no(yes: bool) -> &'static str {
    if yes { "Sim" } else { "Não" }
}
