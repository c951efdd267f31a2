// The terminal rentals of the story.
import type { Page } from "@playwright/test";
import type { components } from "../src/api/schema";
import { getFromPage } from "./panel";

type Schemas = components["schemas"];

/** A charged rental that was not canceled. */
export async function findRental(page: Page): Promise<Schemas["Transfer"]> {
  const { data: companies } = await getFromPage<Schemas["BusinessOptions"]>(page, "/admin/businesses/list");
  for (const { id: business_id } of companies) {
    const { data } = await getFromPage<Schemas["TransferPage"]>(page, "/admin/balance/transfers", {
      business_id,
      status: 1,
      perPage: 100,
    });
    const rental = data.find(({ kind }) => kind === 2);
    if (rental) return rental;
  }
  throw new Error("the story has no charged rental");
}
