// The reserve: staff see the impact of rules and set them, for a company and for a receiving plan; the seller reads the
// rules and, where something is held, the calendar of releases. Also the screens: WCAG 2.2 AA, and no overflow.
import { expect } from "@playwright/test";
import type { components } from "../src/api/schema";
import { money } from "../src/format/money";
import { chooseBusiness, chooseItem, getFromPage, openHost, plain, sendFromPage, staffUrl } from "./panel";
import { uniqueSuffix } from "./plan-forms";
import { checkScreen, SIZES } from "./screen-checks";
import { asStaff, test } from "./signed-in";
import { stateOf } from "./story-users";
import { flashMessage, form } from "./users";

type Schemas = components["schemas"];

test.describe("for an owner", () => {
  test.use({ storageState: stateOf("owner") });

  test("staff see the impact of a reserve, set it and end it, and the seller reads its rules", async ({
    page,
    browser,
    baseURL,
  }) => {
    const business = await chooseBusiness(page, baseURL, "owner");
    const company = `${staffUrl(baseURL)}/empresas/${business}`;
    await asStaff(browser, baseURL, "administrator", async (staff) => {
      await staff.goto(company);
      const reserve = staff.getByRole("region", { name: "Reserva", exact: true });
      await reserve.getByRole("button", { name: /^(Definir|Alterar) reserva$/ }).click();
      const rules = staff.getByRole("dialog", { name: /^Reserva de / });
      await rules.getByRole("textbox", { name: "Parte guardada (%)" }).fill("100");
      await rules.getByRole("button", { name: "Ver impacto" }).click();
      await expect(rules.getByText("Informe um percentual de até 99.")).toBeVisible();
      await expect(rules.getByText("Informe o motivo.")).toBeVisible();
      await rules.getByRole("textbox", { name: "Parte guardada (%)" }).fill("10");
      await rules.getByRole("textbox", { name: "Prazo (dias)" }).fill("30");
      await rules.getByRole("textbox", { name: "Máximo guardado" }).fill("R$ 1.000,00");
      await rules.getByLabel("Motivo").fill("Contestações acima de 1%");
      await checkScreen(staff, "the rules of a reserve", SIZES);
      await rules.getByRole("button", { name: "Ver impacto" }).click();
      const impact = rules.getByRole("region", { name: "Impacto" });
      await expect(impact).toContainText("outubro de 2026");
      // A tenth of what was settled is more than the maximum.
      await expect(impact).toContainText(`Teria guardado${money(100_000)}`);
      await checkScreen(staff, "the impact of a reserve", SIZES);
      await rules.getByRole("button", { name: "Confirmar" }).click();
      await expect(flashMessage(staff, "Reserva definida.")).toBeVisible();
      await expect(reserve).toContainText("Regra própria");
      await expect(reserve).toContainText("10% de cada recebimento fica guardado por 30 dias");
      await expect(staff.getByRole("list", { name: "Alterações e acessos" })).toContainText(
        /definiu a reserva.*Reserva.*10 % por 30 dias/,
      );
      await reserve.getByRole("button", { name: "Todas as regras" }).click();
      const versions = staff.getByRole("list", { name: "Regras da empresa" });
      await expect(versions.getByRole("listitem").first()).toContainText("Contestações acima de 1%");
      await expect(versions.getByRole("listitem").first()).toContainText("Em vigor");
      await checkScreen(staff, "the rules of a company", SIZES);
    });

    await page.goto("/financeiro/valores-retidos");
    await page.getByRole("link", { name: /^(Como funciona|Ver Reserva)/ }).click();
    const how = page.getByRole("region", { name: "Como funciona" });
    await expect(how).toContainText("10% de cada recebimento fica guardado por 30 dias");
    expect(plain((await how.textContent()) ?? "")).toContain("até o máximo de R$ 1.000,00");
    await checkScreen(page, "the reserve", SIZES);
    await page.getByRole("tab", { name: "Parcelas" }).click();
    await checkScreen(page, "the installments of a reserve", SIZES);

    await asStaff(browser, baseURL, "administrator", async (staff) => {
      await staff.goto(company);
      const reserve = staff.getByRole("region", { name: "Reserva", exact: true });
      await reserve.getByRole("button", { name: "Isentar" }).click();
      const exemption = staff.getByRole("dialog", { name: /^Isentar / });
      await exemption.getByLabel("Motivo").fill("Contestações resolvidas");
      await exemption.getByRole("button", { name: "Ver impacto" }).click();
      await expect(exemption.getByRole("region", { name: "Impacto" })).toBeVisible();
      await exemption.getByRole("button", { name: "Confirmar" }).click();
      await expect(reserve.getByText("Isenta", { exact: true })).toBeVisible();
      await reserve.getByRole("link", { name: "Ver o que está guardado" }).click();
      await expect(staff.getByRole("heading", { name: /^Reserva: / })).toBeVisible();
      await checkScreen(staff, "the reserve for staff", SIZES);
    });
    await page.reload();
    await page.getByRole("tab", { name: "Liberações" }).click();
    await expect(how).not.toContainText("10% de cada recebimento");
  });
});

