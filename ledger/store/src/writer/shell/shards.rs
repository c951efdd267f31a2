//! The shards of a lane: takes and renews those of the process's share, and hands the others over.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, sleep};

use super::super::WriterOptions;
use super::super::connection::PostgresLog;
use super::super::writer_metrics;
use super::{RETRY_PAUSE, Shell};
use crate::causes::Causes;
use crate::lane::{AcquiredShard, Input};
use crate::layout::Layout;
use crate::peers::Members;
use crate::position::Shard;

/// A new connection, the shards that it took, and when it asked for them.
pub(super) type Acquired = (PostgresLog, Vec<AcquiredShard>, Instant);

/// The shards that are lost, and those that were taken.
pub(super) struct Renewed {
    sent_at: Instant,
    lost: Vec<Shard>,
    acquired: Vec<AcquiredShard>,
}

impl Shell {
    /// Drops the connection and its requests, and begins to connect and to acquire the shards after a pause.
    pub(super) fn connect_after(&mut self, pause: Duration) {
        self.log = None;
        (self.appending, self.looking, self.renewing) = (None, None, None);
        self.releasing = None;
        if self.rests() {
            self.acquiring = None;
            return self.on(Input::Acquired(vec![]));
        }
        let WriterOptions {
            database,
            owner,
            lease,
            partition_size,
            ..
        } = self.options.clone();
        let (members, shards) = (self.members.clone(), self.shards.clone());
        let shard = match self.layout {
            Layout::One => None,
            Layout::Schemas => self.shards.first().copied(),
        };
        self.acquiring = Some(Box::pin(async move {
            sleep(pause).await;
            let log = PostgresLog::connect(&database, shard, partition_size).await?;
            let sent_at = Instant::now();
            // What became free while it connected is taken too.
            let acquired = match share(members.as_ref(), &shards).as_slice() {
                [] => vec![],
                wanted => log.acquire(&owner, wanted, lease).await?,
            };
            Ok((log, acquired, sent_at))
        }));
    }

    /// In layout `schemas` each shard has a lane. Those of other processes need no connections, except for the shards
    /// that this process is about to get: to connect takes longer than to take a shard, and nobody writes meanwhile.
    pub(super) fn rests(&self) -> bool {
        self.layout == Layout::Schemas && self.share().is_empty() && !self.expects_shards()
    }

    /// Whether other processes are about to hand shards of this lane over.
    fn expects_shards(&self) -> bool {
        self.members.as_ref().is_some_and(|members| {
            let seen = members.seen();
            let expected = &seen.borrow().expected;
            self.shards.iter().any(|shard| expected.contains(shard))
        })
    }

    /// Takes the shards of the share that became free, and connects for those that will.
    pub(super) fn take_free_share(&mut self) {
        if self.log.is_none() {
            if !self.rests() {
                self.connect_after(Duration::ZERO);
            }
        } else if !self.free_share().is_empty() {
            self.renew();
        } else {
            self.rest_if_unused();
        }
    }

    /// Closes connections that were opened for shards of other processes, or were used until they went there.
    fn rest_if_unused(&mut self) {
        let is_busy = self.appending.is_some() || self.looking.is_some() || self.releasing.is_some();
        if self.rests() && !is_busy && self.lane.owned().next().is_none() {
            self.log = None;
        }
    }

    pub(super) fn on_acquired(&mut self, acquired: Result<Acquired, tokio_postgres::Error>) {
        match acquired {
            Ok((log, acquired, sent_at)) => {
                self.renewed_at = sent_at;
                self.log = Some(Arc::new(log));
                self.own(acquired);
                // The database answers, so tasks that failed without it need not wait longer.
                self.options.supervisor.retry_failing();
            }
            Err(error) => {
                tracing::error!(error = %Causes(&error), "the log cannot be reached");
                self.status.failed(Causes(&error).to_string());
                self.on(Input::DatabaseUnreachable);
                self.connect_after(RETRY_PAUSE);
            }
        }
    }

    pub(super) fn can_renew(&self) -> bool {
        self.acquiring.is_none() && self.renewing.is_none() && self.releasing.is_none()
    }

