//! How the shards are shared: each process may own at most the shards of all divided by the number of processes, rounded
//! up. Processes decide alone; a shard never has two owners, because they take it by its row in the log.

use crate::position::{SHARDS, Shard};

/// A living process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    pub owner: String,
    /// Where the others reach it.
    pub address: std::sync::Arc<str>,
    /// Whether it takes shards. A process without a writer only sends commands to the owners.
    pub takes_shards: bool,
}

/// The shards that the process `own` should hold now: those that it holds up to its share, and free ones up to it.
/// `owners` has the living owner of each shard.
///
/// Two processes that look for free shards at once begin at different ones, so that both get their share at the first
/// try.
pub fn share(own: &str, members: &[Member], owners: &[Option<String>]) -> Vec<Shard> {
    let mut takers: Vec<&str> = members
        .iter()
        .filter(|member| member.takes_shards)
        .map(|member| member.owner.as_str())
        .collect();
    takers.sort_unstable();
    let Some(rank) = takers.iter().position(|owner| *owner == own) else {
        return vec![];
    };
    let most = usize::from(SHARDS).div_ceil(takers.len());
    let owner_of = |shard: &Shard| owners.get(shard.index()).and_then(Option::as_deref);
    let held = Shard::all().filter(|shard| owner_of(shard) == Some(own));
    let begin = rank * most;
    let mut free: Vec<_> = Shard::all().filter(|shard| owner_of(shard).is_none()).collect();
    free.sort_by_key(|shard| {
        (shard.index() + usize::from(SHARDS) - begin % usize::from(SHARDS)) % usize::from(SHARDS)
    });
    held.chain(free).take(most).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn members(names: &[&str]) -> Vec<Member> {
        let member = |name: &&str| Member {
            owner: (*name).to_owned(),
            address: "".into(),
            takes_shards: true,
        };
        names.iter().map(member).collect()
    }

    fn free() -> Vec<Option<String>> {
        vec![None; usize::from(SHARDS)]
    }

    /// Gives each process what it asks for, as far as it is free, in this order.
    fn settle(order: &[&str], members: &[Member], owners: &mut [Option<String>]) {
        for own in order {
            let wanted = share(own, members, owners);
            for shard in Shard::all() {
                let owner = &mut owners[shard.index()];
                let is_own = owner.as_deref() == Some(own);
                if wanted.contains(&shard) && owner.is_none() {
                    *owner = Some((*own).to_owned());
                } else if is_own && !wanted.contains(&shard) {
                    *owner = None;
                }
            }
        }
    }

    fn counts(names: &[&str], owners: &[Option<String>]) -> Vec<usize> {
        let of = |name: &&str| {
            owners
                .iter()
                .filter(|owner| owner.as_deref() == Some(name))
                .count()
        };
        names.iter().map(of).collect()
    }

    #[test]
    fn a_process_alone_takes_all_shards() {
        assert_eq!(share("a", &members(&["a"]), &free()).len(), usize::from(SHARDS));
    }

    #[test]
    fn processes_that_join_and_leave_share_all_shards() {
        let mut owners = free();
        for names in [
            &["a"][..],
            &["a", "b"],
            &["a", "b", "c"],
            &["b", "c"],
            &["b", "c", "d", "e", "f"],
            &["f"],
        ] {
            for owner in &mut owners {
                owner.take_if(|owner| !names.contains(&owner.as_str()));
            }
            let members = members(names);
            let backwards: Vec<_> = names.iter().rev().copied().collect();
            for order in [names, &backwards, names] {
                settle(order, &members, &mut owners);
            }
            let counts = counts(names, &owners);
            let most = usize::from(SHARDS).div_ceil(names.len());
            assert_eq!(
                counts.iter().sum::<usize>(),
                usize::from(SHARDS),
                "{names:?}: {counts:?}"
            );
            assert!(counts.iter().all(|count| *count <= most), "{names:?}: {counts:?}");
        }
    }

    #[test]
    fn processes_that_start_at_once_ask_for_different_shards() {
        let names = ["a", "b", "c", "d"];
        let members = members(&names);
        let mut wanted: Vec<_> = names
            .iter()
            .flat_map(|own| share(own, &members, &free()))
            .collect();
        wanted.sort_unstable();
        assert_eq!(wanted, Shard::all().collect::<Vec<_>>());
    }

    #[test]
    fn a_process_without_a_writer_counts_for_nothing() {
        let mut members = members(&["a", "b"]);
        members[1].takes_shards = false;
        assert_eq!(share("a", &members, &free()).len(), usize::from(SHARDS));
        assert_eq!(share("b", &members, &free()), vec![]);
    }

    #[test]
    fn a_process_keeps_what_it_holds_up_to_its_share() {
        let owners = vec![Some("a".to_owned()); usize::from(SHARDS)];
        let kept = share("a", &members(&["a", "b"]), &owners);
        assert_eq!(kept, Shard::all().take(8).collect::<Vec<_>>());
        assert_eq!(share("b", &members(&["a", "b"]), &owners), vec![]);
    }
}
