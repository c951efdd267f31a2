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
  const screen = screenWithoutRecord(pathname);
  if (!screen || screen.roles === "public") return { to: "/", state: null };
  if (allows(screen.roles, { panel: "seller", roles: [next.role] })) return { to: screen.route, state: null };
  return { to: "/", state: { pageTitle: screen.title, business: { id: next.id, name: next.name } } };
}

/** The screen at an address, or the nearest one above it, whose route holds no id. */
function screenWithoutRecord(pathname: string) {
  const parts = pathname.split("/").slice(1);
  const above = parts.map((_, dropped) => `/${parts.slice(0, parts.length - dropped).join("/")}`);
  const found = above.map((route) => screens.find((each) => each.panel === "seller" && each.route === route));
  return found.find((screen) => screen !== undefined);
}
