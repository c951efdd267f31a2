// The form of a payment link next to its preview, for a new link and for an edit.
import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import type { Failure } from "../../api/failure";
import type { PaymentLink } from "../../api/models";
import { businessNow } from "../../api/serverClock";
import layout from "../../components/Columns.module.css";
import { PageForm } from "../../components/forms/PageForm";
import type { Form } from "../../components/forms/useValidatedForm";
import { Panel } from "../../components/Panel";
import { linksStrings } from "../../strings/pt-BR.links";
import { LinkFields } from "./LinkFields";
import { LinkPreview } from "./LinkPreview";
import { type LinkValues, linkSchema, NEW_LINK, valuesOf } from "./linkValues";

const words = linksStrings.form;

interface LinkFormProps {
  /** The link to edit; undefined for a new one. */
  link?: PaymentLink;
  /** The command that saves the link; `reset` clears its failure. */
  save: { running: boolean; failure: Failure | undefined; reset: () => void };
  /** Saves the link. Resolves to true if the form then starts again with its initial values. */
  onSubmit: (values: LinkValues) => Promise<boolean>;
  onCancel?: () => void;
  /** What is shown above the fields. */
  notice?: (form: Form<LinkValues>) => ReactNode;
}

export function LinkForm({ link, save, onSubmit, onCancel, notice }: LinkFormProps) {
  return (
    <PageForm
      label={words.panel}
      schema={linkSchema(businessNow(), link)}
      initialValues={link ? valuesOf(link) : NEW_LINK}
      command={save}
      onSubmit={onSubmit}
      submitLabel={link ? words.save : words.create}
    >
      {(form) => (
        <div className={layout.columns}>
          <Panel title={words.panel}>
            <div className={layout.column}>
              {notice?.(form)}
              <LinkFields form={form} />
              {onCancel && (
                <Button variant="subtle" onClick={onCancel} disabled={save.running}>
                  {words.cancel}
                </Button>
              )}
            </div>
          </Panel>
          <LinkPreview values={form.values} />
        </div>
      )}
    </PageForm>
  );
}
