//! The report as a page for people: a line for each thing.

use std::fmt::Write;

use chrono::{DateTime, SecondsFormat, TimeDelta, Utc};
use ledger_domain::Cents;

use super::{Finding, Report, counted};

pub(super) fn text(report: &Report, now: DateTime<Utc>) -> String {
    let mut page = String::new();
    let wrong = i64::try_from(report.wrong.len()).unwrap_or(i64::MAX);
    let head = match (report.is_good(), report.is_complete()) {
        (true, true) => "Nothing is wrong.".to_owned(),
        (true, false) => "Nothing wrong was found, but not everything could be looked at.".to_owned(),
        (false, _) if wrong == 1 => "1 thing is wrong:".to_owned(),
        (false, _) => format!("{wrong} things are wrong:"),
    };
    add(
        &mut page,
        &head,
        report.wrong.iter().map(|finding| line(finding, now)),
    );
    if !report.not_seen.is_empty() {
        let lines = report
            .not_seen
            .iter()
            .map(|unseen| format!("{}: {}", unseen.check, unseen.cause));
        add(&mut page, "Could not look at:", lines);
    }
    if !report.notes.is_empty() {
        add(
            &mut page,
            "To know, not wrong:",
            report.notes.iter().map(|note| line(note, now)),
        );
    }
    add(
        &mut page,
        &format!("Checked: {}.", report.checked.join(", ")),
        std::iter::empty(),
    );
    page
}

fn add(page: &mut String, head: &str, lines: impl Iterator<Item = String>) {
    let written = writeln!(page, "{head}");
    debug_assert!(written.is_ok(), "a string takes every text");
    for line in lines {
        let written = writeln!(page, "- {line}");
        debug_assert!(written.is_ok(), "a string takes every text");
    }
}

fn line(finding: &Finding, now: DateTime<Utc>) -> String {
    let mut line = format!("{}: {}", finding.check, finding.what);
    if let Some(rows) = finding.rows {
        line.push_str(&format!("; {}", counted(rows, "row")));
    }
    if let Some(amount) = finding.amount {
        line.push_str(&format!("; {}", Cents::new(amount)));
    }
    if let Some(since) = finding.since {
        let at = since.to_rfc3339_opts(SecondsFormat::Secs, true);
        line.push_str(&format!("; since {at} ({})", age(now - since)));
    }
    if let Some(section) = finding.runbook {
        line.push_str(&format!("; runbook: {section}"));
    }
    line
}

/// In the largest unit of which there are two or more.
fn age(age: TimeDelta) -> String {
    match age {
        age if age >= TimeDelta::days(2) => format!("{} days", age.num_days()),
        age if age >= TimeDelta::hours(2) => format!("{} h", age.num_hours()),
        age if age >= TimeDelta::minutes(2) => format!("{} min", age.num_minutes()),
        age => format!("{} s", age.num_seconds().max(0)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{NotSeen, Section};
    use super::*;

    #[test]
    fn a_page_has_a_line_for_each_thing() {
        let now: DateTime<Utc> = "2026-11-30T12:00:00Z".parse().expect("an instant");
        let late = Finding::wrong(Section::PayoutsLate, "1 payout is late (unknown)")
            .since(now - TimeDelta::hours(5))
            .rows(1)
            .amount(Cents::new(1_234_56));
        let report = Report {
            wrong: vec![Finding {
                check: "payouts",
                ..late
            }],
            notes: vec![Finding {
                check: "balances",
                ..Finding::note("a company owes")
            }],
            not_seen: vec![NotSeen {
                check: "locks",
                cause: "permission denied".to_owned(),
            }],
            checked: vec!["payouts", "balances"],
        };
        let expected = "\
1 thing is wrong:
- payouts: 1 payout is late (unknown); 1 row; R$ 1.234,56; since 2026-11-30T07:00:00Z (5 h); runbook: The bank does not answer
Could not look at:
- locks: permission denied
To know, not wrong:
- balances: a company owes
Checked: payouts, balances.
";
        assert_eq!(text(&report, now), expected);
        let good = Report {
            checked: vec!["clock"],
            ..Report::default()
        };
        assert_eq!(text(&good, now), "Nothing is wrong.\nChecked: clock.\n");
    }
}
