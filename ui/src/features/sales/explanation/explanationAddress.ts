// Whether the explanation of a sale's net amount is open. The address keeps it, so that a list can link to it.
import { parseAsBoolean, useQueryState } from "nuqs";

const NAME = "explanation";

export const EXPLANATION_SEARCH = `?${NAME}=true`;

export function useExplanationOpen() {
  return useQueryState(NAME, parseAsBoolean.withDefault(false).withOptions({ history: "push" }));
}
