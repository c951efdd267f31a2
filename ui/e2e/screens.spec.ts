// The home screens, login, sales, and the pages for denied access and unknown addresses: titles, WCAG 2.2 AA in both
// themes, and no overflow at 390, 768 and 1440 px. Other screens have their own specs. Also the theme, a phone's
// navigation, and the keyboard.
import { expect, type Page } from "@playwright/test";
import { api, openWithinPanel, setTheme, staffUrl } from "./panel";
import { checkReopenedScreen, checkScreen, PHONE, SIZES } from "./screen-checks";
import { test } from "./signed-in";
import { stateOf } from "./story-users";

interface Screen {
  name: string;
  title: RegExp;
  open: (page: Page) => Promise<void>;
}

const screens: Screen[] = [
  {
    name: "home",
    title: /^.+ \| Início$/,
    open: async (page) => {
      await page.goto("/");
      await expect(page.getByRole("figure", { name: /vendas do período/i })).toBeVisible();
    },
  },
  {
    name: "sales",
    title: /^.+ \| Vendas$/,
    open: async (page) => {
      await openWithinPanel(page, new URL("/vendas", page.url()));
      await expect(page.getByRole("link", { name: /^Abrir a venda / }).first()).toBeVisible();
    },
  },
  {
    name: "sale",
    title: /^.+ \| Venda$/,
    open: async (page) => {
      const { businesses } = await api.me(page);
      const business_id = businesses[0]?.id ?? "";
      const { data } = await api.sales(page, { business_id, status: "succeeded", perPage: 1 });
      await openWithinPanel(page, new URL(`/vendas/${data[0]?.id}`, page.url()));
      await expect(page.getByRole("region", { name: "Linha do tempo" })).toBeVisible();
    },
  },
  {
    name: "unauthorized",
    title: /^.+ \| Acesso negado$/,
    open: async (page) => {
      await page.goto("/unauthorized");
      await expect(page.getByRole("heading", { name: "Acesso negado" })).toBeVisible();
    },
  },
  {
    name: "not found",
    title: /^.+ \| Página não encontrada$/,
    open: async (page) => {
      await page.goto("/nao-existe");
      await expect(page.getByRole("heading", { name: "Página não encontrada" })).toBeVisible();
    },
  },
];

test.describe("for an owner", () => {
  test.use({ storageState: stateOf("owner") });

  test("the screens have titles, are accessible and do not overflow", async ({ page }) => {
    const violations: string[] = [];
    page.on("console", (message) => {
      if (/Content Security Policy/i.test(message.text())) violations.push(message.text());
    });
    for (const screen of screens) {
      await screen.open(page);
      await expect(page).toHaveTitle(screen.title);
      // These screens have the same shell, so it is checked once.
      await checkScreen(page, screen.name, SIZES, { whole: screen === screens[0] });
    }
    expect(violations).toEqual([]);
  });

  test("the user menu, the calendar and the daily table are accessible and do not overflow", async ({
    page,
  }) => {
    await page.goto("/");
    await page.getByText("Tabela", { exact: true }).click();
    await expect(page.getByRole("table", { name: "Vendas do período" })).toBeVisible();
    await checkScreen(page, "daily table");
    await page.getByRole("button", { name: /^Menu de / }).click();
    await expect(page.getByRole("menuitem", { name: "Sair" })).toBeVisible();
    await checkScreen(page, "user menu", SIZES, { whole: true });
    await page.goto("/vendas");
    await checkReopenedScreen(page, "calendar", async () => {
      const folded = page.getByRole("button", { name: "Filtros", expanded: false });
      const period = page.getByRole("button", { name: "Período (Brasília)", exact: true });
      await expect(folded.or(period).first()).toBeVisible();
      if (await folded.isVisible()) await folded.click();
      await period.click();
      await expect(page.getByRole("button", { name: "Última semana" })).toBeVisible();
    });
  });
});

test("the login page is accessible and does not overflow, in the system's theme", async ({ page }) => {
  await page.goto("/login");
  await expect(page.getByRole("heading", { name: "Acesse sua conta" })).toBeVisible();
  await expect(page).toHaveTitle(/^.+ \| Entrar$/);
  await checkScreen(page, "login", SIZES, { whole: true });
  await page.emulateMedia({ colorScheme: "dark" });
  await page.reload();
  await expect(page.getByRole("heading", { name: "Acesse sua conta" })).toBeVisible();
  await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", "dark");
});

test.describe("the theme", () => {
  test.use({ storageState: stateOf("owner") });

  test("is saved, applies from the first paint, and follows the user to another browser", async ({
    page,
    browser,
  }) => {
    await page.goto("/");
    await setTheme(page, "dark");
    // The page is dark without the panel's bundle.
    await page.route("**/assets/*.js", (route) => route.abort());
    await page.reload({ waitUntil: "commit" });
    await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", "dark");
    await page.unroute("**/assets/*.js");

    const cookies = await page.context().cookies();
    const otherBrowser = await browser.newContext({ storageState: { cookies, origins: [] } });
    const other = await otherBrowser.newPage();
    await other.goto(new URL("/", page.url()).href);
    await expect(other.locator("html")).toHaveAttribute("data-mantine-color-scheme", "dark");
    await setTheme(other, "light");
    await otherBrowser.close();
  });
});

test("nothing is animated for a user with reduced motion", async ({ page }) => {
  await page.goto("/login");
  await expect(page.getByRole("heading", { name: "Acesse sua conta" })).toBeVisible();
  const running = await page.evaluate(() => {
    document.documentElement.setAttribute("data-mantine-color-scheme", "dark");
    return document.getAnimations().length;
  });
  expect(running).toBe(0);
});

test.describe("on a phone", () => {
  test.use({ storageState: stateOf("owner"), viewport: PHONE });

  test("navigation is a bar and rows are cards", async ({ page }) => {
    await page.goto("/");
    const navigation = page.getByRole("navigation", { name: "Navegação principal" });
    await navigation.getByRole("link", { name: "Vendas" }).click();
    await expect(page).toHaveURL(/\/vendas$/);
    await expect(page.getByRole("table")).toHaveCount(0);
    const cards = page.getByRole("list", { name: "Lista de vendas" }).getByRole("link");
    await expect(cards).toHaveCount(20);
    await cards.first().click();
    await expect(page.getByRole("heading", { name: /^Venda / })).toBeVisible();
  });
});

test.describe("the keyboard", () => {
  test.use({ storageState: stateOf("owner") });

  test("skips the navigation", async ({ page }) => {
    await page.goto("/vendas");
    await expect(page.getByRole("heading", { name: "Vendas" })).toBeVisible();
    await page.keyboard.press("Tab");
    await expect(page.getByRole("link", { name: "Ir para o conteúdo" })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("main")).toBeFocused();
  });
});

test.describe("the staff's panel", () => {
  test.use({ storageState: stateOf("platformOwner") });

  test("has an accessible home page that does not overflow, and saves the theme", async ({
    page,
    baseURL,
  }) => {
    await page.goto(`${staffUrl(baseURL)}/`);
    await expect(page.getByRole("heading", { name: /^Olá, / })).toBeVisible();
    await checkScreen(page, "staff home", SIZES, { whole: true });
    // Their theme is saved by another call than the sellers'.
    await setTheme(page, "dark");
    await setTheme(page, "light");
  });
});
