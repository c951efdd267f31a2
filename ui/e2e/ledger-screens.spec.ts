// The screens of receivables, past balances, the journal and rentals. They meet WCAG 2.2 AA in both themes and do not
// overflow at 390, 768 and 1440 px.
import { expect, type Page } from "@playwright/test";
import { ledgerStrings } from "../src/strings/pt-BR.ledger";
import { receivablesStrings } from "../src/strings/pt-BR.receivables";
import { chooseBusiness, chooseItem, companyWithLines, openHost, staffUrl } from "./panel";
import { findRental } from "./rentals";
import { checkReopenedScreen, checkScreen } from "./screen-checks";
import { test } from "./signed-in";
import { stateOf } from "./story-users";

const RANGE = / de (mais de )?[\d.]+$/;

async function checkReceivables(page: Page, baseURL: string | undefined) {
  await chooseBusiness(page, baseURL, "admin");
  await page.goto("/recebimentos");
  await expect(page).toHaveTitle(/^.+ \| Recebimentos$/);
  await expect(page.getByRole("button", { name: /parcelas?, / }).first()).toBeVisible();
  await checkScreen(page, "calendar");
  await page.getByRole("tab", { name: receivablesStrings.receivables.view.list }).click();
  await expect(page.getByText(RANGE)).toBeVisible();
  await checkScreen(page, "days");
  // On a phone the calendar is a modal, elsewhere a popover.
  await checkReopenedScreen(page, "period", async () => {
    await page.getByRole("button", { name: "Período (Brasília)", exact: true }).click();
    await expect(
      page.getByRole("button", { name: receivablesStrings.receivables.presets.next30 }),
    ).toBeVisible();
  });
  await page.getByRole("tab", { name: receivablesStrings.receivables.view.units }).click();
  const units = page.getByRole("link", { name: /^Abrir as parcelas de .+ · .+ em / });
  await expect(units.first()).toBeVisible();
  await checkScreen(page, "units");
  await units.first().click();
  await expect(page.getByRole("dialog").getByRole("status")).toHaveText(RANGE);
  await checkScreen(page, "installments");
  await page.goto("/recebimentos?view=list&start=2001-01-01&end=2001-01-31");
  await expect(page.getByText(receivablesStrings.receivables.emptyTitle)).toBeVisible();
  await checkScreen(page, "nothing due");
}

async function checkLedger(page: Page, home: string) {
  const company = await companyWithLines(page, 1);
  await page.goto(`${home}/empresas/${company.id}/saldo?tab=journal`);
  await expect(page.getByText(RANGE)).toBeVisible();
  await checkScreen(page, "journal");
  await page.getByRole("button", { name: ledgerStrings.asOf.show }).click();
  await expect(page.getByText(ledgerStrings.asOf.instantRequired)).toBeVisible();
  await checkScreen(page, "no instant");
  await page.getByLabel(ledgerStrings.asOf.instant).fill("01012001000000");
  await page.getByRole("button", { name: ledgerStrings.asOf.show }).click();
  await expect(page.getByLabel(ledgerStrings.asOf.accounts)).toBeVisible();
  await checkScreen(page, "past");
}

async function checkRental(page: Page, home: string) {
  const { business_id } = await findRental(page);
  await page.goto(`${home}/empresas/${business_id}/saldo?tab=transfers&perPage=100`);
  const charged = page.getByRole("button", { name: /^Ações: aluguel/ });
  await charged.first().click();
  await chooseItem(page.getByRole("menuitem", { name: ledgerStrings.rentalCancel.open }));
  const modal = page.getByRole("dialog", { name: ledgerStrings.rentalCancel.title });
  await expect(modal).toContainText(/R\$/);
  await checkScreen(page, "rental");
}

test.describe("for an administrator of a company", () => {
  test.use({ storageState: stateOf("adminAndOperator") });

  test("the receivables screens are accessible and do not overflow", async ({ page, baseURL }) => {
    await checkReceivables(page, baseURL);
  });
});

test.describe("for staff", () => {
  test.use({ storageState: stateOf("platformOwner") });

  test("past balances, the journal and rentals are accessible and do not overflow", async ({
    page,
    baseURL,
  }) => {
    const home = staffUrl(baseURL);
    await openHost(page, home);
    await checkLedger(page, home);
    await checkRental(page, home);
  });
});
