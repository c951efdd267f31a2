import { beforeEach, expect, it, vi } from "vitest";
import { eraseDrafts, keepDraftsOf, NEW_COMPANY_DRAFT } from "./drafts";

let stored: Map<string, string>;

beforeEach(() => {
  stored = new Map();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
});

it("erases the drafts and the id of their user", () => {
  keepDraftsOf("adm_1");
  stored.set(NEW_COMPANY_DRAFT, "{}");
  eraseDrafts();
  expect([...stored.keys()]).toEqual([]);
});

it("keeps the drafts for their user, and erases them for another one", () => {
  keepDraftsOf("adm_1");
  stored.set(NEW_COMPANY_DRAFT, "{}");
  keepDraftsOf("adm_1");
  expect(stored.has(NEW_COMPANY_DRAFT)).toBe(true);
  keepDraftsOf("adm_2");
  expect(stored.has(NEW_COMPANY_DRAFT)).toBe(false);
});
