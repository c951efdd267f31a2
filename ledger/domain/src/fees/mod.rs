//! Fees of a sale: the plan's terms, the fees and net of a sale, and the gross for a desired net.
//!
//! The calculator, the capture, the checkout and the explanation of a sale all price by `SalePricing`, because a second
//! formula could differ by cents.

mod explanation;
mod plan;
mod quote;
mod reverse;

pub use explanation::{
    AdvanceCost, ClosedDay, Explanation, ExplanationError, FeeLine, FeePart, FeeRule, InstallmentLine,
    explain, fee_lines,
};
pub use plan::{FeeRow, FeeTable, FeeTableError, MdrBand, MdrFees, PixFee, PlanKind, PlanRef, PlanTerms};
pub use quote::{PricingInput, Quote, QuoteError, SaleFees, quote, sale_fees};
pub use reverse::{gross_for_net, quote_for_net};

#[cfg(test)]
mod tests;
