// A seller user that a test creates through the API, so that changes of its password or address do not affect the
// story.
import type { Browser } from "@playwright/test";
import type { components } from "../src/api/schema";
import { askHere, staffUrl } from "./panel";
import { signedIn } from "./signed-in";
import { type NewPerson, sendHere, somebody } from "./users";

/** An operator of one company of the story. */
export async function someSeller(browser: Browser, baseURL: string | undefined): Promise<NewPerson> {
  const person = somebody("Nova Pessoa");
  const context = await browser.newContext({
    storageState: await signedIn(browser, baseURL, "administrator"),
  });
  const page = await context.newPage();
  await page.goto(`${staffUrl(baseURL)}/minha-conta`);
  const { data } = await askHere<components["schemas"]["BusinessOptions"]>(page, "/admin/businesses/list");
  await sendHere(page, "POST", "/admin/sellers", { ...person, role_id: 7, businesses_ids: [data[0]?.id] });
  await context.close();
  return person;
}
