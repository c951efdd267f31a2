// The reversal of a sale in the browser: the sale, the modal, and the balances that it shows.
import { expect, type Locator, type Page } from "@playwright/test";
import type { components } from "../src/api/schema";
import { reversalsStrings } from "../src/strings/pt-BR.reversals";
import { api, cents } from "./panel";

type Schemas = components["schemas"];
export type SaleRow = Schemas["SaleRow"];

export type Reversal = "cancel" | "dispute";

const LABELS = { cancel: "Cancelar venda", dispute: "Contestar venda" } as const;

export const button = (page: Page, reversal: Reversal) =>
  page.getByRole("button", { name: LABELS[reversal] });
export const dialog = (page: Page, reversal: Reversal) =>
  page.getByRole("dialog", { name: LABELS[reversal] });
export const confirm = (page: Page, reversal: Reversal) =>
  dialog(page, reversal).getByRole("button", { name: LABELS[reversal] });
export const preview = (page: Page) => page.getByRole("table", { name: "Efeito no saldo" });

/**
 * The first approved sale of the list that `accepts` takes; the newest, unless `query` orders the list otherwise. A
 * reversed sale is no longer approved, so no later test gets it.
 */
export async function approvedSale(
  page: Page,
  business_id: string,
  query: Record<string, string | number>,
  accepts: (sale: SaleRow) => boolean = () => true,
): Promise<SaleRow> {
  const { data } = await api.sales(page, { business_id, status: "succeeded", perPage: 100, ...query });
  const found = data.find(accepts);
  if (!found) throw new Error(`the story has no such approved sale: ${JSON.stringify(query)}`);
  return found;
}

export async function openSale(page: Page, id: string) {
  await page.goto(`/vendas/${id}`);
  await expect(page.getByRole("region", { name: "Linha do tempo" })).toBeVisible();
}

export interface Balances {
  available: number;
  receivable: number;
  blocked: number;
}

async function balanceColumn(table: Locator, place: 0 | 1): Promise<Balances> {
  const { balances } = reversalsStrings.reversal;
  const amount = async (account: string) => {
    const row = table
      .getByRole("row")
      .filter({ has: table.page().getByRole("rowheader", { name: account, exact: true }) });
    return cents((await row.getByRole("cell").nth(place).textContent()) ?? "");
  };
  return {
    available: await amount(balances.available),
    receivable: await amount(balances.receivable),
    blocked: await amount(balances.blocked),
  };
}

/** The balances before and after, as the modal shows them. */
export async function previewBalances(page: Page): Promise<{ before: Balances; after: Balances }> {
  await expect(preview(page)).toBeVisible();
  return { before: await balanceColumn(preview(page), 0), after: await balanceColumn(preview(page), 1) };
}

export async function balanceOf(page: Page, business_id: string): Promise<Balances> {
  const { available, receivable, blocked } = await api.balance(page, business_id);
  return { available, receivable, blocked };
}

export const timeline = (page: Page) =>
  page.getByRole("region", { name: "Linha do tempo" }).getByRole("listitem");
