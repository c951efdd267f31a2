// Browser states of signed-in users. A state is used only while its access token is fresh. With an expired token, a
// test would renew the session, and the next test would present a used refresh token.
import { existsSync, statSync } from "node:fs";
import type { Browser, Page } from "@playwright/test";
import { test as base } from "./clock";
import { openHost, sendFromPage, staffUrl } from "./panel";
import { STORY_USERS, type StoryUser, stateOf, storyUser } from "./story-users";

/** Access tokens live for fifteen minutes, so a test has at least five. */
const FRESH_MS = 10 * 60_000;

/** Signs in by the API, without loading the panel. sessions.spec.ts tests the form. */
async function storeState(browser: Browser, baseURL: string | undefined, name: StoryUser) {
  const { panel, email, password } = storyUser(name);
  const context = await browser.newContext({ storageState: { cookies: [], origins: [] } });
  const page = await context.newPage();
  await openHost(page, panel === "admin" ? staffUrl(baseURL) : (baseURL ?? ""));
  const path = panel === "admin" ? "/auth/admin/sign-in" : "/auth/sign-in";
  await sendFromPage(page, "POST", path, { email, password });
  await context.storageState({ path: stateOf(name) });
  await context.close();
}

const isFresh = (file: string) => existsSync(file) && Date.now() - statSync(file).mtimeMs < FRESH_MS;

/** The stored state of a user; an old one is replaced by signing in again. */
export async function signedInState(browser: Browser, baseURL: string | undefined, name: StoryUser) {
  if (!isFresh(stateOf(name))) await storeState(browser, baseURL, name);
  return stateOf(name);
}

/** The base of tests that start from a stored state: it replaces an old state before the context reads it. */
export const test = base.extend<{ freshState: undefined }>({
  freshState: [
    async ({ storageState, browser, baseURL }, use) => {
      const name = STORY_USERS.find((each) => stateOf(each) === storageState);
      if (name) await signedInState(browser, baseURL, name);
      await use(undefined);
    },
    { auto: true },
  ],
});
/** Runs steps on a staff page of another user. */
export async function asStaff<Result>(
  browser: Browser,
  baseURL: string | undefined,
  user: StoryUser,
  steps: (page: Page) => Promise<Result>,
): Promise<Result> {
  const context = await browser.newContext({ storageState: await signedInState(browser, baseURL, user) });
  try {
    const page = await context.newPage();
    await openHost(page, staffUrl(baseURL));
    return await steps(page);
  } finally {
    await context.close();
  }
}
