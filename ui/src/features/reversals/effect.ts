// The effect of a reversal on the available balance, in sentences built from the preview.
import type { ReversalPreview } from "../../api/models";
import { money } from "../../format/money";
import { reversalsStrings } from "../../strings/pt-BR.reversals";
import type { Reversal } from "./calls";

const words = reversalsStrings.reversal;

const BEFORE_CONFIRMATION = {
  accelerated: words.acceleratedBeforeConfirmation,
  release: words.releasedBeforeConfirmation,
};
const AFTER_CONFIRMATION = {
  accelerated: words.acceleratedAfterConfirmation,
  release: words.releasedAfterConfirmation,
};

/**
 * Sentences about credits to the available balance just before the sale's amount leaves it: accelerated receivables,
 * and an amount that was held for this sale.
 */
function creditSentences(
  { accelerated, accelerated_total, balance }: ReversalPreview,
  wording: typeof BEFORE_CONFIRMATION | typeof AFTER_CONFIRMATION,
): string[] {
  const released = balance?.released ?? 0;
  return [
    accelerated.length > 0 && wording.accelerated(accelerated.length, money(accelerated_total)),
    released > 0 && wording.release(money(released)),
  ].filter((sentence) => sentence !== false);
}

/** Whether less goes back than is left of the sale. */
export const isPart = ({ amount, left }: ReversalPreview) => amount < left;

/** The effect before the confirmation. Roles that may not see the balance get no sentence about its change. */
export function effectText(reversal: Reversal, preview: ReversalPreview): string {
  const part = reversal === "cancel" && isPart(preview);
  const sentences = [
    part ? words.part.effect(money(preview.amount)) : words[reversal].effect(money(preview.needed)),
    ...creditSentences(preview, BEFORE_CONFIRMATION),
  ];
  const { balance } = preview;
  if (balance && (part || sentences.length > 1)) {
    const less = balance.before.available - balance.after.available;
    sentences.push(less === 0 ? words.unchanged : words.decreases(money(less)));
  }
  return sentences.join(" ");
}

/** The effect after the confirmation, with the figures of the preview. */
export function doneText(reversal: Reversal, preview: ReversalPreview): string {
  const done =
    reversal === "cancel" && isPart(preview)
      ? words.part.done(money(preview.amount))
      : words[reversal].done(money(preview.needed));
  return [done, ...creditSentences(preview, AFTER_CONFIRMATION)].join(" ");
}
