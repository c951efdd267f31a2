//! Reports as files: a line for each period, value of an attribute, company or terminal, and a line with the totals.

use futures::stream;

use super::bodies::{
    Breakdown, Counted, Figures, PlatformFees, Report, ReportCompany, ReportPeriod, ReportTerminal, Returned,
};
use super::period::Moment;
use super::query::Group;
use crate::problem::Result;
use crate::sales::labels;
use crate::spreadsheet::{self, Cell, Column, Spreadsheet, Table, column, list_column, text, text_or_empty};
use axum::response::Response;
use gateway_environment::time_zone::TimeZone;

/// A line of a report.
pub struct Line {
    /// What the line is about: a day, a company, a card brand, or the total.
    dimension: &'static str,
    /// The date, the name of the company or the brand. For the total, the report's period.
    item: String,
    /// The first and the last day of a period, or the first and the last instant of an hour. `None` for a line that is
    /// not about a period.
    span: Option<(Moment, Moment)>,
    /// A company's document, or the name of a terminal.
    detail: Option<String>,
    figures: Figures,
    /// The figures of the previous period. `None` for an attribute of sales.
    previous: Option<Figures>,
    /// The platform fees of the period and of the previous one.
    fees: Option<(PlatformFees, PlatformFees)>,
}

pub const REPORT: Table<Line> = Table {
    name: "relatorio",
    columns: COLUMNS,
};

pub const BILLING: Table<Line> = Table {
    name: "faturamento",
    columns: BILLING_COLUMNS,
};

const DIMENSION: Column<Line> = column("Visão", 20, |line| text(line.dimension));
const ITEM: Column<Line> = column("Item", 30, |line| text(&line.item));
const DETAIL: Column<Line> = column("Documento ou nome", 20, |line| {
    text_or_empty(line.detail.as_ref())
});
// As dates, so that a spreadsheet can sort and compare them. The item is for readers.
const START: Column<Line> = column("Início", 17, |line| {
    line.span.map_or(Cell::Empty, |(start, _)| moment(start))
});
const END: Column<Line> = column("Fim", 17, |line| {
    line.span.map_or(Cell::Empty, |(_, end)| moment(end))
});
const COUNT: Column<Line> = list_column("count", "Vendas", 10, |line| count(line.figures.count));
const GROSS: Column<Line> = list_column("gross", "Valor bruto", 15, |line| Cell::Money(line.figures.gross));
const INSTALLMENT_GROSS: Column<Line> = list_column("installment_gross", "Valor parcelado", 15, |line| {
    Cell::Money(line.figures.installment_gross)
});
const PERCENTAGE_FEE: Column<Line> =
    list_column("percentage_fee", "Taxa da forma de pagamento", 25, |line| {
        Cell::Money(line.figures.percentage_fee)
    });
const FLAT_FEE: Column<Line> = list_column("flat_fee", "Tarifa da forma de pagamento", 26, |line| {
    Cell::Money(line.figures.flat_fee)
});
const PERCENTAGE_RATE: Column<Line> = list_column("percentage_rate", "Taxa do plano", 15, |line| {
    Cell::Money(line.figures.percentage_rate)
});
const FLAT_RATE: Column<Line> = list_column("flat_rate", "Tarifa do plano", 15, |line| {
    Cell::Money(line.figures.flat_rate)
});
const FEES: Column<Line> = column("Total de taxas", 15, |line| Cell::Money(line.figures.fees));
const NET: Column<Line> = list_column("net", "Valor líquido", 15, |line| Cell::Money(line.figures.net));
const CANCELED: Column<Line> = column("Canceladas", 11, |line| count(line.figures.canceled.count));
const CANCELED_GROSS: Column<Line> = column("Valor cancelado", 15, |line| gross(line.figures.canceled));
const REFUNDED: Column<Line> = column("Devolvidas", 11, |line| count(line.figures.refunded.count));
const REFUNDED_GROSS: Column<Line> = column("Valor devolvido", 15, |line| gross(line.figures.refunded));
const REVERSED: Column<Line> = column("Estornadas", 11, |line| count(line.figures.reversed.count));
const REVERSED_GROSS: Column<Line> = column("Valor estornado", 15, |line| gross(line.figures.reversed));
const DISPUTED: Column<Line> = column("Contestadas", 12, |line| count(line.figures.disputed.count));
const DISPUTED_AMOUNT: Column<Line> = column("Valor contestado", 16, |line| amount(line.figures.disputed));
const WON: Column<Line> = column("Contestações ganhas", 19, |line| {
    count(line.figures.disputes_won.count)
});
const WON_AMOUNT: Column<Line> = column("Valor ganho", 15, |line| amount(line.figures.disputes_won));
const CHARGED_BACK: Column<Line> = column("Chargebacks", 12, |line| count(line.figures.charged_back.count));
const CHARGED_BACK_AMOUNT: Column<Line> = column("Valor em chargeback", 18, |line| {
    amount(line.figures.charged_back)
});
const SETTLED: Column<Line> = column("Parcelas pagas", 14, |line| count(line.figures.settled.count));
const SETTLED_GROSS: Column<Line> = column("Bruto das parcelas pagas", 22, |line| {
    Cell::Money(line.figures.settled.gross)
});
const SETTLED_AMOUNT: Column<Line> = column("Líquido das parcelas pagas", 24, |line| {
    Cell::Money(line.figures.settled.amount)
});
const PREVIOUS_COUNT: Column<Line> = column("Vendas no período anterior", 24, |line| {
    previous(line, |figures| count(figures.count))
});
const PREVIOUS_GROSS: Column<Line> = column("Bruto no período anterior", 24, |line| {
    previous(line, |figures| Cell::Money(figures.gross))
});
const PREVIOUS_NET: Column<Line> = column("Líquido no período anterior", 25, |line| {
    previous(line, |figures| Cell::Money(figures.net))
});
const REVENUE_OF_SALES: Column<Line> = column("Receita de vendas", 17, |line| fee(line, |fees| fees.sales));
const REVENUE_OF_WITHDRAWALS: Column<Line> =
    column("Receita de saques", 17, |line| fee(line, |fees| fees.withdrawals));
