//! Adjustments of balances that one person may not make alone: the limit, the requests for a second person, and the
//! decisions. The rules are in `gateway_platform::adjustments`.

mod bodies;
pub mod decisions;
mod emails;
pub mod list;
pub mod way;

use std::sync::Arc;

use gateway_environment::config::Panel;
use gateway_identity::users::NamesOfStaff;
use gateway_platform::adjustments::Adjustments;

pub use bodies::AdjustmentRequest;

use crate::AppState;
use crate::edge::uuid_param;

uuid_param! {
    /// The id of a request in a path.
    RequestId, "adjustment request", "0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b0d"
}

impl AppState {
    /// The service that makes approved adjustments.
    pub fn adjustments(&self) -> Adjustments {
        Adjustments {
            pool: self.pool.clone(),
            writer: self.writer.clone(),
            wake: self.wake.clone(),
            ids: self.ids.clone(),
            clock: self.clock,
            names: Arc::new(NamesOfStaff),
            sellers_url: self.config.hosts.url(Panel::Seller),
        }
    }
}
