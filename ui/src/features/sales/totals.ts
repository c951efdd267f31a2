// The figures above a list of sales. The status filter decides which totals are shown and how they are named. Fees and
// net are shown only for approved sales, because the seller keeps nothing of the others.
import type { SaleTotals } from "../../api/models";
import { salesStrings } from "../../strings/pt-BR.sales";

const words = salesStrings.sales.totalsOf;

export type StatusFilter = keyof typeof salesStrings.sales.statusGroups | null;

export interface TotalFigure {
  figure: keyof SaleTotals;
  label: string;
  note?: string;
}

export function totalFigures(status: StatusFilter): TotalFigure[] {
  const { count, gross } = words[status ?? "any"];
  // Without a status filter, the totals include sales that were reversed after their capture. The notes state it.
  const figures: TotalFigure[] = [
    { figure: "count", label: count, ...(status === null && { note: salesStrings.sales.totalCountNote }) },
    { figure: "gross", label: gross },
  ];
  if (status !== null && status !== "succeeded") return figures;
  return [
    ...figures,
    { figure: "fees", label: salesStrings.sales.totalFees },
    {
      figure: "net",
      label: salesStrings.sales.totalNet,
      ...(status === null && { note: salesStrings.sales.totalNetNote }),
    },
  ];
}
