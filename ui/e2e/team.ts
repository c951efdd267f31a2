// The users of the demo story, read from the story's own fixture.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { server } from "./servers";

interface Member {
  panel: "seller" | "admin";
  email: string;
  password: string;
  name: string;
  access: { business: string; name: string; role: string }[];
  roles?: string[];
}

const FILE = process.env.RAZAO_E2E_TEAM ?? join(import.meta.dirname, "../../fixtures/story/team.json");
const team = JSON.parse(readFileSync(FILE, "utf8")) as Member[];

function find(what: string, fits: (member: Member) => boolean): Member {
  const found = team.find(fits);
  if (!found) throw new Error(`the story's team has no ${what}`);
  return found;
}

const hasRole = (member: Member, role: string) =>
  member.panel === "seller" && member.access.some((access) => access.role === role);

export const owner = find("owner", (member) => hasRole(member, "owner"));
export const operator = find(
  "member who is an operator and nothing else",
  ({ panel, access }) =>
    panel === "seller" && access.length > 0 && access.every(({ role }) => role === "operator"),
);
/** Administers one company and is an operator of another, so there is something to switch. */
export const traveller = find(
  "administrator of one business who is an operator of another",
  (member) => hasRole(member, "admin") && hasRole(member, "operator"),
);
export const staff = find("staff member", (member) => member.panel === "admin");

const staffWith = (role: string) =>
  find(`member of staff who is ${role}`, ({ panel, roles }) => panel === "admin" && roles?.join() === role);
export const administrator = staffWith("admin");
const supervisor = staffWith("commercial-supervisor");
const sac = staffWith("sac");
const financial = staffWith("financial");

const members = { owner, operator, traveller, staff, administrator, supervisor, sac, financial };
export type Person = keyof typeof members;
export const PEOPLE = Object.keys(members) as Person[];
export const memberOf = (person: Person): Member => members[person];

/** The folder of signed-in browser states. Each run starts with an empty one. */
export const STATES = join(import.meta.dirname, ".auth");

/** The file of a person's signed-in browser state on the worker's server. */
export const stateOf = (person: Person) =>
  join(STATES, `${person}-${server.url.replaceAll(/\W+/g, "-")}.json`);
