// "Por que esse valor?": every line from the gross to the net amount, and the part of each installment.
import { expect, type Locator, type Page } from "@playwright/test";
import { money } from "../src/format/money";
import { shortCode } from "../src/format/text";
import { api, cents } from "./panel";
import { approvedSale, openSale, type SaleRow } from "./reversals";
import { test } from "./signed-in";
import { stateOf } from "./story-users";

const explanation = (page: Page) => page.getByRole("dialog", { name: /^Por que esse valor\?/ });

async function amounts(lines: Locator): Promise<number[]> {
  return (await lines.allTextContents()).map(cents);
}

async function expectExplained(page: Page, sale: SaleRow) {
  const net = sale.net_amount ?? 0;
  await openSale(page, sale.id);
  await page
    .getByRole("region", { name: "Valores" })
    .getByRole("button", { name: "Por que esse valor?" })
    .click();
  await expect(explanation(page)).toContainText("Calculado pelo plano");
  const lines = explanation(page).getByRole("list", { name: "Do bruto ao líquido" }).getByRole("listitem");
  // The first amount of a line is the charged fee.
  const charged = await amounts(lines.getByRole("strong"));
  expect(sale.amount + charged.reduce((sum, fee) => sum + fee, 0)).toBe(net);
  const left = await amounts(lines.getByText(/^Sobra: /));
  expect(left.at(-1) ?? sale.amount).toBe(net);

  const rows = explanation(page).getByRole("table", { name: "Parcela por parcela" }).getByRole("row");
  const parts = await Promise.all(
    (await rows.all()).slice(1).map((row) => row.getByRole("cell").allTextContents()),
  );
  const column = (place: number) => parts.map((row) => cents(row[place] ?? ""));
  const sum = (place: number) => column(place).reduce((all, part) => all + part, 0);
  expect([sum(1), sum(1) + sum(2), sum(3)]).toEqual([sale.amount, net, net]);
  await page.keyboard.press("Escape");
  await expect(explanation(page)).toHaveCount(0);
}

for (const user of ["owner", "adminAndOperator"] as const) {
  test.describe(`for the ${user}`, () => {
    test.use({ storageState: stateOf(user) });

    test("a sale of each payment type, at once and in installments, adds up to the cent", async ({
      page,
    }) => {
      const { businesses } = await api.me(page);
      const business_id = businesses[0]?.id ?? "";
      const { data } = await api.sales(page, { business_id, status: "succeeded", perPage: 100 });
      const kinds = new Map(
        data.map((sale) => [`${sale.payment_type} ${sale.payment_method.installments > 1}`, sale]),
      );
      expect(kinds.size).toBeGreaterThan(2);
      for (const sale of kinds.values()) await expectExplained(page, sale);
    });
  });
}

test.describe("from the list", () => {
  test.use({ storageState: stateOf("owner") });

  test("a net amount links to its explanation, which closes to the list", async ({ page }) => {
    const { businesses } = await api.me(page);
    const sale = await approvedSale(page, businesses[0]?.id ?? "", { perPage: 1 });
    await page.goto("/vendas?status=succeeded");
    await page.getByRole("link", { name: `Por que esse valor? Venda ${shortCode(sale.id)}` }).click();
    await expect(explanation(page)).toContainText(money(sale.net_amount ?? 0));
    await page.keyboard.press("Escape");
    await expect(page).not.toHaveURL(/explanation/);
    await page.getByRole("link", { name: "Voltar para as vendas" }).click();
    await expect(page).toHaveURL(/status=succeeded/);
  });
});
