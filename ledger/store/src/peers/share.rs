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
/// Processes that look for free shards at once allot them to each other in the same way, so that each gets its share at
/// the first try. What is allotted to a process that does not take it, others take.
pub fn share(own: &str, members: &[Member], owners: &[Option<String>]) -> Vec<Shard> {
    let mut takers: Vec<&str> = members
        .iter()
        .filter(|member| member.takes_shards)
        .map(|member| member.owner.as_str())
        .collect();
    takers.sort_unstable();
    if !takers.contains(&own) {
        return vec![];
    }
    let most = usize::from(SHARDS).div_ceil(takers.len());
    let free: Vec<_> = Shard::all()
        .filter(|shard| owner_of(owners, *shard).is_none())
        .collect();
    let mut rest = free.iter().copied();
    let mut allotted = vec![];
    for taker in takers {
        let missing = most.saturating_sub(held(taker, owners).len());
        let part: Vec<_> = rest.by_ref().take(missing).collect();
        if taker == own {
            allotted = part;
        }
    }
    let others = free.iter().copied().filter(|shard| !allotted.contains(shard));
    let held = held(own, owners).into_iter();
    held.chain(allotted.iter().copied())
        .chain(others)
        .take(most)
        .collect()
}

/// The shards that the process owns.
pub fn held(own: &str, owners: &[Option<String>]) -> Vec<Shard> {
    Shard::all()
        .filter(|shard| owner_of(owners, *shard) == Some(own))
        .collect()
}

fn owner_of(owners: &[Option<String>], shard: Shard) -> Option<&str> {
    owners.get(shard.index())?.as_deref()
}

/// The shards that the process `own` should hold once the others have handed over what is more than their share, and
/// what they own although they leave. It may not have joined yet.
pub fn expected(own: &Member, members: &[Member], owners: &[Option<String>]) -> Vec<Shard> {
    let mut members = members.to_vec();
    if !members.contains(own) {
        members.push(own.clone());
    }
    let mut owners_then = vec![None; owners.len()];
    for Member { owner, .. } in &members {
        let kept = share(owner, &members, owners);
        for shard in held(owner, owners).iter().filter(|shard| kept.contains(shard)) {
            owners_then[shard.index()] = Some(owner.clone());
        }
    }
    share(&own.owner, &members, &owners_then)
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
    fn processes_that_share_what_one_left_ask_for_different_shards() {
        let members = members(&["a", "b"]);
        let of = |n: usize| ["a", "b", "c"].get(n / 6).map(|owner| (*owner).to_owned());
        let mut owners: Vec<_> = (0..usize::from(SHARDS)).map(of).collect();
        let owned_by_all = owners.clone();
        for owner in &mut owners {
            owner.take_if(|owner| owner == "c");
        }
        let wanted = ["a", "b"].map(|own| share(own, &members, &owners));
        assert_eq!(wanted.concat().len(), usize::from(SHARDS));
        assert_eq!(wanted.each_ref().map(Vec::len), [8, 8]);
        let expected = [0, 1].map(|n| expected(&members[n], &members, &owned_by_all));
        assert_eq!(expected, wanted);
    }

    #[test]
    fn a_process_without_a_writer_counts_for_nothing() {
        let mut members = members(&["a", "b"]);
        members[1].takes_shards = false;
        assert_eq!(share("a", &members, &free()).len(), usize::from(SHARDS));
        assert_eq!(share("b", &members, &free()), vec![]);
    }

    #[test]
    fn a_process_expects_what_the_others_are_about_to_hand_over() {
        let names = ["a", "b", "c"];
        for order in [names, ["c", "a", "b"], ["b", "c", "a"]] {
            let [first, second, joining] = order;
            let mut owners = free();
            let joined = members(&[first, second]);
            settle(&[first, second], &joined, &mut owners);
            let own = members(&[joining]).remove(0);
            let before = expected(&own, &joined, &owners);
            let all = members(&names);
            assert_eq!(expected(&own, &all, &owners), before, "joining changes nothing");
            settle(&[first, second], &all, &mut owners);
            assert_eq!(share(joining, &all, &owners), before);
            settle(&[joining], &all, &mut owners);
            assert_eq!(counts(&[joining], &owners), [before.len()]);

            // The one that joined last leaves again.
            let owned_by_all = owners.clone();
            let then = expected(&joined[0], &joined, &owned_by_all);
            owners
                .iter_mut()
                .for_each(|owner| _ = owner.take_if(|owner| owner == joining));
            assert_eq!(share(first, &joined, &owners), then);
        }
    }

    #[test]
    fn a_process_without_a_writer_expects_nothing() {
        let mut members = members(&["a", "b"]);
        members[1].takes_shards = false;
        assert_eq!(expected(&members[1], &members[..1], &free()), vec![]);
    }

    #[test]
    fn a_process_keeps_what_it_holds_up_to_its_share() {
        let owners = vec![Some("a".to_owned()); usize::from(SHARDS)];
        let kept = share("a", &members(&["a", "b"]), &owners);
        assert_eq!(kept, Shard::all().take(8).collect::<Vec<_>>());
        assert_eq!(share("b", &members(&["a", "b"]), &owners), vec![]);
    }
}
