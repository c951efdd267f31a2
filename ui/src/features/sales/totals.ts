// The figures above a list of sales. The status filter decides which totals are shown and how they are named, because
// only approved sales have fees and a net amount that the seller keeps.
import type { SaleTotals } from "../../api/models";
import { salesStrings } from "../../strings/pt-BR.sales";
import type { choices } from "./filters";

const words = salesStrings.sales.totalsOf;

export type StatusFilter = keyof typeof choices.status | null;

export interface TotalFigure {
  figure: keyof SaleTotals;
  label: string;
  note?: string;
}

export function totalFigures(status: StatusFilter): TotalFigure[] {
  const { count, gross } = words[status ?? "any"];
  const figures: TotalFigure[] = [
    { figure: "count", label: count, ...(status === null && { note: salesStrings.sales.totalCountWith }) },
    { figure: "gross", label: gross },
  ];
  if (status !== null && status !== "succeeded") return figures;
  return [
    ...figures,
    { figure: "fees", label: salesStrings.sales.totalFees },
    // Without a status filter, sales that were reversed after their capture count too.
    {
      figure: "net",
      label: salesStrings.sales.totalNet,
      ...(status === null && { note: salesStrings.sales.totalNetBefore }),
    },
  ];
}
