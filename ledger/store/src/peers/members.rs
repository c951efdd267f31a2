//! Keeps this process in the table of processes, and knows the others and the owners of all shards.
//!
//! It looks again several times a lease, and at once when a process joins, leaves or hands shards over, when a
//! connection to a process is lost, and when a command found no owner.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use tokio::sync::{Notify, watch};
use tokio::time::{MissedTickBehavior, interval, sleep, timeout};
use tokio_postgres::Client;

use super::share::{Member, expected, held, share};
use super::{PeerOptions, Peers};
use crate::connector::Connector;
use crate::log;
use crate::position::Shard;
use crate::supervisor::{Failure, Pulse, Task};
use crate::writer::{RENEWALS_PER_LEASE, open_session};

/// What this process saw when it looked last.
#[derive(Debug, Clone, Default)]
pub struct Membership {
    /// The living processes, also this one.
    pub members: Vec<Member>,
    /// The living owner of each shard.
    pub owners: Vec<Option<String>>,
    /// The shards that this process should hold.
    pub share: Vec<Shard>,
    /// Those that it should hold once others have handed them over.
    pub expected: Vec<Shard>,
}

impl Membership {
    /// The other process that owns the shard, if it can be asked.
    fn other_owner(&self, own: &str, shard: Shard) -> Option<&Member> {
        let owner = self.owners.get(shard.index())?.as_deref()?;
        self.members
            .iter()
            .find(|member| member.owner == owner && owner != own)
    }
}

/// The other processes, for the lanes and for commands on their way.
#[derive(Clone)]
pub struct Members {
    own: Arc<str>,
    seen: watch::Receiver<Membership>,
    look: Arc<Notify>,
    left: watch::Receiver<bool>,
    pub(crate) peers: Arc<dyn Peers>,
}

impl Members {
    /// Changes each time the task has looked.
    pub fn seen(&self) -> watch::Receiver<Membership> {
        self.seen.clone()
    }

    /// Returns when this process is no longer in the table, or when its task has ended.
    pub async fn left(&self) {
        let _ = self.left.clone().wait_for(|left| *left).await;
    }

    pub fn look_again(&self) {
        self.look.notify_one();
    }

    /// The address of the other process that owns the shard, if it can be asked.
    pub fn owner_of(&self, shard: Shard) -> Option<Arc<str>> {
        let seen = self.seen.borrow();
        let owner = seen.other_owner(&self.own, shard)?;
        Some(Arc::clone(&owner.address))
    }

    /// Why commands of this shard, which this process does not own, cannot be recorded now.
    pub fn fault(&self, shard: Shard) -> Option<String> {
        let seen = self.seen.borrow();
        let owner = seen.owners.get(shard.index()).cloned().flatten();
        let Some(owner) = owner.filter(|owner| *owner != *self.own) else {
            return Some(format!("nobody owns shard {shard}"));
        };
        match seen.other_owner(&self.own, shard) {
            None => Some(format!(
                "{owner}, which owns shard {shard}, has no address for other processes"
            )),
            Some(member) => {
                let fault = self.peers.fault(&member.address)?;
                Some(format!(
                    "{owner}, which owns shard {shard}, cannot be asked: {fault}"
                ))
            }
        }
    }

    /// Whether another process takes shards.
    pub fn has_takers(&self) -> bool {
        let seen = self.seen.borrow();
        let mut members = seen.members.iter();
        members.any(|member| member.takes_shards && member.owner != *self.own)
    }

    /// Tells the others that something changed, so that they look at once.
    pub fn announce(&self) {
        announce(&*self.peers, &self.own, &self.seen.borrow());
    }
}

/// The task behind `Members`. It has a connection of its own, so that a lane that waits for the database does not keep
/// it from looking.
pub(crate) struct MembersTask {
    database: Connector,
    own: Member,
    lease: Duration,
    seen: watch::Sender<Membership>,
    look: Arc<Notify>,
    peers: Arc<dyn Peers>,
    stop: StopSignals,
    client: Option<Client>,
    standing: Standing,
    left: watch::Sender<bool>,
}

/// The end of this process, for its tasks.
#[derive(Clone)]
pub(crate) struct StopSignals {
    /// It will stop: the others get its shards soon.
    pub announced: watch::Receiver<bool>,
    /// It takes no more commands.
    pub begun: watch::Receiver<bool>,
}

/// Whether this process is in the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Standing {
    /// Not yet: it takes no shards, and its lanes connect to the tables of those that it will get.
    Guest,
    Joined,
    /// It keeps what it holds, while the others prepare to take it.
    Leaving,
    /// No longer: it looks for the owners of the commands that are still on their way.
    Left,
}

/// Several changes that come together need one look.
const PAUSE: Duration = Duration::from_millis(5);
const REPLY_TIMEOUT: Duration = Duration::from_secs(8);

