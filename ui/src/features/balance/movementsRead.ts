// One call of the gateway answers with the balance or with its movements; these tell the answers apart.

type Totals<Answer> = Extract<Answer, { totals: unknown }>;
type Lines<Answer> = Extract<Answer, { data: unknown }>;

export function totalsOf<Answer extends object>(
  answer: Answer | undefined,
): Totals<Answer>["totals"] | undefined {
  return answer && "totals" in answer ? (answer as Totals<Answer>).totals : undefined;
}

export function linesOf<Answer extends object>(answer: Answer | undefined): Lines<Answer> | undefined {
  return answer && "data" in answer ? (answer as unknown as Lines<Answer>) : undefined;
}
