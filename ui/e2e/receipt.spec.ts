// The printed receipt of a sale: it alone is on the paper, at A4 and on the roll of a receipt printer.
import { expect } from "@playwright/test";
import { BUSINESS_ZONE, instant } from "../src/format/dates";
import { money } from "../src/format/money";
import { api } from "./panel";
import { approvedSale, openSale } from "./reversals";
import { test } from "./signed-in";
import { stateOf } from "./story-users";

test.use({ storageState: stateOf("owner") });

/** In CSS pixels: A4, and the printable width of an 80 mm roll. */
const PAPERS = [
  { width: 794, height: 1123 },
  { width: 272, height: 800 },
];

test("a sale's receipt is printed without the app around it", async ({ page }) => {
  await page.addInitScript(() => {
    window.print = () => document.documentElement.setAttribute("data-printed", "");
  });
  const [business] = (await api.me(page)).businesses;
  const sale = await approvedSale(page, business?.id ?? "", { paymentType: "credit" });
  await openSale(page, sale.id);
  await page.getByRole("button", { name: "Imprimir comprovante" }).click();
  await expect(page.locator("[data-printed]")).toBeAttached();

  await page.emulateMedia({ media: "print" });
  const receipt = page.getByRole("region", { name: "Comprovante de venda" });
  for (const paper of PAPERS) {
    await page.setViewportSize(paper);
    await expect(receipt).toContainText(business?.name ?? "");
    await expect(receipt).toContainText(money(sale.amount));
    await expect(receipt).toContainText(sale.id);
    await expect(receipt).toContainText(instant(sale.captured_at ?? "", BUSINESS_ZONE));
    await expect(page.getByRole("heading")).toHaveText(["Comprovante de venda"]);
    const wider = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
    expect(wider).toBe(false);
  }
  // The receipt is for the buyer, so it has neither the net amount nor the fees.
  await expect(receipt).not.toContainText(/líquido|taxa/i);

  await page.emulateMedia({ media: null });
  await page.evaluate(() => window.dispatchEvent(new Event("afterprint")));
  await expect(page.locator("[data-receipt]")).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Imprimir comprovante" })).toBeVisible();
});
