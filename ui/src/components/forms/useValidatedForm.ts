// A form that its schema judges before it is sent and the gateway afterwards. After either refusal the keyboard goes to
// what has to be mended, or to the message where no field is to blame.
import { type FormErrors, schemaResolver, type UseFormReturnType, useForm } from "@mantine/form";
import { useEffect, useRef } from "react";
import type { $ZodType } from "zod/v4/core";
import type { Failure } from "../../api/failure";

// biome-ignore lint/suspicious/noExplicitAny: Mantine's own bound of a form's values
export type AnyValues = Record<string, any>;

export type Form<Values extends AnyValues> = UseFormReturnType<Values>;

interface Judging<Values extends AnyValues> {
  schema: $ZodType;
  initialValues: Values;
  /** How the last sending failed: its message goes into the alert, its fields to theirs. */
  error: Failure | undefined;
}

/** The first field of `form` that is marked as wrong, in the order of the screen. */
function focusWrongField(form: HTMLElement | null): boolean {
  // A password field is marked in a way of its own.
  const field = form?.querySelector<HTMLElement>(
    ":is(input, textarea):is([aria-invalid=true], [data-invalid])",
  );
  field?.focus();
  return Boolean(field);
}

export function useValidatedForm<Values extends AnyValues>({
  schema,
  initialValues,
  error,
}: Judging<Values>) {
  const place = useRef<HTMLFormElement>(null);
  const form = useForm<Values>({
    mode: "controlled",
    initialValues,
    validate: schemaResolver(schema as never, { sync: true }) as (values: Values) => FormErrors,
  });
  const { setErrors } = form;
  useEffect(() => {
    if (!error) return;
    setErrors(error.fields);
    // What was sent lost the focus when it was locked.
    const frame = requestAnimationFrame(() => {
      if (focusWrongField(place.current)) return;
      place.current?.querySelector<HTMLElement>("[role=alert] button")?.focus();
    });
    return () => cancelAnimationFrame(frame);
  }, [error, setErrors]);
  const onSubmit = (send: (values: Values) => void) =>
    // Marks are drawn with the next frame; only then is there a field to go to.
    form.onSubmit(send, () => requestAnimationFrame(() => focusWrongField(place.current)));
  return { form, place, onSubmit, message: error && messageOf(error, initialValues), code: error?.code };
}

/** What has no field of its own here, such as the token of a link, is said in the alert. */
function messageOf({ message, fields }: Failure, values: AnyValues): string {
  const elsewhere = Object.entries(fields).filter(([field]) => !(field in values));
  return elsewhere.map(([, text]) => text).join(" ") || message;
}
