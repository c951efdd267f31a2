// The users of the demo story, read from the story's own fixture.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { server } from "./servers";

interface User {
  panel: "seller" | "admin";
  email: string;
  password: string;
  name: string;
  access: { business: string; name: string; role: string }[];
  roles?: string[];
}

const FILE = join(import.meta.dirname, "../../fixtures/story/team.json");
const story = JSON.parse(readFileSync(FILE, "utf8")) as User[];

function find(description: string, matches: (user: User) => boolean): User {
  const found = story.find(matches);
  if (!found) throw new Error(`the story has no ${description}`);
  return found;
}

const isSeller = (user: User, role: string) =>
  user.panel === "seller" && user.access.some((access) => access.role === role);

/** An admin user with this one role. */
const adminUser = (role: string) =>
  find(`admin user who is ${role}`, ({ panel, roles }) => panel === "admin" && roles?.join() === role);

const users = {
  owner: find("owner", (user) => isSeller(user, "owner")),
  operator: find(
    "user who is an operator and nothing else",
    ({ panel, access }) =>
      panel === "seller" && access.length > 0 && access.every(({ role }) => role === "operator"),
  ),
  /** Administers one company and is an operator of another, so there are two companies to switch between. */
  adminAndOperator: find(
    "administrator of one company who is an operator of another",
    (user) => isSeller(user, "admin") && isSeller(user, "operator"),
  ),
  /** Sells courses by links. Only the tests of the checkout use it. */
  linkSeller: find("owner of the language school", ({ access }) =>
    access.some(({ business, role }) => business === "idiomas" && role === "owner"),
  ),
  platformOwner: adminUser("owner"),
  administrator: adminUser("admin"),
  supervisor: adminUser("commercial-supervisor"),
  sac: adminUser("sac"),
  financial: adminUser("financial"),
};

export const { owner, operator, adminAndOperator, platformOwner, administrator } = users;
export type StoryUser = keyof typeof users;
export const STORY_USERS = Object.keys(users) as StoryUser[];
export const storyUser = (name: StoryUser): User => users[name];

/** The folder of signed-in browser states. Each run starts with an empty one. */
export const STORED_STATES = join(import.meta.dirname, ".auth");

/** The file of a user's signed-in browser state on the worker's server. */
export const stateOf = (name: StoryUser) =>
  join(STORED_STATES, `${name}-${server.url.replaceAll(/\W+/g, "-")}.json`);
