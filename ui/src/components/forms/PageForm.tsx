// A form that stands in a page: judged by its schema before it is sent and by the gateway afterwards, as FormModal is.
import { Button, type ButtonProps } from "@mantine/core";
import { type FormErrors, schemaResolver, useForm } from "@mantine/form";
import { type ReactNode, useEffect, useRef } from "react";
import type { $ZodType } from "zod/v4/core";
import type { Failure } from "../../api/failure";
import { ServerMessage } from "../ServerMessage";
import type { Form } from "./FormModal";
import styles from "./PageForm.module.css";
import { focusWrongField } from "./wrongField";

// biome-ignore lint/suspicious/noExplicitAny: Mantine's own bound of a form's values
type AnyValues = Record<string, any>;

interface PageFormProps<Values extends AnyValues> {
  label: string;
  schema: $ZodType;
  initialValues: Values;
  loading: boolean;
  /** How the last sending failed: its message goes into the alert, its fields to theirs. */
  error: Failure | undefined;
  onErrorClose: () => void;
  /** Resolves to whether the form is done with and starts anew. */
  onSubmit: (values: Values) => Promise<boolean>;
  submitLabel: string;
  submitProps?: ButtonProps;
  children: (form: Form<Values>) => ReactNode;
}

export function PageForm<Values extends AnyValues>(props: PageFormProps<Values>) {
  const { loading, error } = props;
  const place = useRef<HTMLFormElement>(null);
  const form = useForm<Values>({
    mode: "controlled",
    initialValues: props.initialValues,
    validate: schemaResolver(props.schema as never, { sync: true }) as (values: Values) => FormErrors,
  });
  const { setErrors } = form;
  // Marks are drawn with the next frame; only then is there a field to go to.
  const mend = () => requestAnimationFrame(() => focusWrongField(place.current));
  useEffect(() => {
    if (!error) return;
    setErrors(error.fields);
    const frame = requestAnimationFrame(() => focusWrongField(place.current));
    return () => cancelAnimationFrame(frame);
  }, [error, setErrors]);

  const submit = async (values: Values) => {
    if (await props.onSubmit(values)) form.reset();
  };
  return (
    <form
      ref={place}
      className={styles.form}
      aria-label={props.label}
      onSubmit={form.onSubmit((values) => void submit(values), mend)}
      noValidate
    >
      <ServerMessage message={error && messageOf(error, props.initialValues)} onClose={props.onErrorClose} />
      {props.children(form)}
      <div className={styles.foot}>
        <Button type="submit" loading={loading} {...props.submitProps}>
          {props.submitLabel}
        </Button>
      </div>
    </form>
  );
}

/** What has no field of its own here, such as the token of a link, is said in the alert. */
function messageOf({ message, fields }: Failure, values: AnyValues): string {
  const elsewhere = Object.entries(fields).filter(([field]) => !(field in values));
  return elsewhere.map(([, text]) => text).join(" ") || message;
}
