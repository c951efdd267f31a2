//! The reports that a user keeps: saved views, and reports by e-mail. The reports themselves, and the rules of their
//! filters, are in the HTTP layer.

mod deliveries;
mod emails;
mod views;

pub(crate) use deliveries::delivery_content;
pub use deliveries::{
    ReportDelivery, delivery_create, delivery_fetch, delivery_part, delivery_part_add, expired_parts_delete,
};
pub(crate) use emails::may_read_report;
pub use emails::{
    Every, NewReportEmail, REPORT_EMAILS_MAX, ReportEmail, ReportEmailError, StoppedBy, report_email_create,
    report_email_due, report_email_fetch, report_email_locked, report_email_stop, report_emails_late,
    report_emails_of,
};
pub use views::{
    NewView, SavedView, ShownParts, VIEWS_MAX, ViewContent, ViewError, view_create, view_delete, view_locked,
    view_update, views_of,
};

use ledger_domain::BusinessId;
use ledger_domain::ids::UserId;

use crate::audience::Audience;

/// The owner of a saved view or of a report by e-mail, and the company that it is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReportOwner {
    pub audience: Audience,
    pub user: UserId,
    /// `None` for staff.
    pub business: Option<BusinessId>,
}
