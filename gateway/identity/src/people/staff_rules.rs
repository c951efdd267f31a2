//! Who of staff may change whom: rules on plain values, without a database. That they are read while nobody else can
//! change them is `admin_change`'s matter.

use thiserror::Error;

use super::changes::PersonChange;
use crate::roles::AdminRole;

/// What may be given to somebody. An owner is made where the installation is, an operator nowhere.
pub const OFFERED_ROLES: &[AdminRole] = &[
    AdminRole::Admin,
    AdminRole::Financial,
    AdminRole::CommercialSupervisor,
    AdminRole::Commercial,
    AdminRole::Sac,
];

/// Somebody of staff, as far as the rules look at them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StaffStatus {
    pub active: bool,
    pub roles: Vec<AdminRole>,
}

/// How many there are who can sign in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ActiveCounts {
    pub owners: usize,
    pub admins: usize,
}

/// Whoever wants to change somebody.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StaffActor {
    pub is_owner: bool,
    /// The one that they want to change.
    pub is_self: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum StaffRefusal {
    #[error("nobody deactivates, deletes or regroups themselves")]
    OwnRecord,
    #[error("name, e-mail and password of one's own are changed where the password is asked for")]
    OwnProfile,
    #[error("only an owner changes an owner: whoever sets a password can be that person")]
    OwnersOnly,
    #[error("the last active owner")]
    LastOwner,
    #[error("the last active admin")]
    LastAdmin,
    #[error("a role that can't be given")]
    UnknownRole,
}

impl StaffStatus {
    pub fn is(&self, role: AdminRole) -> bool {
        self.roles.contains(&role)
    }

    fn counts_as(&self, role: AdminRole) -> bool {
        self.active && self.is(role)
    }

    /// What they would be: whoever has a role that can't be given may keep it.
    pub fn with(&self, active: Option<bool>, roles: Option<&[AdminRole]>) -> Result<Self, StaffRefusal> {
        let given = |role: &AdminRole| OFFERED_ROLES.contains(role) || self.is(*role);
        if roles.is_some_and(|roles| !roles.iter().all(given)) {
            return Err(StaffRefusal::UnknownRole);
        }
        Ok(Self {
            active: active.unwrap_or(self.active),
            roles: roles.map_or_else(|| self.roles.clone(), <[_]>::to_vec),
        })
    }
}

impl StaffActor {
    /// `change` is of what differs; `becomes` is nothing where the person is deleted.
    pub fn may_change(
        self,
        present: &StaffStatus,
        becomes: Option<&StaffStatus>,
        change: &PersonChange,
        active_counts: ActiveCounts,
    ) -> Result<(), StaffRefusal> {
        if self.is_self {
            return own_record(present, becomes, change);
        }
        let asks_nothing = becomes == Some(present) && change.is_empty();
        if present.is(AdminRole::Owner) && !self.is_owner && !asks_nothing {
            return Err(StaffRefusal::OwnersOnly);
        }
        stays(AdminRole::Owner, active_counts.owners, present, becomes).ok_or(StaffRefusal::LastOwner)?;
        stays(AdminRole::Admin, active_counts.admins, present, becomes).ok_or(StaffRefusal::LastAdmin)
    }

    /// Whether a change of them would be refused whatever it is.
    pub fn may_edit(self, present: &StaffStatus) -> bool {
        !self.is_self && (self.is_owner || !present.is(AdminRole::Owner))
    }

    pub fn may_remove(self, present: &StaffStatus, active_counts: ActiveCounts) -> bool {
        self.may_change(present, None, &PersonChange::default(), active_counts)
            .is_ok()
    }
}

fn own_record(
    present: &StaffStatus,
    becomes: Option<&StaffStatus>,
    change: &PersonChange,
) -> Result<(), StaffRefusal> {
    if becomes != Some(present) {
        return Err(StaffRefusal::OwnRecord);
    }
    if change.is_empty() {
        Ok(())
    } else {
        Err(StaffRefusal::OwnProfile)
    }
}

