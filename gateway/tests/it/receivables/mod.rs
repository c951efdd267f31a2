//! Receivables by day, by unit and by installment.

mod schedule;
