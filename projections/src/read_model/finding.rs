//! The findings of the audit, one line each, and the comparison of two sets of rows.

use std::collections::BTreeMap;
use std::fmt;

use ledger_domain::BusinessId;

use super::{ReadModel, RowsOf};

/// A stored value that differs from the expected one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// `None` for a finding about no business, such as a checkpoint.
    pub business: Option<BusinessId>,
    pub subject: Subject,
    /// The row and its column, or the rule of a cross-check.
    pub key: String,
    /// The value that follows from the log or, for a cross-check, from another read model.
    pub expected: String,
    pub found: String,
}

/// The place of the difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Subject {
    /// The log itself.
    Log,
    Head,
    SaleState,
    SaleClaim,
    TransferState,
    /// A table of the read models, by its name.
    ReadModel(&'static str),
    /// A row of a read model that cannot be read; the key says which column.
    Row,
    /// The sums of the log's postings, compared with the balances of the heads.
    Postings,
    /// One read model, compared with another.
    CrossCheck,
    /// The log as unmodified postgres-es reads it, compared with the replay.
    Upstream,
    /// The position up to which a follower of read models or of effects has read the log.
    Checkpoint,
    Payout,
    Refund,
    Order,
    OrderAttempt,
    Exception,
    PlanVersion,
}

impl Subject {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Log => "log",
            Self::Head => "business_head",
            Self::SaleState => "sale_state",
            Self::SaleClaim => "sale_claim",
            Self::TransferState => "transfer_state",
            Self::ReadModel(table) => table,
            Self::Row => "row",
            Self::Postings => "postings",
            Self::CrossCheck => "cross-check",
            Self::Upstream => "upstream postgres-es",
            Self::Checkpoint => "checkpoint",
            Self::Payout => "payout",
            Self::Refund => "refund",
            Self::Order => "link_order",
            Self::OrderAttempt => "order_attempt",
            Self::Exception => "exception",
            Self::PlanVersion => "plan_version",
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.business {
            Some(business) => write!(f, "{business} ")?,
            None => f.write_str("no business ")?,
        }
        // Control characters in a tampered text must not break the line.
        write!(
            f,
            "{} {}: expected {}, found {}",
            self.subject.as_str(),
            self.key.replace(char::is_control, " "),
            self.expected.escape_debug(),
            self.found.escape_debug()
        )
    }
}

/// A row of a read model as names and texts, for the findings. Only rows that differ are written out in this form.
pub(crate) trait Columns {
    fn columns(&self) -> Vec<(&'static str, String)>;
}

/// Reports and counts differences, of one business at a time.
pub struct Reporter<'a> {
    business: Option<BusinessId>,
    report: &'a mut (dyn FnMut(Finding) + Send),
    count: u64,
}

impl<'a> Reporter<'a> {
    pub fn new(report: &'a mut (dyn FnMut(Finding) + Send)) -> Self {
        Self {
            business: None,
            report,
            count: 0,
        }
    }

    /// Sets the business of the findings that follow; `None` for no business.
    pub fn set_business(&mut self, business: Option<BusinessId>) -> &mut Self {
        self.business = business;
        self
    }

    /// The number of reported differences.
    pub const fn count(&self) -> u64 {
        self.count
    }

    pub fn finding(
        &mut self,
        subject: Subject,
        key: impl fmt::Display,
        expected: impl fmt::Display,
        found: impl fmt::Display,
    ) {
        self.count += 1;
        (self.report)(Finding {
            business: self.business,
            subject,
            key: key.to_string(),
            expected: expected.to_string(),
            found: found.to_string(),
        });
    }

    pub fn equal<Value: PartialEq + fmt::Display>(
        &mut self,
        subject: Subject,
        key: impl fmt::Display,
        expected: Value,
        found: Value,
    ) {
        if expected != found {
            self.finding(subject, key, expected, found);
        }
    }

    /// Checks a consumer's checkpoint in a shard. A checkpoint beyond the log's end would skip the next events. A
    /// consumer without a checkpoint gets no events.
    pub fn checkpoint(&mut self, key: impl fmt::Display, position: Option<i64>, log_end: i64) {
        match position {
            None => self.finding(Subject::Checkpoint, key, "a row", "no row"),
            Some(position) if position > log_end => {
                let expected = format_args!("at most {log_end}, where the log ends");
                self.finding(Subject::Checkpoint, key, expected, position);
            }
            Some(_) => {}
        }
    }

    /// Reports a checkpoint that is before an event which left its trace in a row.
    pub fn checkpoint_behind(&mut self, key: impl fmt::Display, position: i64, handled_to: i64) {
        if position < handled_to {
            let expected = format_args!("at least {handled_to}, which a row was handled to");
            self.finding(Subject::Checkpoint, key, expected, position);
        }
    }

    /// Compares the rows from a fold of the log with the stored rows.
    pub(crate) fn read_model<Of: ReadModel>(&mut self, expected: &RowsOf<Of>, found: &RowsOf<Of>) {
        self.rows(Subject::ReadModel(Of::TABLE), expected, found, Of::row_name);
    }

    /// Reports every row that is missing on one side or differs, column by column.
    pub(crate) fn rows<Key: Ord, Row: PartialEq + Columns>(
        &mut self,
        subject: Subject,
        expected: &BTreeMap<Key, Row>,
        found: &BTreeMap<Key, Row>,
        row_name: impl Fn(&Key) -> String,
    ) {
        for (key, row) in expected {
            match found.get(key) {
                None => self.finding(subject, row_name(key), written_out(row), "no row"),
                Some(other) if other != row => self.columns(subject, &row_name(key), row, other),
                Some(_) => {}
            }
        }
        for (key, row) in found {
            if !expected.contains_key(key) {
                self.finding(subject, row_name(key), "no row", written_out(row));
            }
        }
    }

    fn columns<Row: Columns>(&mut self, subject: Subject, key: &str, expected: &Row, found: &Row) {
        for ((column, expected), (_, found)) in expected.columns().into_iter().zip(found.columns()) {
            self.equal(subject, format_args!("{key} {column}"), expected, found);
        }
    }
}

fn written_out(row: &impl Columns) -> String {
    let columns: Vec<_> = row
        .columns()
        .into_iter()
        .map(|(column, value)| format!("{column}={value}"))
        .collect();
    columns.join(" ")
}

/// `None` is written as `null`, so that it differs from an empty text.
pub(crate) fn optional(value: Option<impl fmt::Display>) -> String {
    value.map_or_else(|| "null".to_owned(), |value| value.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_is_one_line_even_if_its_texts_have_line_breaks() {
        let finding = Finding {
            business: Some(BusinessId::from_uuid(uuid::Uuid::from_u128(7))),
            subject: Subject::ReadModel("sale"),
            key: "sal_1\nstatus".to_owned(),
            expected: "succeeded".to_owned(),
            found: "fai\nled".to_owned(),
        };
        assert_eq!(
            finding.to_string(),
            "biz_00000000-0000-0000-0000-000000000007 sale sal_1 status: expected succeeded, found fai\\nled"
        );
    }
}