test.describe("for an administrator", () => {
  test.use({ storageState: stateOf("administrator") });

  test("a receiving plan has a reserve from a later day on", async ({ page, baseURL }) => {
    await openHost(page, staffUrl(baseURL));
    const description = `Com reserva ${uniqueSuffix()}`;
    const plan = { description, flat_rate: 0, active: true, default: false };
    await sendFromPage(page, "POST", "/admin/plans/receiving", plan);
    await page.goto(
      `${staffUrl(baseURL)}/ajustes/planos?tab=recebimento&search=${encodeURIComponent(description)}`,
    );
    await page.getByRole("button", { name: new RegExp(`^Ações.*${description}$`) }).click();
    await chooseItem(page.getByRole("menuitem", { name: "Reserva" }));
    const reserve = page.getByRole("dialog", { name: `Reserva do plano ${description}` });
    await expect(reserve).toContainText("Sem reserva.");
    await reserve.getByRole("button", { name: "Definir reserva" }).click();
    const rules = form(page, `Reserva de ${description}`);
    await rules.getByRole("textbox", { name: "Parte guardada (%)" }).fill("2,5");
    await rules.getByRole("textbox", { name: "Prazo (dias)" }).fill("14");
    await rules.getByLabel("Primeiro dia").fill("2027-01-04");
    await rules.getByLabel("Motivo").fill("Setor de risco");
    await rules.getByRole("button", { name: "Ver impacto" }).click();
    await expect(rules.getByRole("region", { name: "Impacto" })).toContainText("Empresas sem regra própria");
    await checkScreen(page, "the impact of a plan's reserve", SIZES);
    await rules.getByRole("button", { name: "Confirmar" }).click();
    await expect(
      flashMessage(page, "Reserva definida. Vale para os recebimentos a partir de 04/01/2027."),
    ).toBeVisible();
    await page.getByRole("button", { name: new RegExp(`^Ações.*${description}$`) }).click();
    await chooseItem(page.getByRole("menuitem", { name: "Reserva" }));
    await expect(reserve.getByRole("list", { name: "Agendado" })).toContainText("2,5% de cada recebimento");
    await checkScreen(page, "a plan's reserve", SIZES);
  });

  test("the calendar of releases adds up to what is held, and each day leads to its installments", async ({
    page,
    baseURL,
  }) => {
    await openHost(page, staffUrl(baseURL));
    const { data } = await getFromPage<Schemas["HoldPage"]>(page, "/admin/balance/holds", {
      kind: "reserve",
      state: "open",
    });
    const [hold] = data;
    if (!hold) throw new Error("the story has a reserve");
    await page.goto(`${staffUrl(baseURL)}/saques/retencoes/${hold.id}?business=${hold.business_id}`);
    const coming = page.getByRole("region", { name: "Próximas liberações" });
    await expect(coming).toContainText(money(hold.amount));
    const reserve = await getFromPage<Schemas["Reserve"]>(page, `/admin/balance/reserve/${hold.business_id}`);
    expect(reserve.held).toBe(hold.amount);
    const [first] = reserve.coming;
    const day = coming.getByRole("listitem").first();
    await expect(day).toContainText(money(first?.held ?? 0));
    await checkScreen(page, "the calendar of releases", SIZES);
    await day.getByRole("link").click();
    const table = page.getByRole("table", { name: "Parcelas com reserva" });
    await expect(table.getByRole("link", { name: /^Abrir a venda / }).first()).toBeVisible();
    await checkScreen(page, "the installments of a day", SIZES);
  });
});
