// The figures above a list of sales. Which are shown, and how they are called, follows the status filter: only sales
// that were paid have fees and a net amount that the seller keeps.
import type { SaleTotals } from "../../api/models";
import { strings } from "../../strings/pt-BR";
import type { choices } from "./filters";

const words = strings.sales.totalsOf;

export type StatusFilter = keyof typeof choices.status | null;

export interface TotalFigure {
  figure: keyof SaleTotals;
  label: string;
  note?: string;
}

export function totalFigures(status: StatusFilter): TotalFigure[] {
  const { count, gross } = words[status ?? "any"];
  const figures: TotalFigure[] = [
    { figure: "count", label: count, ...(status === null && { note: strings.sales.totalCountWith }) },
    { figure: "gross", label: gross },
  ];
  if (status !== null && status !== "succeeded") return figures;
  return [
    ...figures,
    { figure: "fees", label: strings.sales.totalFees },
    // Without a status it counts what was paid, and what was given back later as well.
    {
      figure: "net",
      label: strings.sales.totalNet,
      ...(status === null && { note: strings.sales.totalNetBefore }),
    },
  ];
}