impl MembersTask {
    /// Looks once, so that the lanes know from the beginning which shards they will get. The process joins later
    /// ([`Self::join`]).
    pub async fn visit(
        database: Connector,
        owner: String,
        takes_shards: bool,
        lease: Duration,
        options: PeerOptions,
        stop: StopSignals,
    ) -> Result<(Members, Self), tokio_postgres::Error> {
        let PeerOptions { peers, address } = options;
        let (seen, receiver) = watch::channel(Membership::default());
        let (left, leaving) = watch::channel(false);
        let mut task = Self {
            database,
            own: Member {
                owner,
                address: address.into(),
                takes_shards,
            },
            lease,
            seen,
            look: Arc::default(),
            peers,
            stop,
            client: None,
            standing: Standing::Guest,
            left,
        };
        let members = Members {
            own: task.own.owner.as_str().into(),
            seen: receiver,
            look: Arc::clone(&task.look),
            left: leaving,
            peers: Arc::clone(&task.peers),
        };
        task.look().await?;
        Ok((members, task))
    }

    /// From now on the others hand some of their shards over.
    pub async fn join(&mut self) -> Result<(), tokio_postgres::Error> {
        self.standing = Standing::Joined;
        if let Some(client) = &self.client {
            log::live_as(client, &self.own.owner).await?;
        }
        self.look().await?;
        announce(&*self.peers, &self.own.owner, &self.seen.borrow());
        Ok(())
    }

    async fn look(&mut self) -> Result<(), tokio_postgres::Error> {
        if self.client.as_ref().is_none_or(Client::is_closed) {
            let client = open_session(&self.database).await?;
            if self.is_in_table() {
                log::live_as(&client, &self.own.owner).await?;
            }
            self.client = Some(client);
        }
        let client = self.client.as_ref().expect("it was just opened");
        if self.is_in_table() {
            log::join_processes(client, &self.own, self.lease).await?;
        }
        let members = log::living_processes(client, self.lease).await?;
        let owners: Vec<_> = log::shard_owners(client)
            .await?
            .into_iter()
            .map(|known| known.owner)
            .collect();
        let (share, expected) = match self.standing {
            Standing::Guest | Standing::Joined => (
                share(&self.own.owner, &members, &owners),
                expected(&self.own, &members, &owners),
            ),
            Standing::Leaving => (held(&self.own.owner, &owners), vec![]),
            Standing::Left => (vec![], vec![]),
        };
        self.seen.send_replace(Membership {
            members,
            owners,
            share,
            expected,
        });
        Ok(())
    }

    fn is_in_table(&self) -> bool {
        matches!(self.standing, Standing::Joined | Standing::Leaving)
    }

    /// The others see at their next look that they will get this process's shards.
    async fn announce_leave(&mut self) -> Result<(), tokio_postgres::Error> {
        self.standing = Standing::Leaving;
        self.own.takes_shards = false;
        self.look().await?;
        announce(&*self.peers, &self.own.owner, &self.seen.borrow());
        Ok(())
    }

    /// The others share this process's shards as soon as these are free.
    async fn leave(&mut self) {
        self.standing = Standing::Left;
        if let Some(client) = &self.client
            && let Err(error) = log::leave_processes(client, &self.own.owner).await
        {
            tracing::warn!(error = %crate::Causes(&error), "the process could not leave; it counts for another lease");
        }
        // Closes the session by which the process counts as living.
        self.client = None;
        self.left.send_replace(true);
        announce(&*self.peers, &self.own.owner, &self.seen.borrow());
    }
}

fn announce(peers: &dyn Peers, own: &str, seen: &Membership) {
    let others = seen.members.iter().filter(|member| member.owner != own);
    peers.announce(others.map(|member| Arc::clone(&member.address)).collect());
}

#[async_trait]
impl Task for MembersTask {
    async fn run(&mut self, pulse: &Pulse) -> Result<(), Failure> {
        let mut often = interval(self.lease / RENEWALS_PER_LEASE);
        often.set_missed_tick_behavior(MissedTickBehavior::Delay);
        often.tick().await;
        let (look, peers) = (Arc::clone(&self.look), Arc::clone(&self.peers));
        let StopSignals {
            mut announced,
            mut begun,
        } = self.stop.clone();
        loop {
            let mut announces = false;
            tokio::select! {
                biased;
                () = sent(&mut begun), if self.standing != Standing::Left => self.leave().await,
                () = sent(&mut announced), if self.standing == Standing::Joined => announces = true,
                _ = often.tick() => {}
                () = look.notified() => sleep(PAUSE).await,
                () = peers.connection_lost() => sleep(PAUSE).await,
            }
            let looked = timeout(REPLY_TIMEOUT, async {
                if announces {
                    self.announce_leave().await
                } else {
                    self.look().await
                }
            });
            let looked = looked.await;
            if !matches!(looked, Ok(Ok(()))) {
                // The next look opens a new connection.
                self.client = None;
            }
            match looked {
                Ok(looked) => looked?,
                Err(_) => return Err("the database did not answer in time".into()),
            }
            pulse.beat();
        }
    }
}

async fn sent(signal: &mut watch::Receiver<bool>) {
    // Without a sender, every writer is dropped.
    let _ = signal.wait_for(|sent| *sent).await;
}
