// Where a seller stands after choosing another company.
import { allows } from "./accessTable";
import type { SellerBusiness } from "./models";
import { screens } from "./tables";

/** What the home page says to somebody who was led there instead of to the page that they were on. */
export interface LedHome {
  /** The title of that page. */
  closed: string;
  business: Pick<SellerBusiness, "id" | "name">;
}

/**
 * Where a change of the company leads. A page number or a record's id belongs to the company left behind, and so does
 * a page that was denied in it; a page that the role in the new one can't open leads to its home.
 */
export function afterChange(
  pathname: string,
  next: Pick<SellerBusiness, "id" | "name" | "role">,
): { to: string; state: LedHome | null } {
  const route = `/${pathname.split("/")[1] ?? ""}`;
  const screen = screens.find((each) => each.panel === "seller" && each.route === route);
  if (!screen || screen.roles === "public") return { to: "/", state: null };
  if (allows(screen.roles, { panel: "seller", roles: [next.role] })) return { to: route, state: null };
  return { to: "/", state: { closed: screen.title, business: { id: next.id, name: next.name } } };
}
