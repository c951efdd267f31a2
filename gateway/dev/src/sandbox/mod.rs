//! An acquirer and bank simulator for trying the platform: a separate HTTP server in the same binary. It accepts sales
//! like a card terminal or a PIX charge, refunds like an acquirer, and payouts like a bank. Test numbers and amounts
//! decide the outcomes, and the sandbox reports them to the gateway in notices over HTTP.
//!
//! It knows the gateway's address and the providers' secrets, but not its database. It can act as any of the eight
//! providers. It is not for production, because it accepts sales without authentication.

pub mod acquirers;
pub mod bank;
mod delivery;
mod facts;
mod front_page;
mod json_lines;
mod outcomes;
pub mod postal_codes;
mod refunds;
mod sales;
mod server;
mod stream;
mod terminals;

pub use acquirers::{ChargeBook, ChargeOptions, PastCharge, PastMethod};
pub use bank::BankOptions;
pub use delivery::{Deliveries, Delivery, DeliveryStatus, ReceivingGateway};
pub use facts::{FactsRequest, FactsResponse, ReversalNotice};
pub use outcomes::Outcome;
pub use sales::{SaleRequest, SaleResponse};
pub use server::{Sandbox, SandboxOptions};
pub use stream::{StreamRequest, Target};
