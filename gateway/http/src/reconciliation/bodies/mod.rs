//! The answers about settlement days, differences, imports, rates and reported receivables.

mod days;
mod differences;
mod imports;
mod rates;
mod receivables;

pub use days::{SettlementDayPage, SettlementDayRow};
pub use differences::{DecisionForm, DifferencePage, DifferenceRow};
pub use imports::{BadLine, ImportWarning, SettlementImport, SettlementImportDetail, SettlementImportPage};
pub use rates::{AcquirerRateList, AcquirerRateRow};
pub use receivables::{AcquirerReceivablePage, AcquirerReceivableRow};
