//! The columns of a measure: the sums of the companies by shard and day, and by shard and month.

use std::collections::{BTreeMap, HashMap};

use ledger_domain::calendar::Date;
use tokio_postgres::GenericClient;
use uuid::Uuid;

use super::super::filter::FigureFilter;
use super::super::months_and_days::MonthsAndDays;
use super::read::{self, LoadedPart};
use super::{Sums, business};
use crate::Error;

/// A day or a month of one shard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Part {
    pub of: PartOf,
    /// The day, or the first day of the month.
    pub first: Date,
    /// `None` for fees, which are read for all shards at once: few companies pay them.
    pub shard: Option<i16>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum PartOf {
    Day,
    Month,
    /// The companies that paid fees of withdrawals or rentals on the day. Their sums are zero.
    FeesOfDay,
    FeesOfMonth,
}

#[derive(Debug, Default)]
pub(super) struct Columns {
    /// The companies of all parts. A part names them by their places here.
    companies: Vec<Uuid>,
    places: HashMap<Uuid, u32>,
    parts: BTreeMap<Part, Column>,
}

#[derive(Debug, Default)]
struct Column {
    version: i64,
    companies: Vec<u32>,
    sums: Vec<i64>,
}

impl Columns {
    /// Reads the parts of the period that are missing or have changed, and returns all parts of the period.
    ///
    /// The versions are read first. If a part changes between the two readings, it is newer than its version says, and
    /// the next ranking reads it once more.
    pub async fn refresh(
        &mut self,
        client: &impl GenericClient,
        filter: &FigureFilter,
        amount: &str,
        period: &MonthsAndDays,
        or_fees: bool,
    ) -> Result<Vec<Part>, Error> {
        let versions = read::versions(client, period, or_fees).await?;
        let mut changed: BTreeMap<(PartOf, Date), Vec<Part>> = BTreeMap::new();
        for (part, version) in &versions {
            if self
                .parts
                .get(part)
                .is_none_or(|column| column.version != *version)
            {
                changed.entry((part.of, part.first)).or_default().push(*part);
            }
        }
        for ((of, first), parts) in changed {
            let shards: Vec<i16> = parts.iter().filter_map(|part| part.shard).collect();
            let mut loaded = read::parts(client, filter, amount, (of, first), &shards).await?;
            for part in parts {
                // Without a row, the filter counts no sale of the part.
                let column = loaded.remove(&part.shard).unwrap_or_default();
                let column = self.column(column, versions.get(&part).copied().unwrap_or_default())?;
                self.parts.insert(part, column);
            }
        }
        Ok(versions.into_keys().collect())
    }

    fn column(&mut self, loaded: LoadedPart, version: i64) -> Result<Column, Error> {
        let mut companies = Vec::with_capacity(loaded.companies.len());
        for company in loaded.companies {
            companies.push(self.place(company)?);
        }
        Ok(Column {
            version,
            companies,
            sums: loaded.sums,
        })
    }

    fn place(&mut self, company: Uuid) -> Result<u32, Error> {
        if let Some(place) = self.places.get(&company) {
            return Ok(*place);
        }
        let place = u32::try_from(self.companies.len())
            .map_err(|_| Error::unreadable("daily_sales.business_id", business(company)))?;
        self.companies.push(company);
        self.places.insert(company, place);
        Ok(place)
    }

    /// In sums. The id of a company and its place take as much as four.
    pub fn size(&self) -> usize {
        let sums: usize = self.parts.values().map(|column| column.companies.len()).sum();
        sums + 4 * self.companies.len()
    }

    /// Above this size, forgets all parts but these. If they alone are larger, forgets them too.
    pub fn keep_within(&mut self, size: usize, parts: &[Part]) {
        if self.size() > size {
            self.parts.retain(|part, _| parts.binary_search(part).is_ok());
        }
        if self.size() > size {
            *self = Self::default();
        }
    }

    /// The sums over the parts.
    pub fn add_up(&self, parts: &[Part]) -> Result<Sums<'_>, Error> {
        let mut sums: Vec<Option<i64>> = vec![None; self.companies.len()];
        for column in parts.iter().filter_map(|part| self.parts.get(part)) {
            for (place, amount) in column.companies.iter().zip(&column.sums) {
                let sum = usize::try_from(*place).ok().and_then(|place| sums.get_mut(place));
                let Some(sum) = sum else { continue };
                let added = sum.unwrap_or(0).checked_add(*amount);
                *sum = Some(added.ok_or_else(|| Error::unreadable("daily_sales", "sums beyond 64 bits"))?);
            }
        }
        Ok(Sums {
            companies: &self.companies,
            sums,
        })
    }
}
