//! The query parameters of the lists of plans.

use gateway_environment::request_context;
use gateway_platform::plans::receiving::ReceivingPlanFilter;
use gateway_platform::plans::{PlanFilter, PlanSearch, PlanSort};
use ledger_domain::sale::Solution;
use projections::SortOrder;
use utoipa::openapi::{RefOr, Schema};

use crate::edge::query::text;
use crate::edge::{QueryValue, query};

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

query! {
    impl FromQuery for PlanFilter {
        /// 1 card machine, 2 e-commerce, 3 info product, 4 payment link.
        #[example = 1]
        solution: Option<Solution>,
        list: ..PlanListQuery,
    } => Self {
        at: request_context::now(),
        search: list.search.map(|SearchText(search)| search),
        solution,
        active: list.active,
        sort: list.sort,
        order: list.order,
    }
}

query! {
    impl FromQuery for ReceivingPlanFilter {
        list: ..PlanListQuery,
    } => Self {
        search: list.search.map(|SearchText(search)| search),
        active: list.active,
        sort: list.sort,
        order: list.order,
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

struct SearchText(PlanSearch);

impl QueryValue for SearchText {
    const INVALID: &'static str = "Deve ter até 120 caracteres.";
    const IS_FREE_TEXT: bool = true;

    fn schema() -> RefOr<Schema> {
        text().max_length(Some(SEARCH_CHARACTERS_MAX)).into()
    }

    fn parse(text: &str) -> Option<Self> {
        let validated = text.chars().count() <= SEARCH_CHARACTERS_MAX && !text.chars().any(char::is_control);
        validated.then(|| Self(PlanSearch::of(text)))
    }
}
