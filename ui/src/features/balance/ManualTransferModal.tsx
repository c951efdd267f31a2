// Staff debit or credit a company's balance, with a description and their password.
import { Checkbox, SegmentedControl, TextInput } from "@mantine/core";
import { totalsOf } from "../../api/balance";
import { useApi, useCommand } from "../../api/hooks";
import { useIdempotencyKey } from "../../api/idempotency";
import { FactList } from "../../components/FactList";
import { FormModal } from "../../components/forms/FormModal";
import { MoneyInput } from "../../components/forms/MoneyInput";
import { PasswordField } from "../../components/forms/PasswordField";
import type { Form } from "../../components/forms/useValidatedForm";
import type { ModalContentProps } from "../../components/modals/modals";
import shared from "../../components/Shared.module.css";
import { money } from "../../format/money";
import { strings } from "../../strings/pt-BR";
import { balanceStrings } from "../../strings/pt-BR.balance";
import { withdrawalsStrings } from "../../strings/pt-BR.withdrawals";
import { EMPTY_MANUAL_TRANSFER, type ManualTransferValues, manualTransferSchema } from "./manualTransfer";

const words = balanceStrings.manualTransfer;
const common = withdrawalsStrings.requestTransfer;
export default function ManualTransferModal(props: ModalContentProps<"REQUEST_MANUAL_TRANSFER">) {
  const business_id = props.payload.businessId;
  const keyFor = useIdempotencyKey();
  const make = useCommand("POST /admin/balance/transfers/manual", {
    refreshes: [
      "/admin/balance/transfers",
      "/admin/balance/history",
      "/admin/balance/adjustments",
      "/admin/businesses/{id}/journal",
      "/admin/overview",
    ],
  });
  const submit = async (values: ManualTransferValues) => {
    const { allow_negative, ...rest } = values;
    const body = {
      ...rest,
      business_id,
      amount: values.amount ?? 0,
      description: values.description.trim(),
      // Only a debit can make a balance negative.
      ...(values.direction === "out" && allow_negative && { allow_negative }),
    };
    const header = { "Idempotency-Key": keyFor(body) };
    // The specification has the company in the query too.
    const answer = await make.run({ body, query: { business_id }, header }).catch(() => undefined);
    if (answer) props.onConfirm(answer);
  };
  return (
    <FormModal
      title={words.title}
      schema={manualTransferSchema}
      initialValues={EMPTY_MANUAL_TRANSFER}
      command={make}
      onSubmit={submit}
      onClose={props.onClose}
      dismissible={props.dismissible}
    >
      {(form) => <Fields form={form} businessId={business_id} />}
    </FormModal>
  );
}

function Fields({ form, businessId }: { form: Form<ManualTransferValues>; businessId: string }) {
  const balance = useApi("/admin/balance/history", { query: { business_id: businessId, totals: 1 } });
  const available = totalsOf(balance.data)?.available;
  const { direction, amount = 0 } = form.getValues();
  const after = available === undefined ? undefined : available + (direction === "out" ? -amount : amount);
  const shown = (cents: number | undefined) => (cents === undefined ? strings.list.none : money(cents));
  return (
    <>
      <p className={shared.hint}>{words.hint}</p>
      <SegmentedControl
        fullWidth
        aria-label={words.direction}
        data={[
          { value: "out", label: words.out },
          { value: "in", label: words.in },
        ]}
        {...form.getInputProps("direction")}
      />
      <FactList
        variant="boxed"
        total
        facts={[
          [words.available, shown(available)],
          [words.after, shown(after)],
        ]}
      />
      <MoneyInput label={words.amount} data-autofocus required {...form.getInputProps("amount")} />
      <TextInput label={words.description} required maxLength={500} {...form.getInputProps("description")} />
      {direction === "out" && (
        <Checkbox
          label={words.allowNegative}
          {...form.getInputProps("allow_negative", { type: "checkbox" })}
        />
      )}
      <PasswordField
        label={common.password}
        required
        autoComplete="current-password"
        {...form.getInputProps("password")}
      />
    </>
  );
}
