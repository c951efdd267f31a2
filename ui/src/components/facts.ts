// The facts of a list. A fact without a value is left out. A screen that shows every field gives such a fact a dash as
// its value.
import type { ReactNode } from "react";

export type Fact = readonly [label: string, value: ReactNode];

/** The facts with a value: not null, undefined, false or an empty text. Zero is a value. */
export function knownFacts(facts: readonly Fact[]): readonly Fact[] {
  return facts.filter(([, value]) => value || value === 0);
}
