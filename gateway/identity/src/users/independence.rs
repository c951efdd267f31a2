//! Whether two admin users are two people. A decision that needs two must not be made by one person who can also sign
//! in as the other one. The audit log shows who could: it is append-only, so no later change hides an access.
//!
//! A user is *held* by others in two ways:
//! - by the password: by the user who created them, gave them a role that decides (`AdminRole::APPROVERS`), or set
//!   their password. Giving the role counts as knowing the password. The hold ends when the user sets a new password by
//!   a link in an e-mail. It does not end for holders by the address, who can read that e-mail. A change with the
//!   current password ends nothing, because the holder knows that password.
//! - by the address: by the user who set the e-mail, to which such links go. This ends when another user sets the
//!   e-mail, or when another user who is an owner gives the role that decides. An admin who creates a user, or gives
//!   such a role, is a holder by the address too, because nothing shows that the mailbox is not the admin's. An owner
//!   is not, because the first owner of an installation has to create the first admins. When the user changes their own
//!   e-mail, the holders by the password become holders by the address too, because one of them may have made the
//!   change.
//!
//! Two users are independent if they share no holder. Each user is also their own holder, and the holders of a holder
//! are holders too.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use ledger_domain::ids::UserId;
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient, Row};
use uuid::Uuid;

use super::admin_list::roles_of_column;
use crate::roles::AdminRole;

/// Why two users do not count as two people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dependence {
    /// The one of the two users as whom another user can sign in.
    pub held: UserId,
    /// The direct holder of `held` through whom the two depend on each other. It can be a third user.
    pub by: UserId,
    pub hold: Hold,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hold {
    /// Ends when the held user sets a new password by a link in an e-mail.
    Password,
    /// Does not end by anything that the held user does.
    Address,
}

/// An entry of the audit log about an admin user.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Entry {
    act: Act,
    /// `None`: the program itself, such as its command that creates owners.
    by: Option<UserId>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Act {
    Create,
    Update {
        email: bool,
        deciding: bool,
    },
    SetPassword,
    ResetByLink,
    /// A new e-mail, set while signed in as the user.
    ChangeOwnEmail,
}

/// The users who can sign in as a user.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Holders {
    by_password: BTreeSet<UserId>,
    by_address: BTreeSet<UserId>,
}

impl Holders {
    fn of(user: UserId, entries: &[Entry], owners: &BTreeSet<UserId>) -> Self {
        let mut holders = Self::default();
        for entry in entries {
            let by = entry.by.filter(|by| *by != user);
            holders.add(entry.act, by, owners);
        }
        holders
    }

    fn add(&mut self, act: Act, by: Option<UserId>, owners: &BTreeSet<UserId>) {
        match (act, by) {
            // A holder by the address gets the link, so this holder may know the new password.
            (Act::ResetByLink, _) => self.by_password.clone_from(&self.by_address),
            // A holder by the password may have set the address of their own mailbox.
            (Act::ChangeOwnEmail, _) => self.by_address.extend(self.by_password.iter().copied()),
            (_, None) => {}
            (Act::SetPassword, Some(by)) => {
                self.by_password.insert(by);
            }
            (Act::Create, Some(by)) => {
                self.by_password.insert(by);
                if !owners.contains(&by) {
                    self.by_address.insert(by);
                }
            }
            (Act::Update { email, deciding }, Some(by)) => {
                if deciding {
                    self.by_password.insert(by);
                    if owners.contains(&by) {
                        self.by_address.retain(|holder| *holder == by);
                    } else {
                        self.by_address.insert(by);
                    }
                }
                if email {
                    self.by_address = BTreeSet::from([by]);
                }
            }
        }
    }

    fn all(&self) -> impl Iterator<Item = (UserId, Hold)> + '_ {
        let by_address = self.by_address.iter().map(|holder| (*holder, Hold::Address));
        let by_password = self.by_password.iter().map(|holder| (*holder, Hold::Password));
        by_address.chain(by_password)
    }
}

