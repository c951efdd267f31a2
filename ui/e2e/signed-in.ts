// Browser states of people who are signed in. A state is valid while its access token lives; a later test would renew
// it, and the next one would present a spent refresh token.
import { existsSync, statSync } from "node:fs";
import { type Browser, expect } from "@playwright/test";
import { test as base } from "./clock";
import { signIn, staffUrl } from "./panel";
import { memberOf, PEOPLE, type Person, stateOf } from "./team";

/** Access tokens live for fifteen minutes; no test takes five. */
const GOOD_FOR_MS = 10 * 60_000;

export async function storeSignedIn(browser: Browser, baseURL: string | undefined, person: Person) {
  const member = memberOf(person);
  const context = await browser.newContext({ storageState: { cookies: [], origins: [] } });
  const page = await context.newPage();
  await page.goto(member.panel === "admin" ? `${staffUrl(baseURL)}/login` : `${baseURL}/login`);
  await signIn(page, member);
  const welcome = member.panel === "admin" ? `Olá, ${member.name}` : "Início";
  await expect(page.getByRole("heading", { name: welcome })).toBeVisible();
  await context.storageState({ path: stateOf(person) });
  await context.close();
}

const isGood = (file: string) => existsSync(file) && Date.now() - statSync(file).mtimeMs < GOOD_FOR_MS;

/** The stored state of a person; an old one is replaced by signing in again. */
export async function signedIn(browser: Browser, baseURL: string | undefined, person: Person) {
  if (!isGood(stateOf(person))) await storeSignedIn(browser, baseURL, person);
  return stateOf(person);
}

/** The base of tests that start from a stored state: it replaces an old state before the context reads it. */
export const test = base.extend<{ goodState: undefined }>({
  goodState: [
    async ({ storageState, browser, baseURL }, use) => {
      const person = PEOPLE.find((each) => stateOf(each) === storageState);
      if (person) await signedIn(browser, baseURL, person);
      await use(undefined);
    },
    { auto: true },
  ],
});
