//! Whether a lane looks up sales that its memory does not know, before it decides on commands that can open them.
//!
//! Nearly all of them are new, and the look-up finds nothing. So the lane presumes that they are new. The append
//! refuses the batch if one is not: the sale is already recorded, perhaps for another business. The lane then looks up
//! the sales of that batch and decides again. A refused batch costs more than many look-ups, so the lane looks up first
//! while many sales turn out to be known.

/// If the log knows more than one in this many sales that memory does not know, sales are looked up first.
const UNKNOWN_FOR_EACH_KNOWN: u32 = 200;

/// Both counts are halved above this many sales, so that the rate is that of the latest ones.
const COUNTED_MAX: u32 = 4_000;

/// When sales that memory does not know are presumed to be new.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SaleLookUps {
    /// While few of them turn out to be known.
    #[default]
    Adaptive,
    /// Never.
    First,
    /// At any rate of known sales.
    AfterConflict,
}

/// Counts how many of the sales that memory did not know were known to the log.
#[derive(Debug)]
pub(super) struct KnownSales {
    look_ups: SaleLookUps,
    asked: u32,
    known: u32,
}

impl KnownSales {
    pub const fn new(look_ups: SaleLookUps) -> Self {
        Self {
            look_ups,
            asked: 0,
            known: 0,
        }
    }

    /// Whether a sale that memory does not know is presumed to be new.
    pub const fn presumes_new(&self) -> bool {
        match self.look_ups {
            SaleLookUps::Adaptive => self.known * UNKNOWN_FOR_EACH_KNOWN <= self.asked,
            SaleLookUps::First => false,
            SaleLookUps::AfterConflict => true,
        }
    }

    /// Memory did not know a sale.
    pub const fn asked(&mut self) {
        self.asked += 1;
        if self.asked > COUNTED_MAX {
            self.asked /= 2;
            self.known /= 2;
        }
    }

    /// The log knew this many of them.
    pub fn found(&mut self, sales: usize) {
        let sales = u32::try_from(sales).unwrap_or(COUNTED_MAX);
        self.known = self.known.saturating_add(sales).min(COUNTED_MAX);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_known_sales_are_looked_up_first_until_few_are_known() {
        let mut sales = KnownSales::new(SaleLookUps::Adaptive);
        assert!(sales.presumes_new());
        sales.asked();
        sales.found(1);
        assert!(!sales.presumes_new(), "one of one");
        for _ in 1..UNKNOWN_FOR_EACH_KNOWN {
            sales.asked();
        }
        assert!(sales.presumes_new(), "one of 200");
        sales.found(100);
        let asked = (1..).find(|_| {
            sales.asked();
            sales.presumes_new()
        });
        // 200 sales are counted, of which 101 are known. The 4,001st halves both counts, to 2,000 and 50; the next two
        // halvings leave 25 and 12 known. 12 known sales are few enough among 12 × 200 = 2,400.
        assert_eq!(asked, Some(3_801 + 2_001 + 2_001 + 400));
    }
}
