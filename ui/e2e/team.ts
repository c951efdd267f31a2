// The people of the demo story, read from the fixture that the demo itself is made of.
import { readFileSync } from "node:fs";
import { join } from "node:path";

interface Member {
  panel: "seller" | "admin";
  email: string;
  password: string;
  name: string;
  access: { business: string | null; role: string }[];
}

const FILE = process.env.RAZAO_E2E_TEAM ?? join(import.meta.dirname, "../../fixtures/story/team.json");
const team = JSON.parse(readFileSync(FILE, "utf8")) as Member[];

function find(what: string, fits: (member: Member) => boolean): Member {
  const found = team.find(fits);
  if (!found) throw new Error(`the story's team has no ${what}`);
  return found;
}

const hasRole = (member: Member, role: string) => member.access.some((access) => access.role === role);

/** An owner of more than one business, so that there is something to switch. */
export const owner = find(
  "owner with two businesses",
  (member) => member.panel === "seller" && hasRole(member, "owner") && member.access.length > 1,
);
export const operator = find(
  "pure operator",
  (member) => member.panel === "seller" && member.access.every(({ role }) => role === "operator"),
);
export const staff = find("staff member", (member) => member.panel === "admin");

/** Where a person's signed-in browser state is kept between tests. */
export const stateOf = (person: "owner" | "operator" | "staff") =>
  join(import.meta.dirname, ".auth", `${person}.json`);
