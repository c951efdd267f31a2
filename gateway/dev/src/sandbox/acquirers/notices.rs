//! The unsigned notices about charges, each in the format of its acquirer's API (`Contract`).

use std::time::Duration;

use uuid::Uuid;

use super::charge::SandboxCharge;
use crate::sandbox::delivery::{NoticeAddress, OutgoingNotice, ScheduledNotice};

/// A notice in the format of a contract.
pub struct ContractNotice {
    pub event: &'static str,
    pub content_type: &'static str,
    pub body: String,
}

pub const JSON: &str = "application/json";
pub const FORM: &str = "application/x-www-form-urlencoded";

pub fn scheduled(charge: &SandboxCharge, url: &str, copies: usize) -> Vec<ScheduledNotice> {
    let notice = (charge.contract.0.notice)(charge);
    let outgoing = OutgoingNotice::unsigned(
        format!("evt-{}", Uuid::now_v7().simple()),
        notice.event,
        charge.id.clone(),
        notice.body,
        NoticeAddress {
            url: url.to_owned(),
            content_type: notice.content_type,
        },
    );
    let scheduled = ScheduledNotice {
        outgoing,
        after: Duration::ZERO,
    };
    vec![scheduled; copies]
}