/// Whether somebody is left in the role.
fn stays(role: AdminRole, count: usize, present: &StaffStatus, becomes: Option<&StaffStatus>) -> Option<()> {
    let leaves = present.counts_as(role) && !becomes.is_some_and(|becomes| becomes.counts_as(role));
    (!leaves || count > 1).then_some(())
}

#[cfg(test)]
mod tests {
    use super::AdminRole::{Admin, Operator, Owner, Sac};
    use super::*;

    const MANY: ActiveCounts = ActiveCounts { owners: 2, admins: 2 };

    fn active(roles: &[AdminRole]) -> StaffStatus {
        StaffStatus {
            active: true,
            roles: roles.to_vec(),
        }
    }

    fn actor(is_owner: bool, is_self: bool) -> StaffActor {
        StaffActor { is_owner, is_self }
    }

    fn renamed() -> PersonChange {
        PersonChange {
            name: Some("Outro nome".to_owned()),
            ..PersonChange::default()
        }
    }

    #[test]
    fn nobody_changes_their_own_record_here_and_what_is_so_already_is_no_change() {
        let (admin, nothing) = (active(&[Admin]), PersonChange::default());
        let own = |becomes: Option<&StaffStatus>, change: &PersonChange| {
            actor(true, true).may_change(&admin, becomes, change, MANY)
        };
        assert_eq!(own(None, &nothing), Err(StaffRefusal::OwnRecord));
        let regrouped = active(&[Admin, Sac]);
        assert_eq!(own(Some(&regrouped), &nothing), Err(StaffRefusal::OwnRecord));
        assert_eq!(own(Some(&admin), &renamed()), Err(StaffRefusal::OwnProfile));
        assert_eq!(own(Some(&admin), &nothing), Ok(()));
        assert!(!actor(true, true).may_edit(&admin) && !actor(true, true).may_remove(&admin, MANY));
    }

    #[test]
    fn an_owner_is_changed_by_an_owner_alone() {
        let owner = active(&[Owner]);
        let change = |by_owner| actor(by_owner, false).may_change(&owner, Some(&owner), &renamed(), MANY);
        assert_eq!(change(false), Err(StaffRefusal::OwnersOnly));
        assert_eq!(change(true), Ok(()));
        assert!(actor(true, false).may_edit(&owner) && !actor(false, false).may_edit(&owner));
        let nothing = PersonChange::default();
        let deleted = actor(false, false).may_change(&owner, None, &nothing, MANY);
        assert_eq!(deleted, Err(StaffRefusal::OwnersOnly));
    }

    #[test]
    fn the_last_active_owner_and_the_last_active_admin_stay_so() {
        let one = ActiveCounts { owners: 1, admins: 1 };
        let nothing = PersonChange::default();
        for (role, refusal) in [(Owner, StaffRefusal::LastOwner), (Admin, StaffRefusal::LastAdmin)] {
            let last = active(&[role]);
            let away = [
                None,
                Some(StaffStatus {
                    active: false,
                    ..last.clone()
                }),
                Some(active(&[Sac])),
            ];
            for becomes in away {
                let by = actor(true, false);
                let becomes = becomes.as_ref();
                assert_eq!(by.may_change(&last, becomes, &nothing, one), Err(refusal));
                assert_eq!(by.may_change(&last, becomes, &nothing, MANY), Ok(()));
            }
            let more = active(&[role, Sac]);
            assert_eq!(
                actor(true, false).may_change(&last, Some(&more), &nothing, one),
                Ok(())
            );
            // Who can't sign in is nobody's last one.
            let idle = StaffStatus {
                active: false,
                ..last
            };
            assert_eq!(actor(true, false).may_change(&idle, None, &nothing, one), Ok(()));
        }
    }

    #[test]
    fn owner_and_operator_are_given_to_nobody_and_kept_by_who_has_them() {
        let sac = active(&[Sac]);
        for role in [Owner, Operator] {
            assert_eq!(sac.with(None, Some(&[role])), Err(StaffRefusal::UnknownRole));
            let kept = active(&[role]).with(None, Some(&[role, Sac]));
            assert_eq!(kept, Ok(active(&[role, Sac])));
        }
        assert_eq!(
            sac.with(Some(false), None).map(|becomes| becomes.active),
            Ok(false)
        );
    }
}