/// `None` if the two users are two people. Lock both rows first, so that neither user gets another direct holder before
/// the transaction ends.
pub async fn dependence(
    client: &impl GenericClient,
    one: UserId,
    other: UserId,
) -> Result<Option<Dependence>, Error> {
    let owners = owners(client).await?;
    let of_one = holders_of(client, one, &owners).await?;
    let of_other = holders_of(client, other, &owners).await?;
    let shared = of_one.iter().find(|(holder, _)| of_other.contains_key(holder));
    Ok(shared.and_then(|(holder, in_one)| {
        // A user is in their own map without a hold, so one of the two has one.
        let dependence = |held, (by, hold)| Dependence { held, by, hold };
        let of_one = in_one.map(|first| dependence(one, first));
        of_one.or_else(|| of_other.get(holder)?.map(|first| dependence(other, first)))
    }))
}

/// The user without a hold, and all who can sign in as the user, directly or through other users. A holder through
/// others has the direct holder of the user, and that one's hold. A direct holder in both ways has the hold by the
/// address, which lasts longer.
async fn holders_of(
    client: &impl GenericClient,
    user: UserId,
    owners: &BTreeSet<UserId>,
) -> Result<BTreeMap<UserId, Option<(UserId, Hold)>>, Error> {
    let mut found = BTreeMap::from([(user, None)]);
    let mut waiting = VecDeque::from([(user, None)]);
    while let Some((held, first)) = waiting.pop_front() {
        let entries = entries(client, held).await?;
        for (holder, hold) in Holders::of(held, &entries, owners).all() {
            // When the hold on the user ends, the whole chain of holds ends.
            let first = first.or(Some((holder, hold)));
            if let std::collections::btree_map::Entry::Vacant(vacant) = found.entry(holder) {
                vacant.insert(first);
                waiting.push_back((holder, first));
            }
        }
    }
    Ok(found)
}

/// The owners, including deleted ones. An existing user is never made an owner, so each was one from the start, and at
/// every entry of the audit log.
async fn owners(client: &impl GenericClient) -> Result<BTreeSet<UserId>, Error> {
    let owner = AdminRole::Owner.as_str();
    let rows = client
        .query_typed(
            "SELECT id FROM admin_user WHERE $1 = ANY (roles)",
            &[(&owner, Type::TEXT)],
        )
        .await?;
    Ok(rows.iter().map(|row| UserId::from_uuid(row.get(0))).collect())
}

/// The entries that tell who can sign in as the user, in the order of the changes: each is written under the user's
/// lock.
async fn entries(client: &impl GenericClient, user: UserId) -> Result<Vec<Entry>, Error> {
    let rows = client
        .query_typed(
            "SELECT action, actor_id, after -> 'email' IS NOT NULL,
                    ARRAY(SELECT json_array_elements_text(before -> 'roles')),
                    ARRAY(SELECT json_array_elements_text(after -> 'roles'))
               FROM audit_log
              WHERE subject = 'admin_user' AND subject_id = $1
                AND action IN ('create', 'update', 'set-password', 'reset-password', 'verify-email')
              ORDER BY id",
            &[(&user.to_string(), Type::TEXT)],
        )
        .await?;
    Ok(rows.iter().filter_map(entry).collect())
}

