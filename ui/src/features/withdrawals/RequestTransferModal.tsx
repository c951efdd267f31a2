// A seller requests a withdrawal: amount, destination, and password.
import { Alert, Button, Radio, Skeleton, Stack } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useState } from "react";
import { Failure } from "../../api/failure";
import { useApi, useCommand } from "../../api/hooks";
import { useIdempotencyKey } from "../../api/idempotency";
import type { TransferDestination, TransferQuote } from "../../api/models";
import { FactList } from "../../components/FactList";
import { FormModal } from "../../components/forms/FormModal";
import { MoneyInput } from "../../components/forms/MoneyInput";
import { PasswordField } from "../../components/forms/PasswordField";
import type { Form } from "../../components/forms/useValidatedForm";
import type { ModalContentProps } from "../../components/modals/modals";
import { money } from "../../format/money";
import { withdrawalsStrings } from "../../strings/pt-BR.withdrawals";
import { destinationChoiceText } from "./destination";
import styles from "./Modals.module.css";
import { EMPTY_WITHDRAWAL, netOf, type WithdrawalValues, withdrawalSchema } from "./requestTransfer";

const words = withdrawalsStrings.requestTransfer;
const CONFLICT = 409;

const SCHEMA_BEFORE_QUOTE = withdrawalSchema({ minimum: 0, available: 0 });
/** The values that the gateway compares with earlier withdrawals. */
const requestKey = ({ amount, destination }: WithdrawalValues) => `${amount}/${destination}`;

/** The conflicts that the seller can confirm, each with the field that confirms it. */
const CONFIRMATIONS = {
  "/problems/duplicate-transfer": "confirm_duplicate",
  "/problems/returned-destination": "confirm_destination",
} as const;

type Confirmation = (typeof CONFIRMATIONS)[keyof typeof CONFIRMATIONS];

function confirmationOf(error: unknown): Confirmation | undefined {
  if (!(error instanceof Failure) || error.status !== CONFLICT) return undefined;
  const known = Object.entries(CONFIRMATIONS).find(([type]) => error.type.endsWith(type));
  return known?.[1];
}

export default function RequestTransferModal(props: ModalContentProps<"REQUEST_TRANSFER">) {
  const business_id = props.payload.businessId;
  const quote = useApi("/balance/transfers/quote", { query: { business_id } }, { keepPrevious: false });
  const request = useCommand("POST /balance/transfers", {
    refreshes: [
      "/balance/transfers",
      "/balance/transfers/quote",
      "/balance/history",
      "/balance/daily",
      "/overview",
    ],
  });
  const keyFor = useIdempotencyKey();
  // The request that the gateway wants confirmed. Sending the same amount and destination again confirms it. A request
  // can need both confirmations.
  const [asked, setAsked] = useState<{ key: string; confirmations: readonly Confirmation[] }>();
  const [closed, setClosed] = useState(false);

  const submit = async (values: WithdrawalValues) => {
    const key = requestKey(values);
    const confirmed = asked?.key === key ? asked.confirmations : [];
    const body = {
      business_id,
      amount: values.amount ?? 0,
      destination: Number(values.destination) as TransferDestination,
      password: values.password,
      ...Object.fromEntries(confirmed.map((confirmation) => [confirmation, true])),
    };
    setClosed(false);
    try {
      const transfer = await request.run({ body, header: { "Idempotency-Key": keyFor(body) } });
      if (transfer) props.onConfirm(transfer);
    } catch (error) {
      const confirmation = confirmationOf(error);
      setAsked(confirmation && { key, confirmations: [...confirmed, confirmation] });
    }
  };
  // The warning and its confirmation are about the values that were sent. Other values are an ordinary request.
  const forgetAsked = () => {
    if (!asked) return;
    setAsked(undefined);
    request.reset();
  };
  const failure = request.failure ?? quote.error;
  return (
    <FormModal
      title={words.title}
      schema={quote.data ? withdrawalSchema(quote.data) : SCHEMA_BEFORE_QUOTE}
      initialValues={EMPTY_WITHDRAWAL}
      command={{
        running: request.running,
        failure: closed ? undefined : failure,
        reset: () => setClosed(true),
      }}
      messageVariant={asked ? "warning" : "error"}
      // The warning is next to the button that it concerns.
      messagePosition={asked ? "bottom" : "top"}
      onValuesChange={forgetAsked}
      onSubmit={submit}
      onClose={props.onClose}
      dismissible={props.dismissible}
      submitLabel={asked ? words.confirm : words.submit}
      submitDisabled={!quote.data}
    >
      {(form) => <Fields form={form} quote={quote.data} />}
    </FormModal>
  );
}

interface FieldsProps {
  form: Form<WithdrawalValues>;
  quote: TransferQuote | undefined;
}

function Fields({ form, quote }: FieldsProps) {
  const { amount } = form.getValues();
  const net = quote && netOf(amount, quote.withdrawal_fee);
  const feeTakesAll = quote && amount !== undefined && amount >= quote.minimum && net === 0;
  return (
    <>
      <WithdrawalFigures quote={quote} amount={amount ?? 0} net={net} />
      <div className={styles.amount}>
        <MoneyInput label={words.amount} data-autofocus required {...form.getInputProps("amount")} />
        <Button
          variant="default"
          disabled={!quote || quote.available < quote.minimum}
          onClick={() => form.setFieldValue("amount", quote?.available)}
        >
          {words.all}
        </Button>
      </div>
      {feeTakesAll && (
        <Alert className={styles.warning} role="status" icon={<IconAlertTriangle size={20} aria-hidden />}>
          {words.netIsZero}
        </Alert>
      )}
      <Radio.Group label={words.destination} required {...form.getInputProps("destination")}>
        <Stack gap="xs" mt={8} mb={4}>
          {quote ? (
            quote.destinations.map(({ destination, available, reason, details }) => (
              <Radio
                key={destination}
                value={String(destination)}
                label={withdrawalsStrings.destination[destination]}
                description={available && details ? destinationChoiceText(details) : reason}
                disabled={!available}
                classNames={{ root: styles.choice, description: styles.choiceNote }}
              />
            ))
          ) : (
            <Skeleton height={108} radius={8} />
          )}
        </Stack>
      </Radio.Group>
      <PasswordField
        label={words.password}
        required
        autoComplete="current-password"
        {...form.getInputProps("password")}
      />
    </>
  );
}

interface WithdrawalFiguresProps {
  quote: TransferQuote | undefined;
  amount: number;
  net: number | undefined;
}

function WithdrawalFigures({ quote, amount, net }: WithdrawalFiguresProps) {
  const figures: [label: string, cents: number | undefined][] = [
    [words.available, quote?.available],
    [words.fee, quote?.withdrawal_fee],
    [words.value, quote && amount],
    [words.net, net],
  ];
  return (
    <FactList
      label={words.figures}
      variant="boxed"
      total
      facts={figures.map(([label, cents]) => [
        label,
        cents === undefined ? <Skeleton key="unknown" height={18} width={90} /> : money(cents),
      ])}
    />
  );
}
