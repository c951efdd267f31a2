//! The way of one command to the process that records it. Pure, so that the simulator takes the same way.

use crate::lane::Answer;
use crate::submission::Outcome;

/// What came of sending a command to a process.
#[derive(Debug, Clone)]
pub enum Reply {
    Answered(Answer),
    /// It never arrived there.
    NotSent,
    /// It was sent, and no answer came: it may be recorded, or be recorded later.
    Lost,
}

/// A command without a final answer so far. It is sent to the shard's owner of the moment, again and again until its
/// deadline.
#[derive(Debug, Clone, Default)]
pub struct Route {
    /// A process may have recorded it. Whoever gets it next looks its key up first (`Work::may_be_recorded`).
    may_be_recorded: bool,
}

impl Route {
    pub const fn may_be_recorded(&self) -> bool {
        self.may_be_recorded
    }

    /// The command's answer, or `None` if the owner of the moment must be asked again.
    pub fn after(&mut self, reply: Reply) -> Option<Answer> {
        match reply {
            Reply::Answered(Answer::Outcome(Outcome::NotOwner)) | Reply::NotSent => None,
            Reply::Answered(Answer::Outcome(Outcome::Unknown)) | Reply::Lost => {
                self.may_be_recorded = true;
                None
            }
            // An owner has looked for the key before it decided, so that no other process has recorded the command or
            // can record it later.
            Reply::Answered(answer) => Some(answer),
        }
    }

    /// The answer at the deadline.
    pub const fn given_up(&self) -> Answer {
        Answer::Outcome(if self.may_be_recorded {
            Outcome::Unknown
        } else {
            Outcome::NotOwner
        })
    }
}
