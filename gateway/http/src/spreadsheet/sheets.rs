//! The spreadsheets that are lists of the panels. The panels have the titles of their columns from here (`razao sheets`,
//! ui/src/api/sheets.json), so that a list and its file use the same words.

use super::Table;
use crate::shared::InOrder;
use crate::{
    balance, companies, contact, holds, links, plans, receivables, reconciliation, reports, reserves, sales,
    terminals, users, withdrawals,
};

pub struct ListSheet {
    pub name: &'static str,
    /// Each column by its key in the panels, in the order of the file.
    pub titles: Vec<(&'static str, &'static str)>,
}

fn sheet<Row: 'static>(name: &'static str, table: &Table<Row>) -> ListSheet {
    let titles = table
        .columns
        .iter()
        .map(|column| (column.key.unwrap_or_default(), column.title));
    ListSheet {
        name,
        titles: titles.collect(),
    }
}

pub fn sheets() -> Vec<ListSheet> {
    vec![
        sheet("sales", &sales::spreadsheets::SALES),
        sheet("staffSales", &sales::spreadsheets::STAFF_SALES),
        sheet("statement", &balance::spreadsheets::STATEMENT),
        sheet("staffStatement", &balance::spreadsheets::STAFF_STATEMENT),
        sheet("transfers", &withdrawals::spreadsheets::TRANSFERS),
        sheet("staffTransfers", &withdrawals::spreadsheets::STAFF_TRANSFERS),
        sheet("journal", &balance::spreadsheets::JOURNAL),
        sheet("receivables", &receivables::spreadsheets::RECEIVABLES),
        sheet("receivableUnits", &receivables::spreadsheets::RECEIVABLE_UNITS),
        sheet("dueInstallments", &receivables::spreadsheets::DUE_INSTALLMENTS),
        sheet("companies", &companies::bodies::list::COMPANIES),
        sheet("team", &users::bodies::seller_user::TEAM),
        sheet("sellerUsers", &users::bodies::seller_user::SELLER_USERS),
        sheet("staffUsers", &users::bodies::admin_user::STAFF_USERS),
        sheet("terminals", &terminals::bodies::TERMINALS),
        sheet("ownTerminals", &terminals::bodies::OWN_TERMINALS),
        sheet("links", &links::spreadsheets::LINKS),
        sheet("staffLinks", &links::spreadsheets::ADMIN_LINKS),
        sheet("contactMessages", &contact::bodies::CONTACT_MESSAGES),
        sheet("holds", &holds::bodies::HOLDS),
        sheet("holdDocuments", &holds::documents::bodies::HOLD_DOCUMENTS),
        sheet("reservedInstallments", &reserves::bodies::RESERVED),
        sheet(
            "settlementDifferences",
            &reconciliation::spreadsheets::DIFFERENCES,
        ),
        sheet("acquirerReceivables", &reconciliation::spreadsheets::RECEIVABLES),
        sheet("plans", &plans::spreadsheets::PLANS),
        sheet("planChanges", &plans::spreadsheets::PLAN_CHANGES),
        sheet("receivingPlans", &plans::spreadsheets::RECEIVING_PLANS),
        sheet("reportEmails", &reports::emails::spreadsheets::REPORT_EMAILS),
    ]
}

/// The figures of reports. Their file has columns that no screen has, so only the named ones are here.
fn figures() -> ListSheet {
    let mut figures = sheet("figures", &reports::spreadsheets::REPORT);
    figures.titles.retain(|(key, _)| !key.is_empty());
    figures
}

/// The titles of each sheet by their keys, as JSON.
pub fn titles() -> String {
    let mut sheets = sheets();
    sheets.push(figures());
    let by_sheet = InOrder(
        sheets
            .iter()
            .map(|sheet| (sheet.name, InOrder(sheet.titles.iter().copied()))),
    );
    serde_json::to_string_pretty(&by_sheet).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_column_of_a_list_has_a_key_of_its_own() {
        for ListSheet { name, titles } in sheets() {
            let keys: BTreeSet<_> = titles.iter().map(|(key, _)| key).collect();
            assert!(keys.len() == titles.len() && !keys.contains(&""), "{name}");
        }
    }
}
