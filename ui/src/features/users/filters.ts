// The filters of the lists of users, and the gateway's query of them.
import { choice, company, given, numberOf, search } from "../../components/table/filters";
import { strings } from "../../strings/pt-BR";
import { usersStrings } from "../../strings/pt-BR.users";

const words = usersStrings.users;
const active = choice(words.active, words.all, strings.activeStatus);

/** The users of one company, or staff; `groups` has the codes of their groups and the names. */
const filtersOf = (groups: Readonly<Record<string, string>>) => ({
  search: search(words.search, words.searchHint),
  group: choice(words.group, words.all, groups),
  active,
});
export const OWN_FILTERS = filtersOf(strings.roles);
export const ADMIN_FILTERS = filtersOf(strings.staffRoles);

/** The sellers of all companies. They have no filter by group: a user may have a different group in each company. */
export const STAFF_FILTERS = {
  search: search(words.search, words.staffSearchHint),
  business: company(words.business, words.allFeminine),
  active,
};

interface ChosenUsers {
  search: string;
  active: string | null;
  group?: string | null;
  business?: string | null;
}

export const userQuery = ({ search, active, group = null, business = null }: ChosenUsers) =>
  given({ search, active: numberOf(active), roles: group, business_id: business });
