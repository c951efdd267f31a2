// The terminal rentals of the demo story.
import type { Page } from "@playwright/test";
import type { components } from "../src/api/schema";
import { APPROVED, TERMINAL_RENTAL } from "../src/features/withdrawals/transferCodes";
import { getFromPage } from "./panel";

type Schemas = components["schemas"];

/** A charged rental that was not canceled. */
export async function findRental(page: Page): Promise<Schemas["Transfer"]> {
  const { data: companies } = await getFromPage<Schemas["BusinessOptions"]>(page, "/admin/businesses/list");
  for (const { id: business_id } of companies) {
    const { data } = await getFromPage<Schemas["TransferPage"]>(page, "/admin/balance/transfers", {
      business_id,
      status: APPROVED,
      perPage: 100,
    });
    const rental = data.find(({ kind }) => kind === TERMINAL_RENTAL);
    if (rental) return rental;
  }
  throw new Error("the story has no charged rental");
}
