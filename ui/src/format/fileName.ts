// What a saved list is called: the list, whose it is, and the day on which it was saved.
import { businessToday } from "./dates";

const COMPANY_MAX = 40;

/** Letters without marks, figures and hyphens: what every file system takes. */
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
