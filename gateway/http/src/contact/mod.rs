//! Fale com a gente: the contact channels, the messages of sellers to the platform, and the answers of staff.

pub mod bodies;
pub mod seller;
pub mod staff;

use crate::edge::uuid_param;
use crate::shared::change::Subject;

/// Messages in the audit log.
const MESSAGE: Subject = Subject("contact_message");

uuid_param! {
    /// The id of a message in a path.
    MessageId, "message", "0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b10"
}
