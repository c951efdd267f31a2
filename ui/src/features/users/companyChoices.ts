// The companies that the form offers: those that the user already has, and those in which the signed-in seller may
// grant the chosen group. The user keeps a company in which the seller may not change the access.
import type { CompanyChoice } from "./CompaniesField";
import { accessDisabledReason, companiesOffered, type GroupChoice } from "./groups";
import type { FormContext } from "./sellerUserForm";

export function companyChoices({ user, companies = [] }: FormContext, group: GroupChoice): CompanyChoice[] {
  const existing = user?.businesses ?? [];
  const offered = companiesOffered(companies, group).filter(
    ({ id }) => !existing.some((each) => each.id === id),
  );
  return [
    ...existing.map(({ id, name, role, changeable }) => ({
      id,
      name,
      ...(!changeable && { disabledReason: accessDisabledReason(false, role), kept: true }),
    })),
    ...offered.map(({ id, name }) => ({ id, name })),
  ];
}
