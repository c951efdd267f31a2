// Checks of a screen: WCAG 2.2 AA in both themes, and no overflow at the three sizes.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, type Page } from "@playwright/test";
import type { RunOptions } from "axe-core";
import { MARK, markTexts } from "./text-colors";

/** A phone, a tablet held upright and a desktop: every screen must fit them. */
export const PHONE = { width: 390, height: 844 };
export const TABLET = { width: 768, height: 1024 };
export const DESKTOP = { width: 1440, height: 900 };
export const SIZES = [PHONE, TABLET, DESKTOP];

/** The elements that a screen shows until it has its content. */
export const PLACEHOLDERS = ".mantine-Skeleton-root, [aria-busy=true], .mantine-Loader-root";

const CONTRAST = "color-contrast";
const WCAG_22_AA = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/**
 * Waits until the screen has its content. The code of a page and the answers of the API arrive after the page has
 * loaded. Before that, the main part is missing or has placeholders only, and a check would pass without its content.
 */
async function waitForContent(page: Page) {
  await expect(page.getByRole("main").or(page.getByRole("dialog")).first()).toBeAttached();
  await expect(page.locator(PLACEHOLDERS).filter({ visible: true })).toHaveCount(0);
}

/** During a transition, colors are between two values, so the check waits until all motion has ended. */
async function waitUntilStill(page: Page) {
  // The address changes before React has rendered the screen of it. A page that paints nothing may never be idle.
  await page.evaluate(
    () => new Promise((resolve) => requestIdleCallback(() => resolve(undefined), { timeout: 1_000 })),
  );
  await waitForContent(page);
  // The rows of a list are dimmed while it reads the next ones.
  await expect(page.locator("[data-stale]")).toHaveCount(0);
  await page.evaluate(async () => {
    const frame = () => new Promise(requestAnimationFrame);
    // The pulse of a skeleton and a spinner never end; tests wait for the content instead.
    const moving = () =>
      document
        .getAnimations()
        .filter(
          ({ effect, playState }) =>
            playState === "running" && effect?.getComputedTiming().endTime !== Infinity,
        );
    // A new element starts to move in the next frame.
    await frame();
    await frame();
    for (let motions = moving(); motions.length > 0; motions = moving()) {
      await Promise.allSettled(motions.map(({ finished }) => finished));
    }
  });
}

/** Paints the page in the other theme, without saving it. */
async function repaint(page: Page) {
  return await page.evaluate(() => {
    const html = document.documentElement;
    const theme = html.getAttribute("data-mantine-color-scheme") === "dark" ? "light" : "dark";
    html.setAttribute("data-mantine-color-scheme", theme);
    return theme;
  });
}

/** The script of axe, injected into a page at its first check. */
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Options {
  /** Checks the whole page, including the shell and everything outside of the main part. */
  whole?: boolean;
}

interface Check {
  /** A selector of the checked element; undefined for the whole page. */
  part: string | undefined;
  run: RunOptions;
}

