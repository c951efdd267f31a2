//! The answers about settlement days, differences, imports, rates and reported receivables.

mod days;
mod differences;
mod imports;
mod rates;
mod receivables;

pub use days::{SettlementDayPage, SettlementDayRow};
pub use differences::{DifferenceKindName, DifferencePage, DifferenceRow, DifferenceStateName};
pub use imports::{BadLine, SettlementImport, SettlementImportDetail, SettlementImportPage};
pub use rates::{AcquirerRateList, AcquirerRateRow};
pub use receivables::{AcquirerReceivablePage, AcquirerReceivableRow, EntryName};
