// The calls of a balance answer either with its totals or with the lines of its statement. These functions read the
// one or the other, and return undefined for the other kind of answer.

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
