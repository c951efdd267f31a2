// A call of a balance returns either the totals of the balance or the lines of its statement. Each function here reads
// one of the two, and returns undefined for the other.

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
