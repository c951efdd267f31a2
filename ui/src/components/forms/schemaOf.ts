// The schema of a form whose rules depend on several fields: one function checks all values.
import * as z from "zod/mini";

/** `errorsOf`: the messages by field. The name of a nested field is its path: "group.debit". */
export const schemaOf = <Values>(errorsOf: (values: Values) => Readonly<Record<string, string>>) =>
  z.any().check(({ value, issues }) => {
    for (const [field, message] of Object.entries(errorsOf(value as Values)))
      issues.push({ code: "custom", message, path: field.split("."), input: value });
  });
