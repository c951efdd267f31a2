//! The findings about chained rows, each printed as one line that names the table and the row.

use std::fmt;

use ledger_domain::BusinessId;
use ledger_store::tree_head::InvalidTreeHead;
use uuid::Uuid;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowFinding {
    /// The company of the chain. `None`: the platform's chain, or no chain.
    pub business: Option<BusinessId>,
    /// A chained table, or a table of the chains themselves.
    pub table: String,
    /// The row's key. Empty if the finding is about no single row.
    pub key: String,
    pub what: RowDifference,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RowDifference {
    /// The row is not as its last recorded change left it.
    Changed {
        change: i64,
    },
    /// The row is gone, and no change says that it was deleted.
    Gone {
        change: i64,
    },
    /// The row was deleted according to its last recorded change.
    Returned {
        change: i64,
    },
    /// The row exists, and no change says that it was added.
    Unrecorded,
    /// A column that follows from other rows has another value.
    Derived {
        column: &'static str,
        expected: String,
        found: String,
    },
    /// The change has no valid proof, so the program did not make it.
    Unproven {
        change: i64,
        kind: String,
    },
    Link {
        change: i64,
    },
    PositionGap {
        expected: i64,
        found: i64,
    },
    /// The chain's last link and its number of changes, as stored, differ from its changes.
    ChainState {
        stored: i64,
        found: i64,
    },
    /// The table has recorded changes, but is not among the chained tables.
    NotChained,
    /// A chained column does not exist.
    NoColumn {
        column: String,
    },
    /// The triggers that record changes are missing or disabled.
    NoTrigger,
    HeadInvalid(InvalidTreeHead),
    HeadRoot,
    HeadLink,
    HeadGap {
        expected: i64,
    },
    HeadAhead {
        position: i64,
        last: i64,
    },
    ExportedHeadMissing,
    ExportedHeadDiffers,
}

impl RowFinding {
    pub(super) fn new(chain: Uuid, table: &str, key: &str, what: RowDifference) -> Self {
        Self {
            business: (!chain.is_nil()).then(|| BusinessId::from_uuid(chain)),
            table: table.to_owned(),
            key: key.to_owned(),
            what,
        }
    }
}

impl fmt::Display for RowFinding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.business {
            Some(business) => write!(f, "{business} ")?,
            None => f.write_str("no business ")?,
        }
        // Control characters in a tampered text must not break the line.
        let key = self.key.replace(char::is_control, " ");
        write!(f, "{} {key}: {}", self.table, self.what)
    }
}

impl fmt::Display for RowDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Changed { change } => write!(f, "the row differs from its last recorded change, {change}"),
            Self::Gone { change } => {
                write!(f, "the row is gone, and its last recorded change is {change}")
            }
            Self::Returned { change } => write!(f, "the row exists, and change {change} deleted it"),
            Self::Unrecorded => f.write_str("the row has no recorded change"),
            Self::Derived {
                column,
                expected,
                found,
            } => write!(f, "{column}: expected {expected}, found {found}"),
            Self::Unproven { change, kind } => {
                write!(f, "change {change} ({kind}) was not made by the program")
            }
            Self::Link { change } => write!(f, "the chain is broken at change {change}"),
            Self::PositionGap { expected, found } => {
                write!(f, "expected a change at position {expected}, found {found}")
            }
            Self::ChainState { stored, found } => {
                write!(
                    f,
                    "the chain should end after {stored} changes, and ends otherwise after {found}"
                )
            }
            Self::NotChained => f.write_str("the table has recorded changes, but is not chained"),
            Self::NoColumn { column } => write!(f, "the chained column {column} does not exist"),
            Self::NoTrigger => f.write_str("the triggers that record changes are missing or disabled"),
            Self::HeadInvalid(reason) => write!(f, "head: {reason}"),
            Self::HeadRoot => f.write_str("head: the root differs from the chains"),
            Self::HeadLink => f.write_str("head: does not name the previous head"),
            Self::HeadGap { expected } => write!(f, "head: number {expected} is missing before it"),
            Self::HeadAhead { position, last } => {
                write!(
                    f,
                    "head: covers position {position}, and the changes end at {last}"
                )
            }
            Self::ExportedHeadMissing => {
                f.write_str("head: has an external copy, but is not in the database")
            }
            Self::ExportedHeadDiffers => f.write_str("head: differs from its external copy"),
        }
    }
}
