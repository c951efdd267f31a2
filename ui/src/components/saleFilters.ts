// The filters of sales that lists and reports share: their choices, their keys in the address, and their names in the
// gateway's query.
import { parseAsString, parseAsStringLiteral, type Values } from "nuqs";
import { MAIN_BRANDS, OTHER_BRANDS } from "../format/brands";
import { paymentStrings } from "../strings/pt-BR.payment";
import { parseAsPeriodBound } from "./table/listState";

export const keysOf = <Table extends object>(table: Table) => Object.keys(table) as (keyof Table & string)[];

/** The brands that a sale can have: those for which a plan can set fees come first. */
const FILTER_BRANDS = [
  ...MAIN_BRANDS,
  ...OTHER_BRANDS,
  "maestro",
  "visaelectron",
  "alelo",
  "banese",
  "vr",
] as const;

export const saleChoices = {
  solution: paymentStrings.payment.solutions,
  paymentType: paymentStrings.payment.types,
  brand: Object.fromEntries(
    FILTER_BRANDS.map((brand) => [brand, paymentStrings.payment.brands[brand]]),
  ) as Record<(typeof FILTER_BRANDS)[number], string>,
};

export const saleParsers = {
  solution: parseAsStringLiteral(
    Object.keys(saleChoices.solution) as `${keyof typeof saleChoices.solution}`[],
  ),
  paymentType: parseAsStringLiteral(keysOf(saleChoices.paymentType)),
  brand: parseAsStringLiteral(FILTER_BRANDS),
  // Only staff choose a company. A seller's pages read the current one.
  business: parseAsString,
  terminal: parseAsString,
  link: parseAsString,
  start: parseAsPeriodBound,
  end: parseAsPeriodBound,
};

type Chosen = Pick<
  Values<typeof saleParsers>,
  "solution" | "paymentType" | "brand" | "business" | "terminal" | "link"
> & {
  /** Only lists of sales have it: no figure of a report is of one payment. */
  name?: string;
};

/** The chosen filters under the gateway's names. The period is not included. */
export function saleQuery({ solution, paymentType, brand, business, terminal, link, name }: Chosen) {
  return {
    ...(solution && { solution: Number(solution) }),
    ...(paymentType && { paymentType }),
    ...(brand && { brand }),
    ...(business && { business_id: business }),
    ...(terminal && { terminal }),
    ...(link && { payment_link: link }),
    ...(name && { name }),
  };
}
