// What undoing a sale does to the available balance, in sentences made of the preview's own figures. The table beside
// them shows the same preview, so that text and table can't disagree.
import type { ReversalPreview } from "../../api/models";
import { money } from "../../format/money";
import { reversalStrings } from "../../strings/pt-BR.reversals";
import type { Reversal } from "./calls";

const words = reversalStrings.reversal;

const AHEAD = { forward: words.forwardFirst, release: words.releasedFirst };
const AFTERWARDS = { forward: words.forwarded, release: words.released };

/** What comes into the available balance before the sale's money leaves it. */
function entering(
  { brought_forward, brought_forward_total, balance }: ReversalPreview,
  said: typeof AHEAD | typeof AFTERWARDS,
): string[] {
  const released = balance?.released ?? 0;
  return [
    brought_forward.length > 0 && said.forward(brought_forward.length, money(brought_forward_total)),
    released > 0 && said.release(money(released)),
  ].filter((sentence) => sentence !== false);
}

/** What would happen. Without a balance to see there is no sum of it either. */
export function effectText(reversal: Reversal, preview: ReversalPreview): string {
  const sentences = [words[reversal].effect(money(preview.needed)), ...entering(preview, AHEAD)];
  const { balance } = preview;
  if (balance && sentences.length > 1) {
    const less = balance.before.available - balance.after.available;
    sentences.push(less === 0 ? words.unchanged : words.falls(money(less)));
  }
  return sentences.join(" ");
}

/** What has happened, as it was shown before. */
export function doneText(reversal: Reversal, preview: ReversalPreview): string {
  return [words[reversal].done(money(preview.needed)), ...entering(preview, AFTERWARDS)].join(" ");
}