async function checkAccessibility(page: Page, screen: string, { part, run }: Check) {
  await waitUntilStill(page);
  if (!(await page.evaluate(() => "axe" in window))) {
    await page.evaluate(AXE);
    await page.evaluate(
      ([id, mark]) => {
        const { axe } = window as unknown as { axe: typeof import("axe-core") };
        axe.configure({ rules: [{ id, selector: `[${mark}]` }] });
      },
      [CONTRAST, MARK] as const,
    );
  }
  await page.evaluate(markTexts, [part, MARK] as const);
  const violations = await page.evaluate(
    async ([part, run, mark]) => {
      const { axe } = window as unknown as { axe: typeof import("axe-core") };
      // The last of several dialogs covers the others.
      const checked = part ? [...document.querySelectorAll(part)].at(-1) : document.documentElement;
      if (!checked) throw new Error(`the page has no ${part}`);
      const { violations } = await axe.run(checked, { ...run, resultTypes: ["violations"] });
      for (const marked of document.querySelectorAll(`[${mark}]`)) marked.removeAttribute(mark);
      return violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`,
      );
    },
    [part, run, MARK] as const,
  );
  expect(violations, screen).toEqual([]);
}

/**
 * Checks WCAG 2.2 AA for the open dialog, else for the page's main part; with `whole`, for the whole page. The themes
 * differ only in colors, so the other one is checked for contrast only. A phone changes the layout and no color.
 * Contrast takes most of the time, so of the texts with the same colors one is checked.
 */
export async function expectAccessible(page: Page, screen: string, { whole = false }: Options = {}) {
  const dialog = "[role=dialog]:not([aria-hidden=true])";
  const opened = await page.locator(dialog).filter({ visible: true }).count();
  const part = whole ? undefined : opened > 0 ? dialog : "main";
  const width = page.viewportSize()?.width ?? DESKTOP.width;
  // A tablet shows the layout of a phone or of a desktop.
  if (width === TABLET.width) return;
  const narrow = width < TABLET.width;
  const rules = { [CONTRAST]: { enabled: !narrow } };
  await checkAccessibility(page, screen, { part, run: { runOnly: WCAG_22_AA, rules } });
  if (narrow) return;
  const theme = await repaint(page);
  await checkAccessibility(page, `${screen}, ${theme}`, {
    part,
    run: { runOnly: { type: "rule", values: [CONTRAST] } },
  });
  await repaint(page);
}

/**
 * Elements that are wider than their place: a page that scrolls sideways, a form in a modal, a table in a container
 * that scrolls or clips it.
 */
function findWide(): string[] {
  const wide: string[] = [];
  const check = (name: string, { scrollWidth, clientWidth }: Element) => {
    if (scrollWidth > clientWidth) wide.push(`${name} by ${scrollWidth - clientWidth} px`);
  };
  if (document.documentElement.scrollWidth > window.innerWidth) check("page", document.documentElement);
  for (const inner of document.querySelectorAll(
    "[role=dialog], [role=dialog] form, [role=dialog] fieldset",
  )) {
    check(inner.tagName, inner);
  }
  // A phone shows cards; its few tables scroll sideways.
  const tables = window.innerWidth < 768 ? [] : document.querySelectorAll("table");
  for (const table of tables) {
    let place = table.parentElement;
    while (place && getComputedStyle(place).overflowX === "visible") place = place.parentElement;
    if (place && place !== document.body) check(`table ${table.getAttribute("aria-label")}`, place);
  }
  return wide;
}

/** Numbers of documents, and links in lists of facts, that break over two lines. */
function findBroken(): string[] {
  const broken: string[] = [];
  const check = (name: string, part: Element | Range) => {
    const tops = new Set([...part.getClientRects()].map(({ top }) => Math.round(top)));
    if (tops.size > 1) broken.push(name);
  };
  for (const link of document.querySelectorAll("main dd a")) check(`link ${link.textContent}`, link);
  const numbers = /\d{3}\.\d{3}\.\d{3}-\d{2}|[\dA-Z]{2}(\.[\dA-Z]{3}){2}\/[\dA-Z]{4}-\d{2}/g;
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    for (const { index, 0: number } of (node.nodeValue ?? "").matchAll(numbers)) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + number.length);
      check(`number ${number}`, range);
    }
  }
  return broken;
}

/** Fails if `findWide` or `findBroken` finds anything. */
export async function expectFits(page: Page, screen: string) {
  expect(await page.evaluate(findWide), `${screen}: wider than its place`).toEqual([]);
  expect(await page.evaluate(findBroken), `${screen}: broken over two lines`).toEqual([]);
}

/** Checks an open page or modal at each size. The layout adapts without a reload. The viewport keeps the last size. */
export async function checkScreen(page: Page, screen: string, sizes = SIZES, options: Options = {}) {
  for (const size of sizes) {
    await page.setViewportSize(size);
    await expectAccessible(page, `${screen} at ${size.width}`, options);
    await expectFits(page, `${screen} at ${size.width}`);
  }
}

/** Checks a menu or a popover at each size. A change of the size closes it, so `open` opens it each time. */
export async function checkReopenedScreen(page: Page, screen: string, open: () => Promise<void>) {
  for (const size of SIZES) {
    await page.setViewportSize(size);
    await open();
    await checkScreen(page, screen, [size], { whole: true });
    await page.keyboard.press("Escape");
  }
}

/** Checks only the fit at each size. */
export async function expectFitsAllSizes(page: Page, screen: string) {
  for (const size of SIZES) {
    await page.setViewportSize(size);
    await waitUntilStill(page);
    await expectFits(page, `${screen} at ${size.width}`);
  }
}