fn entry(row: &Row) -> Option<Entry> {
    let email: bool = row.get(2);
    let decides = |place: usize| {
        let roles = roles_of_column(row.get(place));
        roles.iter().any(|role| AdminRole::APPROVERS.contains(role))
    };
    let act = match row.get(0) {
        "create" => Act::Create,
        "update" => Act::Update {
            email,
            deciding: decides(4) && !decides(3),
        },
        "set-password" => Act::SetPassword,
        "reset-password" => Act::ResetByLink,
        "verify-email" if email => Act::ChangeOwnEmail,
        _ => return None,
    };
    let by = row.get::<_, Option<Uuid>>(1).map(UserId::from_uuid);
    Some(Entry { act, by })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The user gets a role that decides.
    const DECIDING_ROLE_GIVEN: Act = Act::Update {
        email: false,
        deciding: true,
    };
    const EMAIL_SET: Act = Act::Update {
        email: true,
        deciding: false,
    };

    fn user(number: u128) -> UserId {
        UserId::from_uuid(Uuid::from_u128(number))
    }

    /// The holders of user 99 by the password and by the address. Of the acting users, 0 is the program, 1 to 9 are
    /// owners, and 10 and above are admins.
    fn held(entries: &[(Act, u128)]) -> (Vec<u128>, Vec<u128>) {
        let entries: Vec<_> = entries
            .iter()
            .map(|(act, by)| Entry {
                act: *act,
                by: (*by > 0).then(|| user(*by)),
            })
            .collect();
        let holders = Holders::of(user(99), &entries, &(1..10).map(user).collect());
        let numbers = |of: &BTreeSet<UserId>| of.iter().map(|id| id.uuid().as_u128()).collect();
        (numbers(&holders.by_password), numbers(&holders.by_address))
    }

    #[test]
    fn acts_of_the_program_and_of_the_user_add_no_holder() {
        assert_eq!(
            held(&[(Act::Create, 0), (Act::SetPassword, 99)]),
            (vec![], vec![])
        );
        assert_eq!(
            held(&[(Act::Create, 0), (Act::ChangeOwnEmail, 99)]),
            (vec![], vec![])
        );
    }

    #[test]
    fn a_new_password_by_link_ends_the_holds_by_the_password() {
        for act in [Act::Create, DECIDING_ROLE_GIVEN, Act::SetPassword] {
            assert_eq!(held(&[(act, 1)]), (vec![1], vec![]), "{act:?}");
            assert_eq!(
                held(&[(act, 1), (Act::ResetByLink, 99)]),
                (vec![], vec![]),
                "{act:?}"
            );
        }
    }

    #[test]
    fn a_new_password_by_link_ends_no_hold_by_the_address() {
        let readdressed = [(EMAIL_SET, 1), (Act::ResetByLink, 99)];
        assert_eq!(held(&readdressed), (vec![1], vec![1]));
        let by_another = [(EMAIL_SET, 10), (EMAIL_SET, 1), (Act::ResetByLink, 99)];
        assert_eq!(held(&by_another), (vec![1], vec![1]));
        // User 10 may have set the password by the link before user 1 set the e-mail, and still knows it.
        let known = [(EMAIL_SET, 10), (Act::ResetByLink, 99), (EMAIL_SET, 1)];
        assert_eq!(held(&known), (vec![10], vec![1]));
        // User 1 may have signed in as the user and set the address.
        let moved = [
            (Act::SetPassword, 1),
            (Act::ChangeOwnEmail, 99),
            (Act::ResetByLink, 99),
        ];
        assert_eq!(held(&moved), (vec![1], vec![1]));
    }

    #[test]
    fn an_admin_who_creates_a_user_or_gives_the_role_holds_the_user_until_an_owner_gives_the_role() {
        for act in [Act::Create, DECIDING_ROLE_GIVEN] {
            let own = [(act, 10), (Act::ResetByLink, 99)];
            assert_eq!(held(&own), (vec![10], vec![10]), "{act:?}");
            let vouched = [(act, 10), (DECIDING_ROLE_GIVEN, 1), (Act::ResetByLink, 99)];
            assert_eq!(held(&vouched), (vec![], vec![]), "{act:?}");
        }
        // The owner who set the address stays a holder. Another owner ends that hold.
        let own = [(EMAIL_SET, 1), (DECIDING_ROLE_GIVEN, 1), (Act::ResetByLink, 99)];
        assert_eq!(held(&own), (vec![1], vec![1]));
        let other = [(EMAIL_SET, 1), (DECIDING_ROLE_GIVEN, 2), (Act::ResetByLink, 99)];
        assert_eq!(held(&other), (vec![], vec![]));
        assert_eq!(
            held(&[(Act::Create, 1), (DECIDING_ROLE_GIVEN, 10)]),
            (vec![1, 10], vec![10])
        );
    }
}
