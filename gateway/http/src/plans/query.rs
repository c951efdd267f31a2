//! The query parameters of the lists of plans.

use gateway_platform::plans::receiving::ReceivingPlanFilter;
use gateway_platform::plans::{PlanFilter, PlanSort};
use ledger_domain::sale::Solution;
use projections::SortOrder;
use utoipa::openapi::{RefOr, Schema};

use crate::edge::query::{QueryWord, text};
use crate::edge::{Paging, QueryValue, query};

/// A longer search text is a 422.
const SEARCH_CHARACTERS_MAX: usize = 120;

query! {
    // The parameters of both lists of plans.
    struct PlanListQuery {
        /// Part of the description. Case and accents are ignored.
        #[example = "padrao"]
        search: Option<SearchText>,
        /// 1 for active plans only, 0 for inactive plans only. Left out: both.
        #[example = 1]
        active: Option<bool>,
        /// created_at or description; the default is created_at.
        #[example = "description"]
        sort: PlanSort = PlanSort::default(),
        /// The default is desc.
        order: SortOrder = SortOrder::Desc,
    }
}

#[derive(Debug, Clone)]
pub struct PlanQuery {
    pub filter: PlanFilter,
    pub paging: Paging,
}

query! {
    impl FromQuery for PlanQuery {
        /// 1 card machine, 2 e-commerce, 3 info product, 4 payment link.
        #[example = 1]
        solution: Option<Solution>,
        list: ..PlanListQuery,
        paging: ..Paging,
    } => Self {
        filter: PlanFilter {
            search: list.search.map(|SearchText(text)| text),
            solution,
            active: list.active,
            sort: list.sort,
            order: list.order,
        },
        paging,
    }
}

#[derive(Debug, Clone)]
pub struct ReceivingPlanQuery {
    pub filter: ReceivingPlanFilter,
    pub paging: Paging,
}

query! {
    impl FromQuery for ReceivingPlanQuery {
        list: ..PlanListQuery,
        paging: ..Paging,
    } => Self {
        filter: ReceivingPlanFilter {
            search: list.search.map(|SearchText(text)| text),
            active: list.active,
            sort: list.sort,
            order: list.order,
        },
        paging,
    }
}

/// The solution whose plans a select field offers.
pub struct SolutionQuery(pub Option<Solution>);

query! {
    impl FromQuery for SolutionQuery {
        /// 1 card machine, 2 e-commerce, 3 info product, 4 payment link.
        #[example = 1]
        solution: Option<Solution>,
    } => Self(solution)
}

impl QueryWord for PlanSort {
    const WORDS: &'static [(&'static str, Self)] =
        &[("created_at", Self::Created), ("description", Self::Description)];
    const INVALID: &'static str = "Deve ser created_at ou description.";
}

struct SearchText(String);

impl QueryValue for SearchText {
    const INVALID: &'static str = "Deve ter até 120 caracteres.";
    const IS_FREE_TEXT: bool = true;

    fn schema() -> RefOr<Schema> {
        text().max_length(Some(SEARCH_CHARACTERS_MAX)).into()
    }

    fn parse(text: &str) -> Option<Self> {
        let validated = text.chars().count() <= SEARCH_CHARACTERS_MAX && !text.chars().any(char::is_control);
        validated.then(|| Self(text.to_owned()))
    }
}
