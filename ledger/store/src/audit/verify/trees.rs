//! The tree over all events of a shard, computed again in the order of positions, against its stored parts and its
//! checkpoints.

use std::collections::{BTreeMap, HashMap, VecDeque};

use ed25519_dalek::VerifyingKey;
use ledger_domain::BusinessId;
use razao_verify::merkle::{self, Growing, Hash};
use razao_verify::note::Note;
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient};

use super::shard::BusinessProgress;
use crate::audit::finding::Difference;
use crate::audit::subtrees::{STEP, TALLEST};
use crate::audit::{checkpoint, companies};
use crate::position::Shard;

type Findings = Vec<(i64, Difference)>;

/// The tree up to the walk's position.
pub(super) struct LogTree {
    tree: Growing,
    /// The subtree of each stored height that is growing, the lowest first.
    growing: Vec<Growing>,
    /// The stored roots that were not met yet, by height and index.
    stored: HashMap<(u32, u64), Vec<u8>>,
    /// Checkpoints that were not passed yet, the smallest first.
    due: VecDeque<Note>,
    /// Up to this size the stored roots are complete.
    covered: u64,
}

impl LogTree {
    /// Reads what is stored, before any event is read. `outside` are notes from outside the database, of any shard.
    pub async fn begin(
        client: &impl GenericClient,
        shard: Shard,
        outside: &[Note],
        keys: &[VerifyingKey],
        findings: &mut Findings,
    ) -> Result<Self, Error> {
        let checkpoints = checkpoint::all(client, shard).await?;
        let rows = client
            .query_typed(
                "SELECT height, index, hash FROM public.log_subtree WHERE shard = $1",
                &[(&shard.sql(), Type::INT2)],
            )
            .await?;
        let stored = rows.iter().map(|row| {
            let place = (
                u32::from(row.get::<_, i16>(0).cast_unsigned()),
                row.get::<_, i64>(1).cast_unsigned(),
            );
            (place, row.get(2))
        });
        let of_shard = format!("/shard/{shard}");
        let outside = outside
            .iter()
            .filter(|note| note.checkpoint.origin.ends_with(&of_shard));
        let due = due(&checkpoints, outside, keys, findings);
        Ok(Self {
            tree: Growing::default(),
            growing: (STEP..=TALLEST)
                .step_by(STEP as usize)
                .map(|_| Growing::default())
                .collect(),
            stored: stored.collect(),
            covered: checkpoints.last().map_or(0, |(size, _)| size.cast_unsigned()),
            due,
        })
    }

    /// Adds the event's leaf. Before it, checkpoints of what came before are compared.
    pub fn pass(
        &mut self,
        position: i64,
        digest: &Hash,
        businesses: &BTreeMap<BusinessId, BusinessProgress>,
        findings: &mut Findings,
    ) {
        self.compare_due(position - 1, businesses, findings);
        let leaf = merkle::leaf(digest);
        self.tree.push(leaf);
        let (mut below, mut root) = (0, leaf);
        for (height, growing) in (STEP..).step_by(STEP as usize).zip(&mut self.growing) {
            growing.push_subtree(below, root);
            if growing.size() < 1 << height {
                break;
            }
            (below, root) = (height, growing.root());
            *growing = Growing::default();
            let index = (self.tree.size() >> height) - 1;
            let differs = match self.stored.remove(&(height, index)) {
                Some(stored) => stored != root,
                None => self.tree.size() <= self.covered,
            };
            if differs {
                findings.push((position, Difference::Subtree { height, index }));
            }
        }
    }

    fn compare_due(
        &mut self,
        passed: i64,
        businesses: &BTreeMap<BusinessId, BusinessProgress>,
        findings: &mut Findings,
    ) {
        let size = passed.cast_unsigned();
        while self
            .due
            .front()
            .is_some_and(|note| note.checkpoint.events.size <= size)
        {
            let Some(note) = self.due.pop_front() else { return };
            let checkpoint = note.checkpoint;
            if checkpoint.events.root != self.tree.root() || checkpoint.events.size != self.tree.size() {
                findings.push((passed, Difference::CheckpointRoot));
            }
            let leaves = businesses
                .iter()
                .map(|(id, at)| companies::leaf(*id, at.tip.sequence, &at.tip.chain));
            let of_companies = (checkpoint.companies.size, checkpoint.companies.root);
            if of_companies != (businesses.len() as u64, companies::root(leaves)) {
                findings.push((passed, Difference::CheckpointCompanies));
            }
        }
    }

    /// After the last event.
    pub fn end(
        &mut self,
        last: i64,
        businesses: &BTreeMap<BusinessId, BusinessProgress>,
        findings: &mut Findings,
    ) {
        self.compare_due(last, businesses, findings);
        let ahead = self
            .due
            .iter()
            .map(|note| note.checkpoint.events.size.cast_signed());
        findings.extend(ahead.map(|size| (size, Difference::CheckpointAhead { log: last })));
        let mut left: Vec<_> = std::mem::take(&mut self.stored).into_keys().collect();
        left.sort_unstable();
        let left = left.into_iter();
        findings.extend(left.map(|(height, index)| (last, Difference::Subtree { height, index })));
    }
}

/// The checkpoints to compare with the events: those of the database, and copies that differ from them. Signatures are
/// checked here.
fn due<'a>(
    stored: &[(i64, String)],
    outside: impl Iterator<Item = &'a Note>,
    keys: &[VerifyingKey],
    findings: &mut Findings,
) -> VecDeque<Note> {
    let mut due: Vec<Note> = vec![];
    for (size, text) in stored {
        let note: Result<Note, _> = text.parse();
        match note.and_then(|note| note.signed_by(keys).map(|_| note.clone())) {
            Ok(note) if note.checkpoint.events.size.cast_signed() == *size => due.push(note),
            Ok(_) => findings.push((*size, Difference::CheckpointRoot)),
            Err(reason) => findings.push((*size, Difference::CheckpointInvalid(reason))),
        }
    }
    let mut differing = vec![];
    for copy in outside {
        let size = copy.checkpoint.events.size;
        if let Err(reason) = copy.signed_by(keys) {
            findings.push((size.cast_signed(), Difference::CheckpointInvalid(reason)));
            continue;
        }
        let what = match due.iter().find(|note| note.checkpoint.events.size == size) {
            Some(note) if note.checkpoint == copy.checkpoint => continue,
            Some(_) => Difference::OutsideCheckpointDiffers,
            None => Difference::OutsideCheckpointMissing,
        };
        findings.push((size.cast_signed(), what));
        differing.push(copy.clone());
    }
    due.extend(differing);
    due.sort_by_key(|note| note.checkpoint.events.size);
    due.into()
}
