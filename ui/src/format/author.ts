// The author of an action: the name if the gateway gives it, else the kind.
import type { Author } from "../api/models";
import { statusStrings } from "../strings/pt-BR.status";

const words = statusStrings.authors;

const NAMELESS: Record<Author["kind"], string> = {
  seller: words.seller,
  staff: words.staff,
  acquirer: words.acquirer,
  bank: words.bank,
  automatic: words.automatic,
  platform: words.platform,
};

export function authorText({ kind, name }: Author): string {
  return name ?? NAMELESS[kind];
}