    /// From now on the lane decides for these shards.
    fn own(&mut self, acquired: Vec<AcquiredShard>) {
        let shards = acquired.len();
        self.recorded.own(&acquired);
        self.on(Input::Acquired(acquired));
        if shards > 0 {
            tracing::info!(
                lane = self.number,
                process = self.options.owner,
                shards,
                "took shards of the log"
            );
            self.announce();
        }
    }

    fn share(&self) -> Vec<Shard> {
        share(self.members.as_ref(), &self.shards)
    }

    /// Those of the share that the lane does not own.
    pub(super) fn free_share(&self) -> Vec<Shard> {
        let is_held = |shard: &Shard| self.lane.owned().any(|(held, _)| held == *shard);
        self.share().into_iter().filter(|shard| !is_held(shard)).collect()
    }

    /// Begins to release the owned shards that are not in the share: another process has joined.
    pub(super) fn hand_over(&mut self) {
        let share = self.share();
        let owned = self.lane.owned().map(|(shard, _)| shard);
        let surplus: Vec<_> = owned.filter(|shard| !share.contains(shard)).collect();
        if !surplus.is_empty() {
            self.on(Input::Release(surplus));
        }
    }

    /// Frees shards that the lane has stopped using.
    pub(super) fn free(&mut self, shards: Vec<(Shard, i64)>) {
        let Some(log) = self.log.clone() else { return };
        let earlier = self.releasing.take();
        self.releasing = Some(Box::pin(async move {
            if let Some(earlier) = earlier {
                earlier.await?;
            }
            log.renew(&shards, Duration::ZERO).await
        }));
    }

    pub(super) fn on_released(&mut self, released: Result<Vec<Shard>, tokio_postgres::Error>) {
        match released {
            Ok(released) => {
                tracing::info!(lane = self.number, shards = released.len(), "handed shards over");
                self.announce();
                self.rest_if_unused();
            }
            // Nobody renews their leases.
            Err(error) => tracing::warn!(error = %Causes(&error), "the shards could not be released"),
        }
    }

    /// Tells the other processes, and this one, that the owners of shards changed.
    fn announce(&self) {
        if let Some(members) = &self.members {
            members.look_again();
            members.announce();
        }
    }

    /// Renews the held shards and takes those that became free.
    pub(super) fn renew(&mut self) {
        let Some(log) = self.log.clone() else {
            return self.take_free_share();
        };
        let held: Vec<_> = self.lane.owned().collect();
        let wanted = self.free_share();
        let WriterOptions { owner, lease, .. } = self.options.clone();
        self.renewing = Some(Box::pin(async move {
            let sent_at = Instant::now();
            let kept = log.renew(&held, lease).await?;
            let acquired = if wanted.is_empty() {
                vec![]
            } else {
                log.check_append().await?;
                log.acquire(&owner, &wanted, lease).await?
            };
            log.discard_plans().await?;
            let lost = held
                .iter()
                .map(|(shard, _)| *shard)
                .filter(|shard| !kept.contains(shard))
                .collect();
            Ok(Renewed {
                sent_at,
                lost,
                acquired,
            })
        }));
    }

    pub(super) fn on_renewed(&mut self, renewed: Result<Renewed, tokio_postgres::Error>) {
        match renewed {
            Ok(Renewed {
                sent_at,
                lost,
                acquired,
            }) => {
                self.renewed_at = sent_at;
                if !lost.is_empty() {
                    tracing::warn!(shards = ?lost, "the lane no longer owns shards of the log");
                    writer_metrics::shards_lost(lost.len());
                    self.on(Input::ShardsLost(lost));
                }
                if !acquired.is_empty() {
                    self.own(acquired);
                }
            }
            // A running batch reports a lost connection itself. Until then the epoch protects the log.
            Err(error) => {
                tracing::warn!(error = %Causes(&error), "the leases could not be renewed");
                if self.lane.is_idle() {
                    self.on(Input::Disconnected);
                }
            }
        }
    }
}

/// The shards of a lane that the process should hold. A process without others takes all that are free.
fn share(members: Option<&Members>, of_lane: &[Shard]) -> Vec<Shard> {
    let Some(members) = members else {
        return of_lane.to_vec();
    };
    let seen = members.seen();
    let share = &seen.borrow().share;
    of_lane
        .iter()
        .copied()
        .filter(|shard| share.contains(shard))
        .collect()
}
