// A seller requests a withdrawal: amount, destination, and password.
import { Alert, Radio, Skeleton, Stack } from "@mantine/core";
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
import { netOf } from "./net";
import { EMPTY_WITHDRAWAL, type WithdrawalValues, withdrawalSchema } from "./requestTransfer";

const words = withdrawalsStrings.requestTransfer;
const CONFLICT = 409;

const SCHEMA_BEFORE_QUOTE = withdrawalSchema({ minimum: 0, available: 0 });
/** The values that the gateway compares to find a duplicate. */
const requestKey = ({ amount, destination }: WithdrawalValues) => `${amount}/${destination}`;
const isDuplicate = (error: unknown) =>
  error instanceof Failure && error.status === CONFLICT && error.type.endsWith("/duplicate-transfer");

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
  // The key of the request that the gateway took for a duplicate. Sending the same amount and destination again
  // confirms it.
  const [duplicate, setDuplicate] = useState<string>();
  const [closed, setClosed] = useState(false);

  const submit = async (values: WithdrawalValues) => {
    const body = {
      business_id,
      amount: values.amount ?? 0,
      destination: Number(values.destination) as TransferDestination,
      password: values.password,
      ...(duplicate === requestKey(values) && { confirm_duplicate: true }),
    };
    setClosed(false);
    try {
      const transfer = await request.run({ body, header: { "Idempotency-Key": keyFor(body) } });
      if (transfer) props.onConfirm(transfer);
    } catch (error) {
      setDuplicate(isDuplicate(error) ? requestKey(values) : undefined);
    }
  };
  // The warning and its confirmation are about the values that were sent. Other values are an ordinary request.
  const forgetDuplicate = () => {
    if (!duplicate) return;
    setDuplicate(undefined);
    request.reset();
  };
  const failure = request.failure ?? quote.error;
  return (
    <FormModal
      title={words.title}
      schema={quote.data ? withdrawalSchema(quote.data) : SCHEMA_BEFORE_QUOTE}
      initialValues={EMPTY_WITHDRAWAL}
      loading={request.running}
      error={closed ? undefined : failure}
      onErrorClose={() => setClosed(true)}
      messageVariant={duplicate ? "warning" : "error"}
      // The warning is next to the button that it concerns.
      messagePosition={duplicate ? "bottom" : "top"}
      onValuesChange={forgetDuplicate}
      onSubmit={submit}
      onClose={props.onClose}
      dismissible={props.dismissible}
      submitLabel={duplicate ? words.confirmDuplicate : words.submit}
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
      <MoneyInput label={words.amount} data-autofocus required {...form.getInputProps("amount")} />
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
