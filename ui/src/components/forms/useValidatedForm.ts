// A form that its schema validates before it is sent, and the gateway afterwards. After a refusal the focus moves to
// the first invalid field, or to the message's button.
import { type FormErrors, schemaResolver, type UseFormReturnType, useForm } from "@mantine/form";
import { useEffect, useRef } from "react";
import type { $ZodType } from "zod/v4/core";
import type { Failure } from "../../api/failure";

// biome-ignore lint/suspicious/noExplicitAny: Mantine's own bound of a form's values
export type AnyValues = Record<string, any>;

/** What a form needs to know of the command that sends it. */
export interface FormCommand {
  running: boolean;
  /** The last failure: its message goes into the alert, its field errors to the fields. */
  failure: Failure | undefined;
  /** Called when the alert is closed. */
  reset: () => void;
}

export type Form<Values extends AnyValues> = UseFormReturnType<Values>;

interface ValidatedFormOptions<Values extends AnyValues> {
  schema: $ZodType;
  initialValues: Values;
  error: Failure | undefined;
  /** Called after each change of a value. */
  onValuesChange?: (() => void) | undefined;
}

/** Focuses the first invalid field of `form`, in the order of the screen; false if there is none. */
function focusInvalidField(form: HTMLElement | null): boolean {
  // Mantine marks an invalid password field with data-invalid alone.
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
  onValuesChange,
}: ValidatedFormOptions<Values>) {
  const formRef = useRef<HTMLFormElement>(null);
  const form = useForm<Values>({
    mode: "controlled",
    initialValues,
    ...(onValuesChange && { onValuesChange }),
    validate: schemaResolver(schema as never, { sync: true }) as (values: Values) => FormErrors,
  });
  const { setErrors } = form;
  useEffect(() => {
    if (!error) return;
    setErrors(error.fields);
    // Fields lose the focus when they are disabled during sending.
    const frame = requestAnimationFrame(() => {
      if (focusInvalidField(formRef.current)) return;
      formRef.current?.querySelector<HTMLElement>("[role=alert] button")?.focus();
    });
    return () => cancelAnimationFrame(frame);
  }, [error, setErrors]);
  const onSubmit = (send: (values: Values) => void) =>
    // Errors are drawn in the next frame; only then can the field be found.
    form.onSubmit(send, () => requestAnimationFrame(() => focusInvalidField(formRef.current)));
  return { form, formRef, onSubmit, message: error && messageOf(error, initialValues), code: error?.code };
}

/** Errors of fields that the form does not have, such as the token of a link, replace the message. */
function messageOf({ message, fields }: Failure, values: AnyValues): string {
  const withoutField = Object.entries(fields).filter(([field]) => !(field in values));
  return withoutField.map(([, text]) => text).join(" ") || message;
}
