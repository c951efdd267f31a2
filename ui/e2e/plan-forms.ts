// A sales plan for browser tests, and its form.
import type { Page } from "@playwright/test";
import { sendFromPage, staffUrl } from "./panel";
import { form } from "./users";

/** The time, to make a name unique. */
export const uniqueSuffix = () => Date.now().toString(36);

/** Taxa MDR with these fees for both groups of brands. */
export function mdr(rate: string, advance: string) {
  const fees = ["visamaster", "others"].flatMap((group) => [
    [`mdr_advance_fee_${group}`, advance],
    ...["debit", "credit_1", "credit_2to6", "credit_7to12", "credit_13to21"].map((band) => [
      `mdr_${band}_fee_${group}`,
      rate,
    ]),
  ]);
  return {
    ...Object.fromEntries(fees),
    mdr: true,
    percentage_rate: "0",
    flat_rate: 0,
    settlement_days: 1,
    pix_fee_fixed: false,
    pix_fee: "0.99",
  };
}

interface SavedPlan {
  id: string;
  description: string;
}

export const createPlan = (page: Page) =>
  sendFromPage<SavedPlan>(page, "POST", "/admin/plans", {
    ...mdr("3", "0"),
    solution_id: 1,
    description: `Mudança ${uniqueSuffix()}`,
  });

export async function openPlan(page: Page, baseURL: string | undefined, { description }: SavedPlan) {
  await page.goto(`${staffUrl(baseURL)}/ajustes/planos?search=${encodeURIComponent(description)}`);
  await page.getByRole("button", { name: `Abrir o plano ${description}` }).click();
  return form(page, `Plano ${description}`);
}
