// Percentages as exact decimals: typed with a comma, and sent with a point.

/** "3.49" → "3,49" */
export const typedRate = (rate: string | null | undefined) => (rate ?? "").replace(".", ",");

const RATE = /^\d{1,3}(?:[.,]\d{1,4})?$/;

/** "3,49" → "3.49"; undefined if it is not a percentage. */
export function rateOf(text: string): string | undefined {
  const typed = text.trim();
  if (!RATE.test(typed)) return undefined;
  const rate = typed.replace(",", ".");
  return Number(rate) <= 100 ? rate : undefined;
}

/** "3.00" → "3,00%": every decimal is kept. */
export const rateText = (rate: string | null) => `${typedRate(rate ?? "0")}%`;
