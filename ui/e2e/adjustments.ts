// Adjustments of balances above what one person may make alone: the platform's owner approves them.
import type { Browser } from "@playwright/test";
import type { components } from "../src/api/schema";
import { getFromPage, openHost, sendFromPage, staffUrl } from "./panel";
import { signedInState } from "./signed-in";

/** Approves the pending requests of a company; does nothing if there are none. */
export async function approveAdjustments(browser: Browser, baseURL: string | undefined, business_id: string) {
  const context = await browser.newContext({
    storageState: await signedInState(browser, baseURL, "platformOwner"),
  });
  try {
    const owner = await context.newPage();
    await openHost(owner, staffUrl(baseURL));
    const path = "/admin/balance/adjustments";
    const { data } = await getFromPage<components["schemas"]["AdjustmentRequestPage"]>(owner, path, {
      status: "pending",
    });
    for (const { id } of data.filter((request) => request.business_id === business_id)) {
      await sendFromPage(owner, "POST", `${path}/${id}/approve`, {});
    }
  } finally {
    await context.close();
  }
}
