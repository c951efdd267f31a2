//! The reports that users keep: saved views, and reports by e-mail with the job that sends them.
//!
//! The reports themselves are calls of the HTTP layer, which also reads their filters. The job asks for them, for the
//! users' access and for the e-mails through a port.

mod deliveries;
mod emails;
mod job;
mod names;
mod views;

pub use deliveries::{
    ReportDelivery, delivery_content, delivery_create, delivery_fetch, delivery_part, delivery_part_add,
    expired_parts_delete,
};
pub use emails::{
    NewReportEmail, REPORT_EMAIL, REPORT_EMAILS_MAX, ReportEmail, ReportEmailError, Rhythm, StoppedBy,
    report_email_create, report_email_fetch, report_email_locked, report_email_stop, report_emails_late,
    report_emails_of,
};
pub use job::{
    PortError, ReportEmails, ReportEmailsError, ReportNotice, ReportPort, RunCounts, WakeSender, Workbook,
};
pub use names::{Filters, ReportName};
pub use views::{
    NewView, SavedView, ShownParts, VIEWS_MAX, ViewContent, ViewError, view_create, view_delete, view_locked,
    view_update, views_of,
};

use ledger_domain::BusinessId;
use ledger_domain::ids::UserId;

use crate::audience::Audience;
use crate::audit::Actor;

/// The owner of a saved view or of a report by e-mail, and the company that it is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReportOwner {
    pub audience: Audience,
    pub user: UserId,
    /// `None` for staff.
    pub business: Option<BusinessId>,
}

impl ReportOwner {
    pub const fn actor(self) -> Actor {
        self.audience.actor(self.user)
    }
}
