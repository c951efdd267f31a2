// The companies that the form offers: those that the user already has, and those in which the signed-in seller may
// grant the chosen group. The user keeps a company in which the seller may not change the access.
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
