// The schema of a form whose rules depend on several fields: one function checks all values.
import * as z from "zod/mini";

/** `errorsOf`: the messages by field. The name of a nested field is its path: "group.debit". */
export const schemaOf = <Values>(errorsOf: (values: Values) => Readonly<Record<string, string>>) =>
  z.any().check(({ value, issues }) => {
    for (const [field, message] of Object.entries(errorsOf(value as Values)))
      issues.push({ code: "custom", message, path: field.split("."), input: value });
  });

/** The values that a schema checks, as a form holds them: a number is undefined until it is typed. */
export type FormValues<Schema extends z.ZodMiniType> = {
  [Field in keyof z.infer<Schema>]: z.infer<Schema>[Field] extends number
    ? number | undefined
    : z.infer<Schema>[Field];
};
