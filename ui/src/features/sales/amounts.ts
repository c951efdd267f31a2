// The amounts of a sale in lines: from gross to net, and from net to the remainder after a reversal. The gateway
// computes the fees. The effect of a reversal follows from the status.
import type { SaleDetail } from "../../api/models";
import { outcomeOf, type SaleOutcome } from "../../format/saleOutcome";
import { salesStrings } from "../../strings/pt-BR.sales";

const words = salesStrings.sale;

export interface AmountLine {
  label: string;
  cents: number;
}

export interface SaleAmounts {
  outcome: SaleOutcome;
  /** Every fee that is not zero. */
  fees: AmountLine[];
  feesTotal: number;
  net: number;
  /** The effect of reversals and of parts; empty while the seller keeps all of the money. */
  after: AmountLine[];
  /** The remaining amount. Null while the seller keeps all of the money, and during a dispute. */
  result: number | null;
}

type Amounts = Pick<
  SaleDetail,
  | "status"
  | "amount"
  | "net_amount"
  | "fees_total"
  | "fee_lines"
  | "plan_percentage_fee"
  | "plan_flat_fee"
  | "plan_percentage_rate"
  | "plan_flat_rate"
  | "refunded"
  | "refunded_net"
  | "charged_back"
  | "disputed"
>;

const PARTS = ["plan_percentage_fee", "plan_flat_fee", "plan_percentage_rate", "plan_flat_rate"] as const;

/** Undefined for a sale that was never captured: it has neither fees nor a net amount. */
export function amountsOf(sale: Amounts): SaleAmounts | undefined {
  const { status, amount, net_amount: net, fees_total: feesTotal } = sale;
  if (net === null) return undefined;
  const outcome = outcomeOf(status);
  const whole = { outcome, fees: feesOf(sale), feesTotal, net, after: [], result: null };
  switch (outcome) {
    case "returned":
      // With a refund, the platform returns its fees.
      return {
        ...whole,
        after: [
          { label: words.returned, cents: -amount },
          { label: words.feesReturned, cents: feesTotal },
        ],
        result: net - amount + feesTotal,
      };
    case "lost": {
      const fees = feesOfParts(sale);
      return {
        ...whole,
        after: [{ label: words.returned, cents: -amount }, ...fees],
        result: net - amount + sum(fees),
      };
    }
    case "blocked":
      return { ...whole, after: [...partsOf(sale), { label: words.blocked, cents: -sale.disputed }] };
    case "earned": {
      const after = partsOf(sale);
      return { ...whole, after, result: after.length > 0 ? net + sum(after) : null };
    }
    case "waiting":
    case "failed":
      return whole;
  }
}

const sum = (lines: AmountLine[]) => lines.reduce((total, { cents }) => total + cents, 0);

/** What went back to the buyer in parts, and the platform's share of it. */
function partsOf(sale: Amounts): AmountLine[] {
  const returned = sale.refunded + sale.charged_back;
  if (returned === 0) return [];
  return [{ label: words.returned, cents: -returned }, ...feesOfParts(sale)];
}

function feesOfParts({ refunded, refunded_net }: Amounts): AmountLine[] {
  const cents = refunded - refunded_net;
  return cents === 0 ? [] : [{ label: words.feesReturned, cents }];
}

function feesOf(sale: Amounts): AmountLine[] {
  const lines = sale.fee_lines
    ? sale.fee_lines.map(({ rule, charged }) => ({ label: words.feeRules[rule], cents: -charged }))
    : PARTS.map((part) => ({ label: words.feeParts[part], cents: -sale[part] }));
  return lines.filter(({ cents }) => cents !== 0);
}
