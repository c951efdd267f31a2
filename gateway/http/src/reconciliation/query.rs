//! The query parameters of the lists, and the ids in paths.

use chrono::NaiveDate;
use gateway_platform::reconciliation::{
    DayFilter, DifferenceFilter, DifferenceKind, DifferenceState, ImportFilter, ReceivableFilter,
};
use gateway_platform::word_search::WordSearch;
use ledger_domain::sale::Provider;
use projections::SortOrder;
use uuid::Uuid;

use crate::companies::documents::FileName;
use crate::edge::query::check_period;
use crate::edge::{Paging, PathParam, query, uuid_param};

query! {
    impl FromQuery for DifferenceFilter with query {
        /// The acquirer's number or slug
        #[example = "zoop"]
        provider: Option<Provider>,
        /// Only differences of this kind.
        #[example = "missing"]
        kind: Option<DifferenceKind>,
        /// open (default), resolved, gone or all
        // The default is the work that is left for staff.
        state: StateWord = StateWord::Open,
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
    } => {
        check_period(query, start, end);
        Self { provider, kind, state: state.state(), start, end, search, order }
    }
}

query! {
    impl FromQuery for DayFilter with query {
        /// The acquirer's number or slug
        #[example = "zoop"]
        provider: Option<Provider>,
        /// First day, included.
        #[example = "2026-11-01"]
        start: Option<NaiveDate>,
        /// Last day, included.
        #[example = "2026-11-30"]
        end: Option<NaiveDate>,
    } => {
        check_period(query, start, end);
        Self { provider, start, end }
    }
}

query! {
    pub struct DaysQuery {
        days: ..DayFilter,
        paging: ..Paging,
    }
}

query! {
    impl FromQuery for ReceivableFilter {
        days: ..DayFilter,
    } => {
        let DayFilter { provider, start, end } = days;
        Self { provider, start, end, order: SortOrder::Desc }
    }
}

query! {
    impl FromQuery for ImportFilter {
        /// The acquirer's number or slug
        #[example = "zoop"]
        provider: Option<Provider>,
    } => Self { provider }
}

query! {
    pub struct ImportsQuery {
        imports: ..ImportFilter,
        paging: ..Paging,
    }
}

query! {
    pub struct UploadQuery {
        /// The acquirer's number or slug
        #[example = "zoop"]
        provider: Provider,
        /// The name of the file, up to 120 characters. It decides nothing: the format follows from the first lines.
        #[example = "extrato-20261121.txt"]
        name: FileName,
        /// Whether the user has confirmed a file whose date is far in the future or in the past.
        confirm_date: bool = false,
    }
}

ledger_domain::words! {
    enum StateWord {
        Open = "open",
        Resolved = "resolved",
        Gone = "gone",
        All = "all",
    }
}

impl StateWord {
    const fn state(self) -> Option<DifferenceState> {
        match self {
            Self::Open => Some(DifferenceState::Open),
            Self::Resolved => Some(DifferenceState::Resolved),
            Self::Gone => Some(DifferenceState::Gone),
            Self::All => None,
        }
    }
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

uuid_param!(ImportId, "import", "0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b12");

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
