// A form in a page; FormModal is one in a modal.
import { Button, type ButtonProps } from "@mantine/core";
import type { ReactNode } from "react";
import type { $ZodType } from "zod/v4/core";
import { ServerMessage } from "../ServerMessage";
import styles from "./PageForm.module.css";
import { useUnsaved } from "./unsaved";
import { type AnyValues, type Form, type FormCommand, useValidatedForm } from "./useValidatedForm";

interface PageFormProps<Values extends AnyValues> {
  label: string;
  schema: $ZodType;
  initialValues: Values;
  command: FormCommand;
  /** Resolves to true if the form then starts again with its initial values. */
  onSubmit: (values: Values) => Promise<boolean>;
  submitLabel: string;
  submitProps?: ButtonProps;
  children: (form: Form<Values>) => ReactNode;
}

export function PageForm<Values extends AnyValues>(props: PageFormProps<Values>) {
  const { running, failure: error, reset } = props.command;
  const { form, formRef, onSubmit, message, code } = useValidatedForm({ ...props, error });
  useUnsaved(form, props.label);
  const submit = async (values: Values) => {
    if (await props.onSubmit(values)) form.reset();
  };
  return (
    <form
      ref={formRef}
      className={styles.form}
      aria-label={props.label}
      onSubmit={onSubmit((values) => void submit(values))}
      noValidate
    >
      <ServerMessage message={message} code={code} onClose={reset} />
      {props.children(form)}
      <div className={styles.foot}>
        <Button type="submit" loading={running} {...props.submitProps}>
          {props.submitLabel}
        </Button>
      </div>
    </form>
  );
}
