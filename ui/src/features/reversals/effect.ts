// The effect of a reversal on the available balance, in sentences built from the preview. The table below shows the
// same preview, so text and table cannot disagree.
import type { ReversalPreview } from "../../api/models";
import { money } from "../../format/money";
import { reversalStrings } from "../../strings/pt-BR.reversals";
import type { Reversal } from "./calls";

const words = reversalStrings.reversal;

const AHEAD = { forward: words.forwardFirst, release: words.releasedFirst };
const AFTERWARDS = { forward: words.forwarded, release: words.released };

/** The accelerated receivables that enter the available balance just before the sale's amount leaves it. */
function entering(
  { accelerated, accelerated_total, balance }: ReversalPreview,
  said: typeof AHEAD | typeof AFTERWARDS,
): string[] {
  const released = balance?.released ?? 0;
  return [
    accelerated.length > 0 && said.forward(accelerated.length, money(accelerated_total)),
    released > 0 && said.release(money(released)),
  ].filter((sentence) => sentence !== false);
}

/** The effect before the confirmation. A role that sees no balance gets no sum. */
export function effectText(reversal: Reversal, preview: ReversalPreview): string {
  const sentences = [words[reversal].effect(money(preview.needed)), ...entering(preview, AHEAD)];
  const { balance } = preview;
  if (balance && sentences.length > 1) {
    const less = balance.before.available - balance.after.available;
    sentences.push(less === 0 ? words.unchanged : words.falls(money(less)));
  }
  return sentences.join(" ");
}

/** The effect after the confirmation, with the figures of the preview. */
export function doneText(reversal: Reversal, preview: ReversalPreview): string {
  return [words[reversal].done(money(preview.needed)), ...entering(preview, AFTERWARDS)].join(" ");
}
