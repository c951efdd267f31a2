// What the bank calls the payment of a withdrawal and its return.
import type { ExecutionStep, Transfer } from "../../../api/models";
import { withdrawalsStrings } from "../../../strings/pt-BR.withdrawals";
import { bankIdOf } from "./executionText";

const words = withdrawalsStrings.page;

type NamedFact = readonly [label: string, name: string];

/** The names with their labels. The bank's id of a call is left out if it is one of the names. */
export function bankNameFacts(
  { names, return_names }: Pick<Transfer, "names" | "return_names">,
  steps: readonly ExecutionStep[] | undefined,
): NamedFact[] {
  const known: readonly (readonly [string, string | null | undefined])[] = [
    [words.endToEndId, names?.end_to_end_id],
    [words.controlNumber, names?.control_number],
    [words.returnEndToEndId, return_names?.end_to_end_id],
    [words.returnControlNumber, return_names?.control_number],
  ];
  const bankId = bankIdOf(steps);
  const isNamed = known.some(([, name]) => name === bankId);
  const facts = isNamed ? known : [...known, [words.bankId, bankId] as const];
  return facts.filter((fact): fact is NamedFact => Boolean(fact[1]));
}
