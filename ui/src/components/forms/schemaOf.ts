// The schema of a form whose rules depend on each other: they are one check of the whole.
import * as z from "zod/mini";

/** `errorsOf`: the messages by field. A field of a part has its path: "group.debit". */
export const schemaOf = <Values>(errorsOf: (values: Values) => Readonly<Record<string, string>>) =>
  z.any().check(({ value, issues }) => {
    for (const [field, message] of Object.entries(errorsOf(value as Values)))
      issues.push({ code: "custom", message, path: field.split("."), input: value });
  });
