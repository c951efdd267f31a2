// Percentages as exact decimals: typed with a comma, and sent with a point.

/** "3.49" → "3,49" */
export const typedRate = (rate: string | null | undefined) => (rate ?? "").replace(".", ",");

/** The gateway's `Rate::FEE_MAX`: a fee leaves a part of the sale. */
const FEE_MAX = 99;
const RATE = /^\d{1,3}(?:[.,]\d{1,4})?$/;

/** "3,49" and "3,49 %" → "3.49"; undefined if it is not the percentage of a fee. */
export function rateOf(text: string): string | undefined {
  const typed = text.normalize("NFKC").replace("%", "").trim();
  if (!RATE.test(typed)) return undefined;
  const rate = typed.replace(",", ".");
  return Number(rate) <= FEE_MAX ? rate : undefined;
}

/** "3.00" → "3,00%": every decimal is kept. */
export const rateText = (rate: string | null) => `${typedRate(rate ?? "0")}%`;
