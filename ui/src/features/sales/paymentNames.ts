// The names of a payment as facts: what a bank, an acquirer or a buyer calls it by.
import type { PaymentNames } from "../../api/models";
import { FraudLiability } from "../../api/words.json";
import { salesStrings } from "../../strings/pt-BR.sales";

const words = salesStrings.sale.names;

type NamedFact = readonly [label: string, name: string];

/** The names that the acquirer reported, with their labels. */
export function nameFacts(names: PaymentNames): NamedFact[] {
  const secure = names.three_d_secure;
  const facts: readonly (readonly [string, string | null | undefined])[] = [
    [words.endToEndId, names.end_to_end_id],
    [words.txid, names.txid],
    [words.nsu, names.nsu],
    [words.tid, names.tid],
    [words.acquirerId, names.acquirer_id],
    [words.ourNumber, names.our_number],
    [words.threeDSecure, secure?.version],
    [words.eci, secure?.eci],
    [words.liability, secure?.liability && FraudLiability[secure.liability]],
  ];
  return facts.filter((fact): fact is NamedFact => Boolean(fact[1]));
}

/** The names in one line each, such as "NSU 000123". */
export const nameTexts = (names: PaymentNames | null) =>
  names === null ? [] : nameFacts(names).map(([label, name]) => `${label}: ${name}`);
