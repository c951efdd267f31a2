//! The reference data of a withdrawal: the company's approval, the fee and the possible destinations. It is read at the
//! time of the request, and the ledger stores the fee and the destination with the transfer.

use ledger_domain::business::WithdrawalContext;
use ledger_domain::transfer::{AccountType, BankAccount, Destination, DestinationKind};
use ledger_domain::{BusinessId, Cents};
use ledger_rows::{FromRow, fetch_opt, params, row};
use tokio_postgres::{Error, GenericClient};

use super::approval::Approval;

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

row! {
    impl FromRow for WithdrawalReferenceData {
        approval: Approval = "b.approval",
        fee: Cents = "r.flat_rate",
        document: String = "b.document",
        account_type: Option<AccountType> = "a.account_type",
        bank_code: Option<String> = "a.bank_code",
        routing_number: Option<String> = "a.routing_number",
        routing_digit: Option<String> = "a.routing_digit",
        account_number: Option<String> = "a.account_number",
        account_digit: Option<String> = "a.account_digit",
    } => {
        // The columns of an account that was not found are null together.
        let account = || Some(BankAccount {
            account_type: account_type?,
            bank_code: bank_code?,
            routing_number: routing_number?,
            routing_digit,
            account_number: account_number?,
            account_digit: account_digit?,
        });
        Self { approval, fee, bank_account: account(), document }
    }
}

pub async fn withdrawal_reference_data(
    client: &impl GenericClient,
    business_id: BusinessId,
) -> Result<Option<WithdrawalReferenceData>, Error> {
    let sql = format!(
        "SELECT {} FROM business b
           JOIN receiving_plan r ON r.id = b.receiving_plan_id
           LEFT JOIN bank_account a ON a.business_id = b.id AND a.is_default
          WHERE b.id = $1",
        WithdrawalReferenceData::COLUMNS
    );
    fetch_opt(client, &sql, params![business_id]).await
}
