import { expect, it } from "vitest";
import { loginAddress, returnAddress } from "./returnAddress";

const SITE = "https://painel.example";
const back = (from: string) => returnAddress(`?from=${encodeURIComponent(from)}`, SITE);

it("returns to the page that required login, with its filters", () => {
  const address = loginAddress("/login", "/vendas?status=succeeded&page=2");
  expect(returnAddress(address.slice(address.indexOf("?")), SITE)).toBe("/vendas?status=succeeded&page=2");
});

it("does not remember the home page", () => {
  expect(loginAddress("/login", "/")).toBe("/login");
  expect(returnAddress("", SITE)).toBe("/");
});

it.each([
  "https://evil.example/",
  "//evil.example",
  "/\\evil.example",
  "/\t/evil.example",
  "/.//evil.example",
  "/./\\evil.example",
  "/%2e//evil.example",
  "/vendas/..//evil.example",
  "/\t.\n//evil.example",
  "\\\\evil.example",
  "javascript:alert(1)",
  "vendas",
])("never leaves the site for %s", (from) => {
  expect(back(from)).toBe("/");
});

it("does not return to login or logout", () => {
  expect(back("/login?from=/vendas")).toBe("/");
  expect(back("/logout")).toBe("/");
  expect(back("/%6Cogout")).toBe("/");
  expect(back("/LOGOUT/")).toBe("/");
  expect(back("/./logout?x#y")).toBe("/");
  expect(back("/loginho")).toBe("/loginho");
});

// Seeded, so that a failure can be repeated.
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** The pieces of random addresses. "/" is twice as frequent as the others. */
const PIECES = [
  "/",
  "/",
  ".",
  "..",
  "\\",
  "%2e",
  "%2F",
  "%5C",
  "\t",
  "\n",
  ":",
  "@",
  "?",
  "#",
  "evil.example",
  "https:",
  "login",
  "logout",
  "%6cogout",
  "LOGIN",
  "vendas",
  " ",
  "%",
  "é",
  "\u0000",
  "//",
  "/.//",
];

it("returns a path of this site for random paths", () => {
  const next = random(20_261_122);
  for (let n = 0; n < 20_000; n++) {
    const length = 1 + Math.floor(next() * 8);
    const pieces = Array.from({ length }, () => PIECES[Math.floor(next() * PIECES.length)]);
    const from = `/${pieces.join("")}`;
    const target = back(from);
    // As history.pushState resolves it on the login page.
    const url = new URL(target, `${SITE}/login?from=x`);
    expect(url.origin, from).toBe(SITE);
    expect(url.pathname + url.search + url.hash, from).toBe(target);
    expect(/^\/(?!\/)/.test(target), from).toBe(true);
    expect(
      /^\/(login|logout)(\/|$)/i.test(decodeURI(url.pathname.replace(/%(?![0-9a-f]{2})/gi, "%25"))),
      from,
    ).toBe(false);
    expect(back(target), from).toBe(target);
  }
});
