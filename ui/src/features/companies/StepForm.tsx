// One step of a form: its schema validates it before the next one opens.
import { Button } from "@mantine/core";
import { type ReactNode, useEffect, useRef } from "react";
import type { $ZodType } from "zod/v4/core";
import type { Failure } from "../../api/failure";
import { type AnyValues, type Form, useValidatedForm } from "../../components/forms/useValidatedForm";
import { ServerMessage } from "../../components/ServerMessage";
import shared from "../../components/Shared.module.css";
import { companiesStrings } from "../../strings/pt-BR.companies";
import styles from "./Companies.module.css";

interface StepFormProps<Values extends AnyValues> {
  schema: $ZodType;
  initialValues: Values;
  error: Failure | undefined;
  onErrorClose: () => void;
  loading: boolean;
  submitLabel: string;
  submitHidden?: boolean;
  /** Called when the form appears and after each change. */
  onChange: (values: Values) => unknown;
  onSubmit: () => void;
  onBack: (() => void) | undefined;
  /** Another button at the foot. */
  extra?: ReactNode;
  children: (form: Form<Values>) => ReactNode;
}

export function StepForm<Values extends AnyValues>(props: StepFormProps<Values>) {
  const { form, formRef, onSubmit, message, code } = useValidatedForm(props);
  const { onChange } = props;
  const change = useRef(onChange);
  change.current = onChange;
  useEffect(() => {
    change.current(form.values);
  }, [form.values]);
  return (
    <form ref={formRef} className={styles.form} onSubmit={onSubmit(() => props.onSubmit())} noValidate>
      <ServerMessage message={message} code={code} onClose={props.onErrorClose} />
      {props.children(form)}
      <div className={shared.actions}>
        {props.onBack && (
          <Button variant="default" disabled={props.loading} onClick={props.onBack}>
            {companiesStrings.wizard.back}
          </Button>
        )}
        {!props.submitHidden && (
          <Button type="submit" loading={props.loading}>
            {props.submitLabel}
          </Button>
        )}
        {props.extra}
      </div>
    </form>
  );
}
