// One call answers with the totals of a balance or with the lines of its statement. These tell the two apart.

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
