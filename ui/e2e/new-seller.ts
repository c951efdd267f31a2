// A seller user that a test creates through the API. Tests change its password or e-mail address, and the users of the
// demo story keep theirs.
import type { Browser } from "@playwright/test";
import type { components } from "../src/api/schema";
import { getFromPage, openHost, sendFromPage, staffUrl } from "./panel";
import { signedInState } from "./signed-in";
import { type NewUser, newUser } from "./users";

/** The id of the operator's role in the API. */
const OPERATOR = 7;

/** An operator of one company of the story. */
export async function createSeller(browser: Browser, baseURL: string | undefined): Promise<NewUser> {
  const seller = newUser("Nova Pessoa");
  const context = await browser.newContext({
    storageState: await signedInState(browser, baseURL, "administrator"),
  });
  const page = await context.newPage();
  await openHost(page, staffUrl(baseURL));
  const { data } = await getFromPage<components["schemas"]["BusinessOptions"]>(
    page,
    "/admin/businesses/list",
  );
  await sendFromPage(page, "POST", "/admin/sellers", {
    ...seller,
    role_id: OPERATOR,
    businesses_ids: [data[0]?.id],
  });
  await context.close();
  return seller;
}
