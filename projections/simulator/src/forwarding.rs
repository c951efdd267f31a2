//! Commands on their way between processes: a process that does not own the shard sends the command to the owner that
//! it knows, and again to another one if the connection is lost.

use ledger_store::lane::{Answer, Work};
use ledger_store::peers::Reply;
use ledger_store::{Outcome, Shard};

use crate::Checked;
use crate::watch::ensure;
use crate::world::World;

/// One copy of an attempt at a process. Its index is the ticket in the lane.
#[derive(Debug)]
pub struct Copy {
    pub attempt: usize,
    /// The process that decides it.
    pub at: usize,
    pub state: CopyState,
}

#[derive(Debug)]
pub enum CopyState {
    InLane,
    /// On its way back to the process that was asked first.
    Answered(Answer),
    /// The answer has arrived, or nobody waits for it.
    Done,
}

impl World {
    /// Sends an attempt to the shard's owner, as far as its process knows it.
    pub fn route(&mut self, attempt: usize) -> Checked {
        let front = self.attempts[attempt].front;
        let shard = Shard::of(self.attempts[attempt].sent_to);
        let owns = |node: &usize| self.nodes[*node].process.lane().takes(shard);
        let at = if owns(&front) {
            Some(front)
        } else if self.nodes.len() == 1 {
            None
        } else if self.rng.chance(85) {
            self.owner_of(shard).filter(|owner| *owner != front)
        } else {
            // It has not heard of the last changes: a deposed owner, or one that never was.
            Some(self.rng.below(self.nodes.len())).filter(|node| *node != front)
        };
        let Some(at) = at else {
            return self.reply(attempt, Reply::NotSent);
        };
        let mut work = self.attempts[attempt].work.clone();
        work.may_be_recorded = self.attempts[attempt].route.may_be_recorded();
        if at != front {
            self.event_counts.saw("command for another process");
            if !self.nodes[at].process.lane().takes(shard) {
                return self.reply(attempt, Reply::Answered(Answer::Outcome(Outcome::NotOwner)));
            }
            let sent = serde_json::to_vec(&work).map_err(|error| error.to_string())?;
            work = serde_json::from_slice::<Work>(&sent).map_err(|error| error.to_string())?;
        }
        let ticket = self.copies.len();
        self.copies.push(Copy {
            attempt,
            at,
            state: CopyState::InLane,
        });
        let outputs = self.on(at, |process, now| process.submit(now, ticket, work));
        self.handle_outputs(at, outputs)
    }

    /// A lane has answered a copy.
    pub fn copy_answered(&mut self, ticket: usize, answer: Answer) -> Checked {
        let Copy { attempt, at, state } = &mut self.copies[ticket];
        let (attempt, at) = (*attempt, *at);
        if matches!(state, CopyState::Done) {
            return Ok(());
        }
        // The shell of a lane trusts its memory only as long as its lease lasts.
        let shard = Shard::of(self.attempts[attempt].sent_to);
        let answer = if answer.rests_on_ownership() && self.owner_of(shard) != Some(at) {
            self.event_counts.saw("answer of a deposed owner");
            Answer::Outcome(Outcome::NotOwner)
        } else {
            answer
        };
        if let Answer::Outcome(Outcome::Refused(_) | Outcome::Duplicate { .. } | Outcome::BelongsToOther(_)) =
            answer
        {
            ensure(self.owner_of(shard) == Some(at), || {
                format!("process {at} decides about ticket {attempt}, but does not own shard {shard}")
            })?;
        }
        if matches!(answer, Answer::Outcome(Outcome::Refused(_))) {
            self.check_refusal(attempt)?;
        }
        if at == self.attempts[attempt].front {
            self.copies[ticket].state = CopyState::Done;
            self.reply(attempt, Reply::Answered(answer))
        } else {
            self.copies[ticket].state = CopyState::Answered(answer);
            Ok(())
        }
    }

    fn reply(&mut self, attempt: usize, reply: Reply) -> Checked {
        let front = self.attempts[attempt].front;
        let lost = matches!(reply, Reply::Lost);
        match self.attempts[attempt].route.after(reply) {
            Some(answer) => self.answered(front, attempt, answer),
            None => {
                if lost {
                    self.event_counts.saw("answer of another process lost");
                }
                self.seeking.push(attempt);
                Ok(())
            }
        }
    }

    /// Lets one answer arrive at the process that was asked first, or sends one command again, if there is any.
    pub fn carry_between_processes(&mut self) -> Result<bool, String> {
        let returning = |copy: &Copy| matches!(copy.state, CopyState::Answered(_));
        let returning: Vec<_> = (0..self.copies.len())
            .filter(|ticket| returning(&self.copies[*ticket]))
            .collect();
        if !returning.is_empty() && (self.seeking.is_empty() || self.rng.chance(50)) {
            let ticket = self.rng.pick(&returning);
            let copy = &mut self.copies[ticket];
            let attempt = copy.attempt;
            if let CopyState::Answered(answer) = std::mem::replace(&mut copy.state, CopyState::Done) {
                self.reply(attempt, Reply::Answered(answer))?;
            }
            return Ok(true);
        }
        if self.seeking.is_empty() {
            return Ok(false);
        }
        let at = self.rng.below(self.seeking.len());
        let attempt = self.seeking.swap_remove(at);
        if self.rng.chance(20) {
            let answer = self.attempts[attempt].route.given_up();
            self.answered(self.attempts[attempt].front, attempt, answer)?;
        } else {
            self.route(attempt)?;
        }
        Ok(true)
    }

    /// The connections between a process and the others are lost. Its commands stay in the lanes of the others.
    pub fn lose_connections(&mut self, node: usize) -> Checked {
        let is_between = |world: &Self, copy: &Copy| {
            let front = world.attempts[copy.attempt].front;
            (copy.at == node) != (front == node)
        };
        let lost: Vec<_> = (0..self.copies.len())
            .filter(|ticket| !matches!(self.copies[*ticket].state, CopyState::Done))
            .filter(|ticket| is_between(self, &self.copies[*ticket]))
            .collect();
        for ticket in lost {
            self.copies[ticket].state = CopyState::Done;
            self.reply(self.copies[ticket].attempt, Reply::Lost)?;
        }
        Ok(())
    }

    /// The process has lost its memory: nobody waits for its commands any more, and what others sent it is lost.
    pub fn forget_commands_of(&mut self, node: usize) -> Checked {
        self.seeking
            .retain(|attempt| self.attempts[*attempt].front != node);
        for copy in &mut self.copies {
            if self.attempts[copy.attempt].front == node {
                copy.state = CopyState::Done;
            }
        }
        self.lose_connections(node)
    }

    /// Every command that was sent to another process has its answer.
    pub fn check_nothing_is_on_its_way(&self) -> Checked {
        ensure(self.seeking.is_empty(), || {
            format!("{} commands look for an owner", self.seeking.len())
        })
    }
}
