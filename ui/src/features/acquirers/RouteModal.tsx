// Sets the order of acquirers for a payment type: for all companies, or for one.
import * as z from "zod/mini";
import { useCommand } from "../../api/hooks";
import type { AcquirerRoute, AcquirerSettings } from "../../api/models";
import type { NamedBusiness } from "../../components/BusinessSelect";
import { FormModal } from "../../components/forms/FormModal";
import { SegmentedField } from "../../components/forms/SegmentedField";
import shared from "../../components/Shared.module.css";
import { paymentTypeName } from "../../format/payment";
import { acquirersStrings as words } from "../../strings/pt-BR.acquirers";
import { RouteField } from "./RouteField";
import { type RouteValues, routeBody, routeValues } from "./routeForm";

interface RouteModalProps {
  settings: AcquirerSettings;
  route: AcquirerRoute;
  company: NamedBusiness | undefined;
  onClose: () => void;
  onDone: (message: string) => void;
}

/** Only the gateway validates the list: an empty one is valid too. */
const schema = z.any();

export default function RouteModal({ settings, route, company, onClose, onDone }: RouteModalProps) {
  const save = useCommand("POST /admin/settings/acquirers", {
    refreshes: ["/admin/settings/acquirers", "/admin/settings/acquirers/history"],
  });
  const scope = company ? "company" : "all";
  const type = paymentTypeName(route.payment_type);
  const submit = async (values: RouteValues) => {
    const body = routeBody(route, company?.id ?? null, values);
    const saved = await save.run({ body }).catch(() => undefined);
    if (saved) onDone(words.saved(type));
  };
  return (
    <FormModal
      title={company ? words.titleOf(type, company.name) : words.title(type)}
      schema={schema}
      initialValues={routeValues(route, scope)}
      command={save}
      onSubmit={submit}
      onClose={onClose}
      submitLabel={words.save}
    >
      {(form) => (
        <>
          <SegmentedField
            label={words.choice}
            options={{ inherit: words.inherit[scope], own: words.own }}
            {...form.getInputProps("choice")}
          />
          {form.values.choice === "own" && (
            <RouteField
              settings={settings}
              route={route}
              value={form.values.acquirers}
              error={form.errors.acquirers ? String(form.errors.acquirers) : undefined}
              onChange={(acquirers) => form.setFieldValue("acquirers", acquirers)}
            />
          )}
          <p className={shared.note}>{words.effect}</p>
        </>
      )}
    </FormModal>
  );
}
