// People who are signed in already. Their stored browser state is good for as long as an access token lives; a
// later test would renew it, and the one after that would present a refresh token that was used before.
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

/** The stored state of a person, signed in anew where it is too old. */
export async function signedIn(browser: Browser, baseURL: string | undefined, person: Person) {
  if (!isGood(stateOf(person))) await storeSignedIn(browser, baseURL, person);
  return stateOf(person);
}

/** Tests that start from somebody's stored state start from a good one: it is seen to before the context reads it. */
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
