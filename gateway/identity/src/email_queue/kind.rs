//! The kinds of e-mails, as the column `mail.kind` has them.

use crate::credentials::codes;

ledger_domain::words! {
    /// The event or request that an e-mail is about. It selects the texts, the recipient and the checks.
    pub enum EmailKind {
        Welcome = "welcome",
        VerifyEmail = "verify-email",
        ResetPassword = "reset-password",
        PasswordChanged = "password-changed",
        PasswordSet = "password-set",
        EmailChangeAsked = "email-change-asked",
        EmailChanged = "email-changed",
        BankAccountChanged = "bank-account-changed",
        DocumentChanged = "document-changed",
        UserAdded = "user-added",
        CompanyDecided = "company-decided",
        ApprovalRequested = "approval-requested",
        ApprovalAnswered = "approval-answered",
        ContactMessage = "contact-message",
        ContactAnswer = "contact-answer",
        PlanChangeRequested = "plan-change-requested",
        PlanChangeDecided = "plan-change-decided",
        AdjustmentRequested = "adjustment-requested",
        AdjustmentDecided = "adjustment-decided",
        RuleLoosened = "rule-loosened",
        OrderToPay = "order-to-pay",
        OrderPaid = "order-paid",
        OrderExpired = "order-expired",
        LinkPaid = "link-paid",
        ReportReady = "report-ready",
        ReportStopped = "report-stopped",
        WithdrawalReturned = "withdrawal-returned",
        HoldDocumentsAsked = "hold-documents-asked",
        HoldDocumentRefused = "hold-document-refused",
    }
}

impl EmailKind {
    /// The purpose of the code in the e-mail's link; `None` if the e-mail has no code.
    pub const fn purpose(self) -> Option<codes::Purpose> {
        match self {
            Self::Welcome | Self::VerifyEmail => Some(codes::Purpose::VerifyEmail),
            Self::ResetPassword => Some(codes::Purpose::ResetPassword),
            Self::EmailChangeAsked => Some(codes::Purpose::ApproveEmail),
            Self::PasswordChanged
            | Self::PasswordSet
            | Self::EmailChanged
            | Self::BankAccountChanged
            | Self::DocumentChanged
            | Self::UserAdded
            | Self::CompanyDecided
            | Self::ApprovalRequested
            | Self::ApprovalAnswered
            | Self::ContactMessage
            | Self::ContactAnswer
            | Self::PlanChangeRequested
            | Self::PlanChangeDecided
            | Self::AdjustmentRequested
            | Self::AdjustmentDecided
            | Self::RuleLoosened
            | Self::OrderToPay
            | Self::OrderPaid
            | Self::OrderExpired
            | Self::LinkPaid
            | Self::ReportReady
            | Self::ReportStopped
            | Self::WithdrawalReturned
            | Self::HoldDocumentsAsked
            | Self::HoldDocumentRefused => None,
        }
    }

    /// Whether the e-mail goes to a buyer, who is no user. The buyer's name and address are read when it is sent.
    pub const fn is_for_buyer(self) -> bool {
        matches!(self, Self::OrderToPay | Self::OrderPaid | Self::OrderExpired)
    }

    /// Whether the e-mail goes only to admin users who may decide on plans, payments and requested approvals.
    pub const fn is_for_deciding_staff(self) -> bool {
        matches!(
            self,
            Self::ApprovalRequested
                | Self::PlanChangeRequested
                | Self::PlanChangeDecided
                | Self::AdjustmentRequested
                | Self::AdjustmentDecided
                | Self::RuleLoosened
        )
    }
}

#[cfg(test)]
mod tests {
    use gateway_platform::adjustments::DOCUMENTS_EMAIL_KIND;
    use gateway_platform::buyers::{OrderEmail, SELLER_EMAIL_KIND};
    use gateway_platform::effects::payouts::RETURN_EMAIL_KIND;

    use super::EmailKind;

    #[test]
    fn the_kinds_that_the_platform_queues_are_known_and_for_buyers_except_the_seller_s() {
        for email in OrderEmail::ALL {
            let kind = EmailKind::parse(email.kind());
            assert!(kind.is_ok_and(EmailKind::is_for_buyer), "{email:?}");
        }
        assert_eq!(EmailKind::parse(SELLER_EMAIL_KIND), Ok(EmailKind::LinkPaid));
        assert!(!EmailKind::LinkPaid.is_for_buyer());
        assert_eq!(
            EmailKind::parse(RETURN_EMAIL_KIND),
            Ok(EmailKind::WithdrawalReturned)
        );
        assert_eq!(
            EmailKind::parse(DOCUMENTS_EMAIL_KIND),
            Ok(EmailKind::HoldDocumentsAsked)
        );
    }
}
