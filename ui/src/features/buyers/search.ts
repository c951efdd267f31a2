// The search for a buyer: by a document or by the reference of an order.
import { buyersStrings } from "../../strings/pt-BR.buyers";
import type { BuyerSearch } from "./EraseBuyerModal";

/** Ten characters of Crockford's base 32, as references have them. A document has eleven or fourteen. */
const ORDER = /^[0-9A-HJKMNP-TV-Z]{10}$/;
const DOCUMENT = /^(\d{11}|[\dA-Z]{12}\d{2})$/;

/** Reads a document or a reference; undefined for any other text. The gateway verifies a document's check digits. */
export function parseBuyerSearch(typed: string): BuyerSearch | undefined {
  const bare = typed.replace(/[.\-/\s]/g, "").toUpperCase();
  if (ORDER.test(bare)) return { order: bare };
  return DOCUMENT.test(bare) ? { document: bare } : undefined;
}

const { statuses } = buyersStrings.search;

/** The name of an order's status; an unknown status keeps its code. */
export const orderStatusText = (status: string): string =>
  Object.hasOwn(statuses, status) ? statuses[status as keyof typeof statuses] : status;
