//! The rules on which admin user may change which. They work on plain values, without a database. `admin_change` locks
//! the users while it checks the rules.

use thiserror::Error;

use super::user_change::UserChange;
use crate::roles::AdminRole;

/// The roles that can be assigned. Only a command of the program creates owners, and the operator role is never
/// assigned.
pub const ASSIGNABLE_ROLES: &[AdminRole] = &[
    AdminRole::Admin,
    AdminRole::Financial,
    AdminRole::CommercialSupervisor,
    AdminRole::Commercial,
    AdminRole::Sac,
];

/// The values of an admin user that the rules check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StaffStatus {
    pub active: bool,
    pub roles: Vec<AdminRole>,
}

/// The number of active users in the two roles that must not become empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ActiveCounts {
    pub owners: usize,
    pub admins: usize,
}

/// The admin user who makes a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StaffActor {
    pub is_owner: bool,
    /// Whether the actor is also the target.
    pub is_self: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum StaffRefusal {
    #[error("admin users may not deactivate or delete themselves, nor change their own roles")]
    OwnRecord,
    #[error(
        "admin users change their own name, e-mail and password in the profile, which asks for the password"
    )]
    OwnProfile,
    #[error(
        "only an owner may change or delete an owner, because setting a password gives access to the account"
    )]
    OwnersOnly,
    #[error("the last active owner")]
    LastOwner,
    #[error("the last active admin")]
    LastAdmin,
    #[error("the role cannot be assigned")]
    RoleNotAssignable,
}

impl StaffStatus {
    pub fn is(&self, role: AdminRole) -> bool {
        self.roles.contains(&role)
    }

    fn counts_as(&self, role: AdminRole) -> bool {
        self.active && self.is(role)
    }

    /// The status after a change. A role that cannot be assigned may be kept by a user who has it.
    pub fn with(&self, active: Option<bool>, roles: Option<&[AdminRole]>) -> Result<Self, StaffRefusal> {
        let assignable = |role: &AdminRole| ASSIGNABLE_ROLES.contains(role) || self.is(*role);
        if roles.is_some_and(|roles| !roles.iter().all(assignable)) {
            return Err(StaffRefusal::RoleNotAssignable);
        }
        Ok(Self {
            active: active.unwrap_or(self.active),
            roles: roles.map_or_else(|| self.roles.clone(), <[_]>::to_vec),
        })
    }
}

impl StaffActor {
    /// `change` holds only the fields that differ. `after` is `None` if the user is deleted.
    pub fn may_change(
        self,
        present: &StaffStatus,
        after: Option<&StaffStatus>,
        change: &UserChange,
        active_counts: ActiveCounts,
    ) -> Result<(), StaffRefusal> {
        if self.is_self {
            return own_record(present, after, change);
        }
        let changes_nothing = after == Some(present) && change.is_empty();
        if present.is(AdminRole::Owner) && !self.is_owner && !changes_nothing {
            return Err(StaffRefusal::OwnersOnly);
        }
        keeps_an_active_user(AdminRole::Owner, active_counts.owners, present, after)
            .ok_or(StaffRefusal::LastOwner)?;
        keeps_an_active_user(AdminRole::Admin, active_counts.admins, present, after)
            .ok_or(StaffRefusal::LastAdmin)
    }

    /// Whether any change to the user's fields is allowed, so that the panel shows the form.
    pub fn may_edit(self, present: &StaffStatus) -> bool {
        !self.is_self && (self.is_owner || !present.is(AdminRole::Owner))
    }

    pub fn may_remove(self, present: &StaffStatus, active_counts: ActiveCounts) -> bool {
        self.may_change(present, None, &UserChange::default(), active_counts)
            .is_ok()
    }
}

fn own_record(
    present: &StaffStatus,
    after: Option<&StaffStatus>,
    change: &UserChange,
) -> Result<(), StaffRefusal> {
    if after != Some(present) {
        return Err(StaffRefusal::OwnRecord);
    }
    if change.is_empty() {
        Ok(())
    } else {
        Err(StaffRefusal::OwnProfile)
    }
}

