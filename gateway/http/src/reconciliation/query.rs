//! The query parameters of the lists, and the ids in paths.

use chrono::NaiveDate;
use gateway_platform::reconciliation::{DifferenceFilter, DifferenceKind, DifferenceState, ReceivableFilter};
use gateway_platform::word_search::WordSearch;
use ledger_domain::sale::Provider;
use projections::SortOrder;
use uuid::Uuid;

use crate::companies::documents::FileName;
use crate::edge::query::{QueryWord, check_period};
use crate::edge::{Paging, PathParam, query};

pub struct DifferenceQuery {
    pub filter: DifferenceFilter,
    pub paging: Paging,
}

query! {
    impl FromQuery for DifferenceQuery with query {
        /// The acquirer's number or slug
        #[example = "zoop"]
        provider: Option<Provider>,
        /// Only differences of this kind.
        #[example = "missing"]
        kind: Option<DifferenceKind>,
        /// open (default), resolved, gone or all
        // The default is the work that is left for staff.
        state: StateWord = StateWord(Some(DifferenceState::Open)),
        /// First day, included.
        #[example = "2026-11-01"]
        start: Option<NaiveDate>,
        /// Last day, included.
        #[example = "2026-11-30"]
        end: Option<NaiveDate>,
        /// The beginnings of words of the acquirer's reference, the sale's id, and the company or its document.
        #[example = "padaria"]
        search: Option<WordSearch>,
        /// The order of days; the default is desc.
        order: SortOrder = SortOrder::Desc,
        paging: ..Paging,
    } => {
        check_period(query, start, end);
        Self {
            filter: DifferenceFilter { provider, kind, state: state.0, start, end, search, order },
            paging,
        }
    }
}

pub struct DaysQuery {
    pub filter: ReceivableFilter,
    pub paging: Paging,
}

query! {
    impl FromQuery for DaysQuery with query {
        /// The acquirer's number or slug
        #[example = "zoop"]
        provider: Option<Provider>,
        /// First day, included.
        #[example = "2026-11-01"]
        start: Option<NaiveDate>,
        /// Last day, included.
        #[example = "2026-11-30"]
        end: Option<NaiveDate>,
        paging: ..Paging,
    } => {
        check_period(query, start, end);
        Self {
            filter: ReceivableFilter { provider, start, end, order: SortOrder::Desc },
            paging,
        }
    }
}

query! {
    pub struct ImportsQuery {
        /// The acquirer's number or slug
        #[example = "zoop"]
        provider: Option<Provider>,
        paging: ..Paging,
    }
}

query! {
    pub struct UploadQuery {
        /// The acquirer's number or slug
        #[example = "zoop"]
        provider: Provider,
        /// The name of the file, up to 120 characters. It decides nothing: the format follows from the first line.
        #[example = "extrato-20261121.txt"]
        name: FileName,
    }
}

/// The state of the differences; `None` for all.
#[derive(Clone, Copy)]
struct StateWord(Option<DifferenceState>);

impl QueryWord for StateWord {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("open", Self(Some(DifferenceState::Open))),
        ("resolved", Self(Some(DifferenceState::Resolved))),
        ("gone", Self(Some(DifferenceState::Gone))),
        ("all", Self(None)),
    ];
    const INVALID: &'static str = "Deve ser open, resolved, gone ou all.";
}

impl QueryWord for DifferenceKind {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("missing", Self::Missing),
        ("unknown", Self::Unknown),
        ("amount", Self::Amount),
        ("date", Self::Date),
        ("fee", Self::Fee),
        ("double", Self::Duplicate),
    ];
    const INVALID: &'static str = "Deve ser missing, unknown, amount, date, fee ou double.";
}

pub struct DifferenceId(pub Uuid);

impl PathParam for DifferenceId {
    const NOUN: &'static str = "difference";
    const EXAMPLE: &'static str = "0193f0a0-5b1e-5c3a-9d7e-2f6f4f5a1b11";
    const DESCRIPTION: Option<&'static str> = Some("The difference's id");

    fn parse(text: &str) -> Option<Self> {
        Uuid::try_parse(text).ok().map(Self)
    }
}

/// The last segment of the path of a decision.
pub enum Decision {
    Resolve,
    Reopen,
}

impl PathParam for Decision {
    const NOUN: &'static str = "action";
    const EXAMPLE: &'static str = "resolve";
    const DESCRIPTION: Option<&'static str> = Some("resolve or reopen");

    fn parse(text: &str) -> Option<Self> {
        match text {
            "resolve" => Some(Self::Resolve),
            "reopen" => Some(Self::Reopen),
            _ => None,
        }
    }
}

pub struct ImportId(pub Uuid);

impl PathParam for ImportId {
    const NOUN: &'static str = "import";
    const EXAMPLE: &'static str = "0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b12";

    fn parse(text: &str) -> Option<Self> {
        Uuid::try_parse(text).ok().map(Self)
    }
}
