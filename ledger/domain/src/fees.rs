//! What a sale costs its seller: a plan's terms, the fees and net of one sale, and the gross that leaves a wanted net.
//!
//! The calculator, the sale and the settlement all price by `quote`, because a second formula would drift by cents.

mod explanation;
mod plan;
mod quote;
mod reverse;

pub use explanation::{
    AdvanceCost, ClosedDay, Explanation, ExplanationError, FeeLine, FeePart, FeeRule, InstalmentLine,
    explain, fee_lines,
};
pub use plan::{FeeRow, FeeTable, FeeTableError, MdrBand, MdrFees, PixFee, PlanKind, PlanRef, PlanTerms};
pub use quote::{Priced, Quote, QuoteError, SaleFees, quote};
pub use reverse::{gross_for_net, quote_for_net};

#[cfg(test)]
mod tests;
