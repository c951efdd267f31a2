// Signs each person in once; the tests start from the browser state kept here.
import { expect, test } from "@playwright/test";
import { signIn, staffUrl } from "./panel";
import { operator, owner, staff, stateOf, traveller } from "./team";

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

test("staff signs in", async ({ page, baseURL }) => {
  await page.goto(`${staffUrl(baseURL)}/login`);
  await signIn(page, staff);
  await expect(page.getByRole("heading", { name: `Olá, ${staff.name}` })).toBeVisible();
  await page.context().storageState({ path: stateOf("staff") });
});