const RENTALS: Column<Line> = column("Receita de aluguéis", 18, |line| fee(line, |fees| fees.rentals));
const WRITE_OFFS: Column<Line> = column("Baixas de dívidas", 18, |line| fee(line, |fees| fees.write_offs));
const REVENUE_TOTAL: Column<Line> = column("Receita total", 15, |line| fee(line, |fees| fees.total));
const PREVIOUS_REVENUE: Column<Line> = column("Receita no período anterior", 25, |line| {
    line.fees
        .map_or(Cell::Empty, |(_, previous)| Cell::Money(previous.total))
});

macro_rules! figure_columns {
    ($($more:expr),*) => {
        &[
            DIMENSION, ITEM, START, END, DETAIL, $($more,)* COUNT, GROSS, INSTALLMENT_GROSS, PERCENTAGE_FEE, FLAT_FEE, PERCENTAGE_RATE, FLAT_RATE,
            FEES, NET, CANCELED, CANCELED_GROSS, REFUNDED, REFUNDED_GROSS, REVERSED, REVERSED_GROSS, DISPUTED,
            DISPUTED_AMOUNT, WON, WON_AMOUNT, CHARGED_BACK, CHARGED_BACK_AMOUNT, SETTLED, SETTLED_GROSS,
            SETTLED_AMOUNT, PREVIOUS_COUNT, PREVIOUS_GROSS, PREVIOUS_NET,
        ]
    };
}

const COLUMNS: &[Column<Line>] = figure_columns!();
const BILLING_COLUMNS: &[Column<Line>] = figure_columns!(
    REVENUE_OF_SALES,
    REVENUE_OF_WITHDRAWALS,
    RENTALS,
    WRITE_OFFS,
    WRITE_OFFS,
    REVENUE_TOTAL,
    PREVIOUS_REVENUE
);

fn count(number: i64) -> Cell {
    Cell::Count(u64::try_from(number).unwrap_or_default())
}

const fn moment(moment: Moment) -> Cell {
    match moment {
        Moment::Date(date) => Cell::Date(date),
        Moment::Instant(at) => Cell::Instant(at),
    }
}

const fn gross(returned: Returned) -> Cell {
    Cell::Money(returned.gross)
}

const fn amount(counted: Counted) -> Cell {
    Cell::Money(counted.amount)
}

fn previous(line: &Line, of: fn(&Figures) -> Cell) -> Cell {
    line.previous.as_ref().map_or(Cell::Empty, of)
}

fn fee(line: &Line, of: fn(&PlatformFees) -> i64) -> Cell {
    line.fees.map_or(Cell::Empty, |(fees, _)| Cell::Money(of(&fees)))
}

impl Line {
    fn new(dimension: &'static str, item: String, figures: Figures, previous: Option<Figures>) -> Self {
        Self {
            dimension,
            item,
            span: None,
            detail: None,
            figures,
            previous,
            fees: None,
        }
    }

    pub fn with_fees(self, fees: PlatformFees, previous: PlatformFees) -> Self {
        Self {
            fees: Some((fees, previous)),
            ..self
        }
    }

    pub fn of_company(company: ReportCompany, figures: Figures, previous: Figures) -> Self {
        Self {
            detail: Some(spreadsheet::labels::document(&company.document)),
            ..Self::new("Empresa", company.name, figures, Some(previous))
        }
    }

    pub fn of_terminal(terminal: ReportTerminal, figures: Figures, previous: Figures) -> Self {
        Self {
            detail: terminal.name,
            ..Self::new("Maquininha", terminal.serial_number, figures, Some(previous))
        }
    }

    pub fn of_totals(report: &Report) -> Self {
        let item = span_text(report.start, report.end);
        Self {
            span: Some((report.start, report.end)),
            ..Self::new("Total", item, report.totals, Some(report.previous_totals))
        }
    }
}

