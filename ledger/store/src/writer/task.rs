//! A supervised lane. After a failure, a new shell takes the shards again under a higher epoch, with an empty memory.
//! The queue is kept; while no shell runs, its commands are answered at once.

use async_trait::async_trait;
use tokio::sync::{mpsc, watch};

use super::shell::{LaneParts, Shell};
use super::{Submitted, WriterError};
use crate::lane::Answer;
use crate::submission::Outcome;
use crate::supervisor::{Failure, Pulse, Task};

pub(super) struct LaneTask {
    parts: LaneParts,
    queue: mpsc::Receiver<Submitted>,
    stop: watch::Receiver<bool>,
    /// Connected before the task starts, so that a start without a database fails.
    first: Option<Shell>,
}

impl LaneTask {
    pub async fn connect(
        parts: LaneParts,
        queue: mpsc::Receiver<Submitted>,
        stop: watch::Receiver<bool>,
    ) -> Result<Self, WriterError> {
        let mut shell = Shell::new(parts.clone());
        shell.connect().await?;
        Ok(Self {
            parts,
            queue,
            stop,
            first: Some(shell),
        })
    }

    /// Takes those free shards of the share that became known after the lane connected.
    pub async fn take_free_share(&mut self) -> Result<(), WriterError> {
        match &mut self.first {
            Some(shell) => shell.take_known_share().await,
            None => Ok(()),
        }
    }
}

#[async_trait]
impl Task for LaneTask {
    async fn run(&mut self, pulse: &Pulse) -> Result<(), Failure> {
        let shell = self
            .first
            .take()
            .unwrap_or_else(|| Shell::new(self.parts.clone()));
        shell.run(&mut self.queue, self.stop.clone(), pulse).await
    }

    async fn while_down(&mut self) {
        while let Some(Submitted { ticket, .. }) = self.queue.recv().await {
            // The caller may be gone.
            let _ = ticket.answer.send(Answer::Outcome(Outcome::NotOwner));
        }
    }
}
