// The texts that are checked for contrast: one of each combination of colors, and every one whose colors may differ.
import { expect, test } from "@playwright/test";
import { MARK, markTexts } from "./text-colors";

test("texts of the same colors are checked once, and every other text is checked", async ({ page }) => {
  await page.setContent(`
    <main style="background: white; color: black">
      <p id="first">1</p><p id="same">2</p><p hidden>3</p><div><p id="nested">4</p></div>
      <p id="pale" style="color: silver">5</p>
      <p id="large" style="font-size: 30px">6</p>
      <div style="background: gray"><p id="on-gray">7</p><p id="on-gray-too">8</p></div>
      <div style="opacity: 0.5"><p id="faint">9</p></div>
      <section><div style="position: absolute; top: 0"><p id="over-another">10</p></div></section>
      <div><i style="position: absolute"></i><p id="beside-placed">11</p></div>
      <input id="field" value="12"><button id="button" disabled><span id="in-disabled">13</span></button>
    </main>
    <p id="outside">14</p>
  `);
  await page.evaluate(markTexts, ["main", MARK] as const);
  const marked = await page.locator(`[${MARK}]`).evaluateAll((all) => all.map(({ id }) => id));
  expect(marked).toEqual([
    "first",
    "pale",
    "large",
    "on-gray",
    "faint",
    "over-another",
    "beside-placed",
    "field",
    "button",
    "in-disabled",
  ]);
});
