// The company and the filters of a printed report as texts.
import type { NamedBusiness } from "../../components/BusinessSelect";
import { brandName, paymentTypeName, solutionName } from "../../format/payment";
import { reportStrings } from "../../strings/pt-BR.reports";
import type { ReportFilters } from "./filters";

const names = reportStrings.filters;

/** The company's name; its `id` if the name is not read yet, or may not be read. Without both: all companies. */
export function companyText(company: NamedBusiness | undefined, id: string | null): string {
  return company?.name ?? id ?? reportStrings.print.allCompanies;
}

type SaleFilters = Pick<ReportFilters, "solution" | "paymentType" | "brand" | "terminal" | "link">;

/** The chosen filters; a machine by `terminalName`, or by its id if the name is unknown. */
export function filtersText(
  { solution, paymentType, brand, terminal, link }: SaleFilters,
  terminalName: string | undefined,
): string {
  const all = [
    solution && [names.solution, solutionName(Number(solution))],
    paymentType && [names.paymentType, paymentTypeName(paymentType)],
    brand && [names.brand, brandName(brand)],
    terminal && [names.terminal, terminalName ?? terminal],
    link && [names.link, link],
  ];
  const chosen = all.filter((each) => Array.isArray(each)).map(([label, value]) => `${label}: ${value}`);
  return chosen.join("; ");
}
