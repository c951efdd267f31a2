// That a net amount is asked about stands in the address of its sale, so that a row of a list leads to the answer.
import { parseAsBoolean, useQueryState } from "nuqs";

const NAME = "explanation";

export const asked = `?${NAME}=true`;

export function useAsked() {
  return useQueryState(NAME, parseAsBoolean.withDefault(false).withOptions({ history: "push" }));
}
