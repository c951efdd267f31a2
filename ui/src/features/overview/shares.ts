// The parts of a total, largest first. Ratios are only for bars and percentages.
import type { Overview } from "../../api/models";
import { brandName, paymentText } from "../../format/payment";
import { overviewStrings } from "../../strings/pt-BR.overview";
import { paymentStrings } from "../../strings/pt-BR.payment";

const words = overviewStrings.overview;

export interface Share {
  name: string;
  count: number;
  gross: number;
  ratio: number;
}

function shares(parts: { name: string; count: number; gross: number }[]): Share[] {
  const total = parts.reduce((sum, part) => sum + part.gross, 0);
  return parts
    .filter((part) => part.count > 0)
    .map((part) => ({ ...part, ratio: total === 0 ? 0 : part.gross / total }))
    .sort((a, b) => b.gross - a.gross);
}

const typeNames: Readonly<Record<string, string>> = paymentStrings.payment.types;

export function byPaymentType({ by_payment_type }: Pick<Overview, "by_payment_type">): Share[] {
  return shares(
    by_payment_type.map(({ payment_type, count, gross }) => ({
      name: typeNames[payment_type] ?? paymentText(payment_type, 1),
      count,
      gross,
    })),
  );
}

export function byBrand({ by_brand }: Pick<Overview, "by_brand">): Share[] {
  return shares(
    by_brand.map(({ card_brand, count, gross }) => ({ name: brandName(card_brand), count, gross })),
  );
}

/** The two breakdowns of a period's sales. Only card sales have a brand. */
export const BREAKDOWNS = [
  { value: "type", label: words.byType, emptyText: words.noSales, shares: byPaymentType },
  { value: "brand", label: words.byBrand, emptyText: words.noCards, shares: byBrand },
] as const;
