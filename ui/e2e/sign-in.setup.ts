// Signs each person in once; the tests start from the browser state kept here.
import { expect, test } from "@playwright/test";
import { signIn, staffUrl } from "./panel";
import { administrator, operator, owner, staff, stateOf, supervisor, traveller } from "./team";

for (const [person, member] of [
  ["owner", owner],
  ["operator", operator],
  ["traveller", traveller],
] as const) {
  test(`${person} signs in`, async ({ page }) => {
    await page.goto("/login");
    await signIn(page, member);
    await expect(page.getByRole("heading", { name: "Início" })).toBeVisible();
    await page.context().storageState({ path: stateOf(person) });
  });
}

for (const [person, member] of [
  ["staff", staff],
  ["administrator", administrator],
  ["supervisor", supervisor],
] as const) {
  test(`${person} signs in`, async ({ page, baseURL }) => {
    await page.goto(`${staffUrl(baseURL)}/login`);
    await signIn(page, member);
    await expect(page.getByRole("heading", { name: `Olá, ${member.name}` })).toBeVisible();
    await page.context().storageState({ path: stateOf(person) });
  });
}
