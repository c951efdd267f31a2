// The fees of a sales plan in three tabs: Visa and Mastercard, other brands, and PIX and boleto. A tab shows whether it
// has invalid fields. If the open tab has none, a refusal opens the first tab that has some.
import { SegmentedControl, Tabs, TextInput } from "@mantine/core";
import { type ClipboardEvent, useEffect, useState } from "react";
import type { PlanDetail } from "../../api/models";
import { MoneyInput } from "../../components/forms/MoneyInput";
import type { Form } from "../../components/forms/useValidatedForm";
import { plansStrings } from "../../strings/pt-BR.plans";
import styles from "./Plans.module.css";
import {
  BANDS,
  brandsDiffer,
  CARD_MACHINE_VALUE,
  editedFees,
  type Group,
  INSTALLMENTS,
  type PlanValues,
  pastedRates,
} from "./planForm";

const words = plansStrings.form;

const TABS = ["visamaster", "others", "pix"] as const;
type Tab = (typeof TABS)[number];

interface FeesProps {
  form: Form<PlanValues>;
  plan: PlanDetail | undefined;
}

/** `pix_fee` is the gateway's name for both `pix_percent` and `pix_amount`. The form shows its error as the message. */
const PIX_FIELDS = ["boleto_fee", "pix_percent", "pix_amount", "pix_fee"];

const isIn = (tab: Tab) => (field: string) =>
  tab === "pix" ? PIX_FIELDS.includes(field) : field.startsWith(`${tab}.`);

export function PlanFeeTabs({ form, plan }: FeesProps) {
  const [tab, setTab] = useState<Tab>("visamaster");
  const invalid = Object.keys(form.errors).filter((field) => form.errors[field]);
  const count = (of: Tab) => invalid.filter(isIn(of)).length;
  const invalidTabs = TABS.filter((each) => count(each) > 0);
  // A refusal sets all its errors at once, so the effect runs once for it.
  const key = invalid.join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: only new errors open a tab
  useEffect(() => {
    const [first] = invalidTabs;
    if (first && !invalidTabs.includes(tab)) setTab(first);
  }, [key]);
  const takesBoleto = form.values.solution_id !== CARD_MACHINE_VALUE;
  const labels: Record<Tab, string> = {
    visamaster: words.tabVisamaster,
    others: words.tabOthers,
    pix: takesBoleto ? words.tabBoletoPix : words.tabPix,
  };
  return (
    <Tabs value={tab} onChange={(next) => setTab(next as Tab)} keepMounted={false}>
      <Tabs.List aria-label={words.tabs}>
        {TABS.map((each) => (
          <Tabs.Tab
            key={each}
            value={each}
            className={count(each) > 0 ? styles.invalid : undefined}
            aria-label={count(each) > 0 ? words.tabInvalid(labels[each], count(each)) : undefined}
          >
            {labels[each]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value="visamaster">
        <CardFees form={form} plan={plan} group="visamaster" />
      </Tabs.Panel>
      <Tabs.Panel value="others">
        <CardFees form={form} plan={plan} group="others" />
      </Tabs.Panel>
      <Tabs.Panel value="pix">
        <PixFees form={form} takesBoleto={takesBoleto} />
      </Tabs.Panel>
    </Tabs>
  );
}

function CardFees({ form, plan, group }: FeesProps & { group: Group }) {
  const fees = editedFees(plan);
  const mdr = form.values.mdr === "true";
  return (
    <div className={styles.panel}>
      {group === "others" && <p className={styles.note}>{words.othersHint}</p>}
      {!mdr && fees && brandsDiffer(fees, group) && <p className={styles.warning}>{words.differ}</p>}
      {mdr ? <MdrFees form={form} group={group} /> : <EffectiveFees form={form} group={group} />}
    </div>
  );
}

function MdrFees({ form, group }: { form: Form<PlanValues>; group: Group }) {
  const rate = (field: string) => ({
    inputMode: "decimal" as const,
    required: true,
    ...form.getInputProps(`${group}.mdr.${field}`),
  });
  return (
    <div className={styles.pair}>
      <TextInput label={words.debit} {...rate("debit")} />
      {BANDS.map((band) => (
        <TextInput key={band} label={words.credit(plansStrings.bands[band])} {...rate(band)} />
      ))}
      <TextInput label={words.advance} description={words.advanceHint} {...rate("advance")} />
    </div>
  );
}

function EffectiveFees({ form, group }: { form: Form<PlanValues>; group: Group }) {
  const paste = (from: number) => (event: ClipboardEvent) => {
    const rates = pastedRates(event.clipboardData.getData("text"));
    if (!rates) return;
    event.preventDefault();
    const { credit } = form.values[group];
    const filled = credit.map((fee, index) => rates[index - from] ?? fee);
    form.setFieldValue(`${group}.credit`, filled);
    form.clearErrors();
  };
  return (
    <>
      <div className={styles.fees}>
        <TextInput
          label={words.debit}
          inputMode="decimal"
          required
          {...form.getInputProps(`${group}.debit`)}
        />
      </div>
      <p className={styles.note}>{words.pasteHint}</p>
      <div className={styles.fees}>
        {INSTALLMENTS.map((count, index) => (
          <TextInput
            key={count}
            label={words.installment(count)}
            inputMode="decimal"
            required
            {...form.getInputProps(`${group}.credit.${index}`)}
            onPaste={paste(index)}
          />
        ))}
      </div>
    </>
  );
}

function PixFees({ form, takesBoleto }: { form: Form<PlanValues>; takesBoleto: boolean }) {
  return (
    <div className={styles.panel}>
      <SegmentedControl
        aria-label={words.pixKind}
        data={[
          { value: "percent", label: words.pixPercentChoice },
          { value: "fixed", label: words.pixFixedChoice },
        ]}
        {...form.getInputProps("pix")}
      />
      <div className={styles.pair}>
        {form.values.pix === "percent" ? (
          <TextInput
            label={words.pixPercent}
            inputMode="decimal"
            required
            {...form.getInputProps("pix_percent")}
          />
        ) : (
          <MoneyInput label={words.pixAmount} required {...form.getInputProps("pix_amount")} />
        )}
        {takesBoleto && <MoneyInput label={words.boletoFee} required {...form.getInputProps("boleto_fee")} />}
      </div>
    </div>
  );
}
