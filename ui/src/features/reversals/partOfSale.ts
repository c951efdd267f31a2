// The amount of a cancel: empty for all that is left of the sale, or less for a part of it.
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { useApi } from "../../api/hooks";
import type { ReversalPreview, SaleDetail } from "../../api/models";
import { money } from "../../format/money";
import { reversalsStrings } from "../../strings/pt-BR.reversals";
import { calls } from "./calls";
import { isPart } from "./effect";

const words = reversalsStrings.reversal.part;
/** The preview is read when nothing was typed for this time. */
const PAUSE_MS = 300;

/** The preview of the typed amount, if it is a part of what `whole`, the preview of all that is left, names. */
export function usePartOfSale(sale: SaleDetail, whole: ReversalPreview | undefined, done: boolean) {
  const [amount, setAmount] = useState<number>();
  const [settled] = useDebouncedValue(amount, PAUSE_MS);
  const asksForPart = isBelow(settled, whole?.left);
  const read = useApi(asksForPart && !done ? calls.preview.cancel : null, {
    path: { id: sale.id },
    query: { business_id: sale.business_id, ...(asksForPart && { amount: settled }) },
  });
  const preview = asksForPart ? read.data : whole;
  return {
    setAmount,
    preview,
    failure: asksForPart ? read.error : undefined,
    /** Whether the preview is of the typed amount. */
    upToDate: amount === settled && (!asksForPart || !read.isPrevious) && preview !== undefined,
    error: errorOf(amount, whole, preview),
  };
}

const isBelow = (amount: number | undefined, left: number | undefined): amount is number =>
  amount !== undefined && left !== undefined && amount > 0 && amount < left;

/** What is wrong with the amount; undefined if it can go back. */
function errorOf(
  amount: number | undefined,
  whole: ReversalPreview | undefined,
  preview: ReversalPreview | undefined,
): string | undefined {
  if (!whole) return undefined;
  if (amount === undefined || amount === whole.left) return whole.covered ? undefined : words.wholeShort;
  if (amount < 1) return words.minimum;
  if (amount > whole.left) return words.aboveLeft(money(whole.left));
  return preview && isPart(preview) && !preview.covered ? words.short : undefined;
}
