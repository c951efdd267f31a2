//! The volume by company and month, without the attributes of sales, for long periods.

use ledger_domain::BusinessId;
use ledger_domain::calendar::Date;

use super::rows::{Sum, add, changes};
use crate::decoded_event::DecodedEvent;
use crate::error::Poison;
use crate::range::month_of;
use crate::read_model::roll_up::roll_up;
use crate::sales::SaleRecords;

roll_up! {
    table "monthly_sales", after SaleRecords;

    key MonthKey {
        business_id: BusinessId,
        shard: i16,
        /// Its first day.
        month: Date,
    }

    sums of Sum;
    fold Months = Months::add_event;
}

impl Months {
    fn add_event(&mut self, recorded: &DecodedEvent, sales: &SaleRecords) -> Result<(), Poison> {
        for (_, change) in changes(recorded, sales)? {
            let key = MonthKey {
                business_id: recorded.business_id,
                shard: recorded.shard.sql(),
                month: month_of(recorded.occurred_on),
            };
            self.add(key, |sum| add(sum, change))?;
        }
        Ok(())
    }
}
