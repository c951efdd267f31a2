// The page's header: seller, description and amount. The gateway writes them into the page if it can read
// them in time; this fills in or replaces them.
import { money } from "../src/format/money";
import { words } from "./words";

export interface Summary {
  seller: { name: string };
  description: string;
  /** Null for a link on which the buyer chooses it. */
  amount: number | null;
}

function setText(id: string, text: string) {
  const element = document.getElementById(id);
  if (element && element.textContent !== text) element.textContent = text;
}

export function showSummary({ seller, description, amount }: Summary) {
  setText("seller", seller.name);
  setText("seller-mark", seller.name.slice(0, 1).toUpperCase());
  setText("description", description);
  setText("amount", amount === null ? words.openAmount : money(amount));
  document.title = `${description} | ${seller.name}`;
}
