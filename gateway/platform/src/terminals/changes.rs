//! Checks before a change to a terminal. The caller has locked its row.

use ledger_domain::BusinessId;
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient};

use super::list::TerminalRecord;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TerminalRefusal {
    /// The terminal was changed after the user read it. Has the present record.
    Changed(Box<TerminalRecord>),
    /// The company that the request names had the terminal. Another company has it now, or it is in stock.
    OtherOwner(Box<TerminalRecord>),
    /// The serial number is registered.
    KnownSerial(Box<TerminalRecord>),
    /// A denied or deleted company gets no terminal.
    CompanyNotActive,
    UnknownCompany,
}

impl TerminalRecord {
    /// Refuses a change that was decided on another version. Without a version there is nothing to compare.
    pub fn check_version(&self, seen: Option<i32>) -> Result<(), TerminalRefusal> {
        match seen {
            Some(seen) if seen != self.version => Err(TerminalRefusal::Changed(Box::new(self.clone()))),
            _ => Ok(()),
        }
    }

    pub fn is_owned_by(&self, business_id: BusinessId) -> bool {
        self.company
            .as_ref()
            .is_some_and(|company| company.id == business_id)
    }
}

/// Locks the company that will own a terminal, so that its approval stays until the commit, and returns its name.
pub async fn lock_new_owner(
    client: &impl GenericClient,
    business_id: BusinessId,
) -> Result<Result<String, TerminalRefusal>, Error> {
    let row = client
        .query_typed_opt(
            "SELECT name, approval IN ('denied', 'deleted') FROM business WHERE id = $1 FOR SHARE",
            &[(&business_id.uuid(), Type::UUID)],
        )
        .await?;
    Ok(match row {
        None => Err(TerminalRefusal::UnknownCompany),
        Some(row) if row.get(1) => Err(TerminalRefusal::CompanyNotActive),
        Some(row) => Ok(row.get(0)),
    })
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;
    use ledger_domain::TerminalId;
    use uuid::Uuid;

    use super::*;
    use crate::companies::NamedCompany;

    fn company(number: u128) -> BusinessId {
        BusinessId::from_uuid(Uuid::from_u128(number))
    }

    fn terminal(of: Option<u128>) -> TerminalRecord {
        TerminalRecord {
            id: TerminalId::from_uuid(Uuid::from_u128(9)),
            serial_number: "PDV1".to_owned(),
            name: None,
            company: of.map(|number| NamedCompany {
                id: company(number),
                name: "Padaria".to_owned(),
                document: "11222333000181".to_owned(),
            }),
            owned_since: None,
            billing: None,
            created_at: DateTime::UNIX_EPOCH,
            version: 3,
        }
    }

    #[test]
    fn a_change_decided_on_another_version_is_refused() {
        let terminal = terminal(Some(1));
        assert_eq!(terminal.check_version(None), Ok(()));
        assert_eq!(terminal.check_version(Some(3)), Ok(()));
        let refused = terminal.check_version(Some(2));
        assert_eq!(refused, Err(TerminalRefusal::Changed(Box::new(terminal))));
    }

    #[test]
    fn only_the_company_that_has_a_terminal_owns_it() {
        assert!(terminal(Some(1)).is_owned_by(company(1)));
        assert!(!terminal(Some(1)).is_owned_by(company(2)));
        assert!(!terminal(None).is_owned_by(company(1)));
    }
}
