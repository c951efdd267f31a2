//! Notices of acquirers that do not sign them. The body is only a hint: the platform looks up the charge and records
//! the answer of the look-up.

use ledger_domain::SaleId;

/// A notice as it arrived.
#[derive(Debug, Clone, Copy)]
pub struct ReceivedNotice<'a> {
    pub content_type: Option<&'a str>,
    pub body: &'a [u8],
}

/// The charge that a notice is about. At least one of the ids is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoticeHint {
    /// The id of the charge at the acquirer.
    pub charge_id: Option<String>,
    pub sale_id: Option<SaleId>,
    /// The acquirer's name of the event, for logs and lists.
    pub event: String,
}

/// Why a notice gives no hint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoticeFault {
    Unreadable,
    /// It is not about a charge, but for example about a transfer.
    Unrelated,
}

/// An acquirer's id of a charge, from a notice. Only characters that cannot change the path of the look-up are taken.
pub(crate) fn charge_id(text: &str) -> Option<String> {
    let is_id = (1..=100).contains(&text.len())
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    is_id.then(|| text.to_owned())
}
