// The companies offered with a group: those in which the seller may grant it, and those that the user already has.
// Some of the latter cannot be changed.
import { usersStrings } from "../../strings/pt-BR.users";
import type { CompanyChoice } from "./CompaniesField";
import { companiesOffered, type GroupChoice } from "./groups";
import type { FormContext } from "./sellerUserForm";

const words = usersStrings.user.disabledReasons;

export function companyChoices({ user, companies = [] }: FormContext, group: GroupChoice): CompanyChoice[] {
  const existing = user?.businesses ?? [];
  const offered = companiesOffered(companies, group).filter(
    ({ id }) => !existing.some((each) => each.id === id),
  );
  return [
    ...existing.map(({ id, name, role, changeable }) => ({
      id,
      name,
      ...(!changeable && { disabledReason: role === "owner" ? words.owner : words.admin, kept: true }),
    })),
    ...offered.map(({ id, name }) => ({ id, name })),
  ];
}