pub fn of_periods(group: Group, periods: Vec<ReportPeriod>) -> Vec<Line> {
    let dimension = match group {
        Group::Hour => "Hora",
        Group::Day => "Dia",
        Group::Week => "Semana",
        Group::Month => "Mês",
    };
    let line = |period: ReportPeriod| {
        let item = span_text(period.start, period.end);
        let line = Line {
            span: Some((period.start, period.end)),
            ..Line::new(dimension, item, period.figures, Some(period.previous))
        };
        match period.platform_fees.zip(period.previous_platform_fees) {
            Some((fees, previous)) => line.with_fees(fees, previous),
            None => line,
        }
    };
    periods.into_iter().map(line).collect()
}

pub fn of_breakdown(breakdown: Breakdown) -> Vec<Line> {
    let line = |dimension, item, figures| Line::new(dimension, item, figures, None);
    let solutions = breakdown.by_solution.into_iter();
    let payment_types = breakdown.by_payment_type.into_iter();
    let brands = breakdown.by_brand.into_iter();
    let installments = breakdown.by_installments.into_iter();
    let mut lines: Vec<_> = solutions
        .map(|row| line("Solução", labels::solution(row.solution), row.figures))
        .collect();
    lines.extend(payment_types.map(|row| {
        let name = row.payment_type.label().to_owned();
        line("Forma de pagamento", name, row.figures)
    }));
    lines.extend(brands.map(|row| {
        let name = row
            .card_brand
            .as_deref()
            .map_or("Sem cartão", labels::brand)
            .to_owned();
        line("Bandeira", name, row.figures)
    }));
    lines.extend(installments.map(|row| line("Parcelas", format!("{}x", row.installments), row.figures)));
    lines
}

/// A day, or the first and the last day of a longer period. By hour, the first and the last minute.
fn span_text(start: Moment, end: Moment) -> String {
    let shown = |moment: Moment| match moment {
        Moment::Date(date) => date.format("%d/%m/%Y").to_string(),
        Moment::Instant(at) => {
            let local_time = TimeZone::BRASILIA.local_time(at);
            local_time.format("%d/%m/%Y %H:%M").to_string()
        }
    };
    let (start, end) = (shown(start), shown(end));
    if start == end {
        start
    } else {
        format!("{start} a {end}")
    }
}

pub(crate) async fn respond(file: Spreadsheet, table: &Table<Line>, lines: Vec<Line>) -> Result<Response> {
    file.respond(table, stream::iter([Ok(lines)])).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reports::bodies::BrandFigures;

    #[test]
    fn an_attribute_has_no_figures_of_the_previous_period() {
        let visa = BrandFigures {
            card_brand: Some("visa".to_owned()),
            figures: Figures::default(),
        };
        let lines = of_breakdown(Breakdown {
            by_solution: vec![],
            by_payment_type: vec![],
            by_brand: vec![visa],
            by_installments: vec![],
        });
        let cells =
            |line: &Line| [PREVIOUS_COUNT, PREVIOUS_GROSS, PREVIOUS_NET].map(|column| (column.cell)(line));
        let cells: Vec<_> = lines.iter().map(cells).collect();
        assert_eq!(cells, [[Cell::Empty, Cell::Empty, Cell::Empty]]);
    }

    #[test]
    fn a_period_has_its_first_and_last_day_as_dates_and_a_company_its_document_with_a_mask() {
        let day = |text: &str| text.parse().expect("a date");
        let line = Line {
            span: Some((Moment::Date(day("2026-11-01")), Moment::Date(day("2026-11-21")))),
            ..Line::new("Total", String::new(), Figures::default(), None)
        };
        let cells = [START, END].map(|column| (column.cell)(&line));
        assert_eq!(
            cells,
            [Cell::Date(day("2026-11-01")), Cell::Date(day("2026-11-21"))]
        );
        let company = ReportCompany {
            id: String::new(),
            name: "Padaria".to_owned(),
            document: "11222333000181".to_owned(),
        };
        let company = Line::of_company(company, Figures::default(), Figures::default());
        assert_eq!((START.cell)(&company), Cell::Empty);
        assert_eq!((DETAIL.cell)(&company), text("11.222.333/0001-81"));
    }

    #[test]
    fn a_line_names_its_day_or_its_first_and_last_moment_in_brasilia() {
        let date = |text: &str| Moment::Date(text.parse().expect("a date"));
        let instant = |text: &str| Moment::Instant(text.parse().expect("an instant"));
        let (monday, sunday) = (date("2026-11-16"), date("2026-11-22"));
        assert_eq!(span_text(monday, monday), "16/11/2026");
        assert_eq!(span_text(monday, sunday), "16/11/2026 a 22/11/2026");
        assert_eq!(
            span_text(
                instant("2026-11-21T02:00:00Z"),
                instant("2026-11-21T02:59:59.999999Z")
            ),
            "20/11/2026 23:00 a 20/11/2026 23:59"
        );
    }
}
