//! The report by terminal, in both panels. A company has few terminals, so its rows are sorted in memory.

use std::collections::{BTreeMap, HashMap};

use axum::response::{IntoResponse, Response};
use futures::try_join;
use gateway_platform::companies::companies_by_id;
use gateway_platform::list::list_batch;
use gateway_platform::terminals::{TerminalFilter, TerminalRecord, terminal_serials};
use ledger_domain::{BusinessId, TerminalId};
use projections::SortOrder;
use projections::daily_sales::{FigureFilter, FigureSort, Figures, figures_by_terminal};

use super::bodies::{ReportCompany, ReportTerminal, TerminalFigures, TerminalReport};
use super::period::Period;
use super::query::{Group, Sorting, TerminalsQuery};
use super::read::read_report;
use super::seller::page_of;
use super::spreadsheets::{Line, REPORT, respond};
use crate::AppState;
use crate::edge::{Db, Json, Paging};
use crate::problem::Result;
use crate::shared::page::PageMeta;
use crate::spreadsheet::{PAGE_ROWS, ResponseFormat};

pub(crate) async fn terminal_answer(
    state: &AppState,
    db: Db,
    company: BusinessId,
    query: TerminalsQuery,
    format: ResponseFormat,
) -> Result<Response> {
    let ResponseFormat::Spreadsheet(file) = format else {
        let report = read_terminals(state, &db, company, query).await?;
        return Ok(Json(report).into_response());
    };
    let all = TerminalsQuery {
        paging: Paging {
            page: 1,
            per_page: u32::MAX,
        },
        ..query
    };
    let report = read_terminals(state, &db, company, all).await?;
    drop(db);
    let totals = Line::of_totals(&report.report);
    let terminals = report.data.into_iter();
    let mut lines: Vec<_> = terminals
        .map(|row| Line::of_terminal(row.terminal, row.figures, row.previous))
        .collect();
    lines.push(totals);
    respond(file, &REPORT, lines).await
}

async fn read_terminals(
    state: &AppState,
    db: &Db,
    company: BusinessId,
    query: TerminalsQuery,
) -> Result<TerminalReport> {
    let TerminalsQuery {
        report,
        sorting,
        paging,
    } = query;
    let period = Period::of(report.period, Group::Day, state.clock.now())?;
    let filter = FigureFilter {
        businesses: Some(vec![company]),
        only_terminals: true,
        ..report.sales.0
    };
    let (report, figures, previous, own) = try_join!(
        read_report(&**db, &filter, &period),
        async { Ok(figures_by_terminal(&**db, &filter, period.within_for_total(period.span)).await?) },
        async { Ok(figures_by_terminal(&**db, &filter, period.within_for_total(period.previous)).await?) },
        own_terminals(db, company, filter.terminal_id),
    )?;
    let figures: BTreeMap<TerminalId, Figures> = figures.into_iter().collect();
    let previous: HashMap<TerminalId, Figures> = previous.into_iter().collect();
    let mut rows: Vec<_> = with_former(db, own, figures.keys().copied())
        .await?
        .into_iter()
        .map(|(id, terminal)| {
            let sums = figures.get(&id).copied().unwrap_or_default();
            let row = TerminalFigures {
                terminal,
                idle: sums.sales == 0,
                figures: sums.into(),
                previous: previous.get(&id).copied().unwrap_or_default().into(),
            };
            (sums, row)
        })
        .collect();
    sort(&mut rows, &sorting);
    let idle = rows.iter().filter(|(_, row)| row.idle).count();
    let page = page_of(rows, paging);
    let named = companies_by_id(&**db, &[company]).await?;
    Ok(TerminalReport {
        business: ReportCompany::of(company, named.get(&company)),
        report,
        idle_count: u64::try_from(idle).unwrap_or(u64::MAX),
        meta: PageMeta::numbered(&page, paging),
        data: page.rows.into_iter().map(|(_, row)| row).collect(),
    })
}

fn sort(rows: &mut [(Figures, TerminalFigures)], Sorting { sort, order }: &Sorting) {
    let name = |row: &TerminalFigures| {
        let terminal = &row.terminal;
        let shown = terminal.name.as_ref().unwrap_or(&terminal.serial_number);
        (shown.to_lowercase(), terminal.serial_number.clone())
    };
    rows.sort_by_cached_key(|(_, row)| name(row));
    if *sort != FigureSort::Name {
        rows.sort_by_key(|(sums, _)| sort.value(sums));
    }
    if *order == SortOrder::Desc {
        rows.reverse();
    }
}

/// The terminals that the company has now. `only` leaves out all others.
async fn own_terminals(
    db: &Db,
    company: BusinessId,
    only: Option<TerminalId>,
) -> Result<Vec<TerminalRecord>> {
    let filter = TerminalFilter {
        business_id: Some(company),
        ..TerminalFilter::default()
    };
    let (mut own, mut after) = (vec![], None);
    loop {
        let batch = list_batch(&**db, &filter, after.as_ref(), PAGE_ROWS).await?;
        own.extend(batch.rows);
        after = batch.next;
        if after.is_none() {
            own.retain(|terminal| only.is_none_or(|only| terminal.id == only));
            return Ok(own);
        }
    }
}

/// The company's terminals, and those with figures that it no longer has. The latter are shown without their names,
/// which another company may have given them.
async fn with_former(
    db: &Db,
    own: Vec<TerminalRecord>,
    with_figures: impl Iterator<Item = TerminalId>,
) -> Result<BTreeMap<TerminalId, ReportTerminal>> {
    let mut terminals: BTreeMap<_, _> = own
        .into_iter()
        .map(|terminal| {
            let shown = ReportTerminal {
                id: terminal.id.to_string(),
                serial_number: terminal.serial_number,
                name: terminal.name,
                current: true,
            };
            (terminal.id, shown)
        })
        .collect();
    let former: Vec<_> = with_figures.filter(|id| !terminals.contains_key(id)).collect();
    let serials = terminal_serials(&**db, &former).await?;
    terminals.extend(former.into_iter().map(|id| {
        let shown = ReportTerminal {
            id: id.to_string(),
            serial_number: serials.get(&id).cloned().unwrap_or_else(|| id.to_string()),
            name: None,
            current: false,
        };
        (id, shown)
    }));
    Ok(terminals)
}