/// Returns `None` if the change removes the last active user of the role.
fn keeps_an_active_user(
    role: AdminRole,
    count: usize,
    present: &StaffStatus,
    after: Option<&StaffStatus>,
) -> Option<()> {
    let leaves = present.counts_as(role) && !after.is_some_and(|after| after.counts_as(role));
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

    const OWNER: StaffActor = StaffActor {
        is_owner: true,
        is_self: false,
    };
    const ADMIN: StaffActor = StaffActor {
        is_owner: false,
        is_self: false,
    };
    const OWNER_ON_OWN_RECORD: StaffActor = StaffActor {
        is_owner: true,
        is_self: true,
    };

    fn renamed() -> UserChange {
        UserChange {
            name: Some("Outro nome".to_owned()),
            ..UserChange::default()
        }
    }

    #[test]
    fn staff_cannot_change_their_own_record_and_equal_values_are_no_change() {
        let (admin, nothing) = (active(&[Admin]), UserChange::default());
        let own = |after: Option<&StaffStatus>, change: &UserChange| {
            OWNER_ON_OWN_RECORD.may_change(&admin, after, change, MANY)
        };
        assert_eq!(own(None, &nothing), Err(StaffRefusal::OwnRecord));
        let regrouped = active(&[Admin, Sac]);
        assert_eq!(own(Some(&regrouped), &nothing), Err(StaffRefusal::OwnRecord));
        assert_eq!(own(Some(&admin), &renamed()), Err(StaffRefusal::OwnProfile));
        assert_eq!(own(Some(&admin), &nothing), Ok(()));
        assert!(!OWNER_ON_OWN_RECORD.may_edit(&admin) && !OWNER_ON_OWN_RECORD.may_remove(&admin, MANY));
    }

    #[test]
    fn only_an_owner_changes_an_owner() {
        let owner = active(&[Owner]);
        let change = |by: StaffActor| by.may_change(&owner, Some(&owner), &renamed(), MANY);
        assert_eq!(change(ADMIN), Err(StaffRefusal::OwnersOnly));
        assert_eq!(change(OWNER), Ok(()));
        assert!(OWNER.may_edit(&owner) && !ADMIN.may_edit(&owner));
        let nothing = UserChange::default();
        let deleted = ADMIN.may_change(&owner, None, &nothing, MANY);
        assert_eq!(deleted, Err(StaffRefusal::OwnersOnly));
    }

    #[test]
    fn the_last_active_owner_and_the_last_active_admin_cannot_be_removed() {
        let one = ActiveCounts { owners: 1, admins: 1 };
        let nothing = UserChange::default();
        for (role, refusal) in [(Owner, StaffRefusal::LastOwner), (Admin, StaffRefusal::LastAdmin)] {
            let last = active(&[role]);
            let removals = [
                None,
                Some(StaffStatus {
                    active: false,
                    ..last.clone()
                }),
                Some(active(&[Sac])),
            ];
            for after in removals {
                let by = OWNER;
                let after = after.as_ref();
                assert_eq!(by.may_change(&last, after, &nothing, one), Err(refusal));
                assert_eq!(by.may_change(&last, after, &nothing, MANY), Ok(()));
            }
            let more = active(&[role, Sac]);
            assert_eq!(OWNER.may_change(&last, Some(&more), &nothing, one), Ok(()));
            // An inactive user does not count as the last one.
            let idle = StaffStatus {
                active: false,
                ..last
            };
            assert_eq!(OWNER.may_change(&idle, None, &nothing, one), Ok(()));
        }
    }

    #[test]
    fn owner_and_operator_are_never_assigned_but_may_be_kept() {
        let sac = active(&[Sac]);
        for role in [Owner, Operator] {
            assert_eq!(
                sac.with(None, Some(&[role])),
                Err(StaffRefusal::RoleNotAssignable)
            );
            let kept = active(&[role]).with(None, Some(&[role, Sac]));
            assert_eq!(kept, Ok(active(&[role, Sac])));
        }
        assert_eq!(sac.with(Some(false), None).map(|after| after.active), Ok(false));
    }
}
