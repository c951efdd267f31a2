//! The reference data of a withdrawal: the company's approval, the fee and the possible destinations. It is read at the
//! time of the request, and the ledger stores the fee and the destination with the transfer.

use ledger_domain::business::WithdrawalContext;
use ledger_domain::transfer::{BankAccount, Destination, DestinationKind};
use ledger_domain::{BusinessId, Cents};
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient};

use super::approval::Approval;
use super::bank_accounts::bank_account;
use crate::columns;

#[derive(Debug, Clone)]
pub struct WithdrawalReferenceData {
    pub approval: Approval,
    /// The flat rate of the receiving plan.
    pub fee: Cents,
    /// The default bank account.
    pub bank_account: Option<BankAccount>,
    /// The CPF or CNPJ. It is the company's PIX key.
    pub document: String,
}

impl WithdrawalReferenceData {
    /// `None` for a bank account if the company has no default one.
    pub fn destination(&self, kind: DestinationKind) -> Option<Destination> {
        match kind {
            DestinationKind::BankAccount => self.bank_account.clone().map(Destination::BankAccount),
            DestinationKind::Pix => Some(Destination::Pix {
                key: self.document.clone(),
            }),
        }
    }

    pub fn context(&self, kind: DestinationKind) -> WithdrawalContext {
        WithdrawalContext {
            company_status: self.approval.company_status(),
            fee: Some(self.fee),
            destination: self.destination(kind),
        }
    }

    /// The smallest amount that can be withdrawn. The ledger's domain has the same rule.
    pub fn minimum(&self) -> Cents {
        self.fee.max(Cents::AMOUNT_MIN)
    }
}

pub async fn withdrawal_reference_data(
    client: &impl GenericClient,
    business_id: BusinessId,
) -> Result<Option<WithdrawalReferenceData>, Error> {
    let rows = client
        .query_typed(
            "SELECT b.approval, b.document, r.flat_rate, a.bank_code, a.account_type, a.routing_number, a.routing_digit,
                    a.account_number, a.account_digit
               FROM business b
               JOIN receiving_plan r ON r.id = b.receiving_plan_id
               LEFT JOIN bank_account a ON a.business_id = b.id AND a.is_default
              WHERE b.id = $1",
            &[(&business_id.uuid(), Type::UUID)],
        )
        .await?;
    let Some(row) = rows.first() else { return Ok(None) };
    Ok(Some(WithdrawalReferenceData {
        approval: columns::read(row, "approval")?,
        fee: Cents::new(row.get("flat_rate")),
        bank_account: bank_account(row)?,
        document: row.get("document"),
    }))
}
