//! Where the next page of a list of sales begins.

use std::fmt;
use std::str::FromStr;

use ledger_domain::SaleId;
use ledger_domain::calendar::Instant;
use ledger_domain::sale::SaleStatus;

use super::counted::{CountedPart, ListedSale};
use crate::page::{NotACursor, cursor_instant};

/// The last row of a page: the next page begins after it. Its text is opaque to callers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SaleCursor {
    pub(super) occurred_at: Instant,
    pub(super) sale_id: SaleId,
    pub(super) tie_breaker: TieBreaker,
}

/// What tells apart the rows that one sale has at one instant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TieBreaker {
    Whole,
    /// In lists of settlements.
    Installment(i16),
    /// In lists of reversals.
    Status(SaleStatus),
}

impl SaleCursor {
    /// A full page may have a next page; a short one is the last.
    pub(super) fn after(rows: &[ListedSale], limit: i64) -> Option<Self> {
        let full = i64::try_from(rows.len()).is_ok_and(|count| count == limit);
        rows.last().filter(|_| full).map(|row| {
            let counted = row.counted.as_ref();
            Self {
                occurred_at: counted.map_or(row.sale.occurred_at, |counted| counted.at),
                sale_id: row.sale.sale_id,
                tie_breaker: counted.map_or(TieBreaker::Whole, TieBreaker::of),
            }
        })
    }
}

impl TieBreaker {
    fn of(counted: &CountedPart) -> Self {
        let installment = counted
            .installment
            .map(|number| Self::Installment(i16::from(number)));
        installment
            .or(counted.status.map(Self::Status))
            .unwrap_or(Self::Whole)
    }

    /// 0 in a cursor of another list.
    pub(super) fn installment(self) -> i16 {
        match self {
            Self::Installment(number) => number,
            Self::Whole | Self::Status(_) => 0,
        }
    }

    /// Empty in a cursor of another list.
    pub(super) fn status(self) -> &'static str {
        match self {
            Self::Status(status) => status.as_str(),
            Self::Whole | Self::Installment(_) => "",
        }
    }
}

impl fmt::Display for SaleCursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            occurred_at,
            sale_id,
            tie_breaker,
        } = self;
        write!(f, "{}.{}", occurred_at.timestamp_micros(), sale_id.uuid())?;
        match tie_breaker {
            TieBreaker::Whole => Ok(()),
            TieBreaker::Installment(number) => write!(f, ".{number}"),
            TieBreaker::Status(status) => write!(f, ".{}", status.as_str()),
        }
    }
}

impl FromStr for SaleCursor {
    type Err = NotACursor;

    fn from_str(text: &str) -> Result<Self, NotACursor> {
        let (micros, sale) = text.split_once('.').ok_or(NotACursor)?;
        let micros = micros.parse().map_err(|_| NotACursor)?;
        let (sale, tie_breaker) = match sale.split_once('.') {
            Some((sale, tie)) => (sale, tie.parse()?),
            None => (sale, TieBreaker::Whole),
        };
        Ok(Self {
            occurred_at: cursor_instant(micros)?,
            sale_id: SaleId::from_uuid(sale.parse().map_err(|_| NotACursor)?),
            tie_breaker,
        })
    }
}

impl FromStr for TieBreaker {
    type Err = NotACursor;

    fn from_str(text: &str) -> Result<Self, NotACursor> {
        match text.parse() {
            Ok(installment) => Ok(Self::Installment(installment)),
            Err(_) => SaleStatus::parse(text).map(Self::Status).map_err(|_| NotACursor),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_reads_back_from_its_text() {
        let cursor = SaleCursor {
            occurred_at: Instant::from_timestamp_micros(1_790_000_000_123_456).expect("an instant"),
            sale_id: SaleId::from_uuid(uuid::Uuid::from_u128(7)),
            tie_breaker: TieBreaker::Whole,
        };
        for tie_breaker in [
            TieBreaker::Whole,
            TieBreaker::Installment(3),
            TieBreaker::Status(SaleStatus::ChargedBack),
        ] {
            let cursor = SaleCursor {
                tie_breaker,
                ..cursor
            };
            assert_eq!(cursor.to_string().parse(), Ok(cursor));
        }
        assert_eq!("".parse::<SaleCursor>(), Err(NotACursor));
        assert_eq!("1.x".parse::<SaleCursor>(), Err(NotACursor));
    }
}
