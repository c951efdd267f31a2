// The name of a saved file: the list, the company, and the date.
import { businessToday } from "./dates";

const COMPANY_MAX = 40;

/** Letters without accents, digits and hyphens, which every file system accepts. */
function slug(text: string): string {
  const words = text
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  return (words ?? []).join("-").slice(0, COMPANY_MAX).replace(/-$/, "");
}

/** "vendas-padaria-sao-joao-ltda-2026-11-21" */
export function fileName(list: string, company: string | undefined, now: Date): string {
  return [list, slug(company ?? ""), businessToday(now)].filter(Boolean).join("-");
}
