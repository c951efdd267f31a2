// The sides of a payment that the buyer does not see: the seller's link and statement, staff's settings, and the
// acquirer's charges.
import { type Browser, expect, type Page } from "@playwright/test";
import type { AcquirerRoute } from "../src/api/models";
import type { components } from "../src/api/schema";
import { money } from "../src/format/money";
import { shortCode } from "../src/format/text";
import { api, getFromPage, openHost, sendFromPage, staffUrl } from "./panel";
import { PHONE } from "./screen-checks";
import { server } from "./servers";
import { signedInState } from "./signed-in";
import { storyUser } from "./story-users";

type Schemas = components["schemas"];

/** The fees of the plan of `settleAtOnce`. Those of a PIX and of a boleto are in cents. */
export const CARD_FEE_PERCENT = 5;
export const PIX_FEE = 99;
export const BOLETO_FEE = 249;

/** Staff give the seller a plan that settles at the payment, so that the statement shows it at once. */
export async function settleAtOnce(browser: Browser, baseURL: string | undefined) {
  const storageState = await signedInState(browser, baseURL, "platformOwner");
  const context = await browser.newContext({ storageState });
  const page = await context.newPage();
  await openHost(page, staffUrl(baseURL));
  const plans = await getFromPage<Schemas["PlanOptions"]>(page, "/admin/plans/all");
  const model = plans.data.find(({ solution_id }) => solution_id === LINK_SOLUTION);
  const { current } = await getFromPage<Schemas["PlanDetail"]>(page, `/admin/plans/${model?.id}`);
  const plan = await sendFromPage<{ id: string }>(page, "POST", "/admin/plans", {
    ...current,
    fees: current?.fees.map((fee) => ({ ...fee, percent_amount: String(CARD_FEE_PERCENT) })),
    description: `Links na hora ${Date.now().toString(36)}`,
    solution_id: LINK_SOLUTION,
    settlement_days: 0,
    percentage_rate: "0",
    flat_rate: 0,
    pix_fee_fixed: true,
    pix_fee: PIX_FEE,
    boleto_fee: BOLETO_FEE,
    active: true,
    default: false,
  });
  const companies = await getFromPage<Schemas["BusinessOptions"]>(page, "/admin/businesses/list");
  const [access] = storyUser("linkSeller").access;
  const company = companies.data.find(({ name }) => name === access?.name);
  await sendFromPage(page, "POST", `/admin/businesses/${company?.id}/plans`, {
    plans: [{ solution_id: LINK_SOLUTION, plan_id: plan.id }],
  });
  await context.close();
}

const LINK_SOLUTION = 4;

/** The seller finds the sale in the statement on a phone, and its movements add up to `net`. */
export async function expectInStatement(
  page: Page,
  baseURL: string | undefined,
  amount: number,
  net: number,
) {
  const browser = page.context().browser();
  const paid = (await chargesOf(page, amount)).find(({ state }) => state === "paid");
  if (!browser || !paid) throw new Error(`no paid charge of ${amount}`);
  const storageState = await signedInState(browser, baseURL, "linkSeller");
  const context = await browser.newContext({ storageState, viewport: PHONE });
  const seller = await context.newPage();
  const ofSale = async () => {
    const { data } = await api.statement(seller, { perPage: 100 });
    return data.filter(({ sale_id }) => sale_id === paid.sale_id);
  };
  const sum = async () => (await ofSale()).reduce((total, movement) => total + movement.amount, 0);
  await expect.poll(sum).toBe(net);
  await seller.goto("/financeiro");
  const [first] = await ofSale();
  const line = seller.getByRole("list", { name: "Extrato" }).getByRole("link");
  await expect(line.filter({ hasText: shortCode(paid.sale_id) }).first()).toContainText(
    money(first?.amount ?? 0),
  );
  await context.close();
}

/** Creates a link of a seller of the story. Returns its code. */
export async function createLink(
  browser: Browser,
  baseURL: string | undefined,
  fields: object,
): Promise<string> {
  const storageState = await signedInState(browser, baseURL, "linkSeller");
  const context = await browser.newContext({ storageState });
  const page = await context.newPage();
  await openHost(page, baseURL ?? "");
  const link = await sendFromPage<{ code: string }>(page, "POST", "/payment-link", {
    description: "Bolo de chocolate",
    payment_types: ["credit", "pix", "boleto"],
    installments_max: 3,
    ...fields,
  });
  await context.close();
  return link.code;
}

interface Charge {
  id: string;
  sale_id: string;
  amount: number;
  state: unknown;
}

/** The sandbox's charges of this amount. Each test has its own amount, so they are the charges of one test. */
export async function chargesOf(page: Page, amount: number): Promise<Charge[]> {
  const answer = await page.request.get(`${server.sandbox}/sandbox/charges`);
  return ((await answer.json()) as Charge[]).filter((charge) => charge.amount === amount);
}

/** Sets the order of the acquirers that charge the cards of all companies. Null restores the installation's order. */
export async function chooseCardAcquirers(
  browser: Browser,
  baseURL: string | undefined,
  acquirers: string[] | null,
) {
  const storageState = await signedInState(browser, baseURL, "platformOwner");
  const context = await browser.newContext({ storageState });
  const page = await context.newPage();
  await openHost(page, staffUrl(baseURL));
  const settings = "/admin/settings/acquirers";
  const { routes } = await getFromPage<{ routes: AcquirerRoute[] }>(page, settings);
  const route = routes.find((each) => each.payment_type === "credit");
  const { solution, payment_type, revision } = route ?? {};
  await sendFromPage(page, "POST", settings, {
    business_id: null,
    solution,
    payment_type,
    revision,
    acquirers,
  });
  await context.close();
}
