// Where the panel goes after a seller chooses another company.
import { allows } from "./accessTable";
import type { SellerBusiness } from "./models";
import { screens } from "./tables";

/** The state of a navigation to the home page because the role in the new company may not open the current page. */
export interface HomeRedirect {
  /** The title of the page that the new role may not open. */
  pageTitle: string;
  business: Pick<SellerBusiness, "id" | "name">;
}

/**
 * The address after a change of company. A page number and a record's id belong to the old company, so the list opens.
 * A page that the new role may not open becomes the home page.
 */
export function addressAfterChange(
  pathname: string,
  next: Pick<SellerBusiness, "id" | "name" | "role">,
): { to: string; state: HomeRedirect | null } {
  const route = `/${pathname.split("/")[1] ?? ""}`;
  const screen = screens.find((each) => each.panel === "seller" && each.route === route);
  if (!screen || screen.roles === "public") return { to: "/", state: null };
  if (allows(screen.roles, { panel: "seller", roles: [next.role] })) return { to: route, state: null };
  return { to: "/", state: { pageTitle: screen.title, business: { id: next.id, name: next.name } } };
}
