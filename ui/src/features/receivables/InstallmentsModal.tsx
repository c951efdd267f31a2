// The installments of a due date, or of one receivable unit of that date: their sums, and a link to each sale.
import { Skeleton } from "@mantine/core";
import { IconCalendarOff } from "@tabler/icons-react";
import { useApi } from "../../api/hooks";
import { useBusiness } from "../../api/session";
import { useIsPhone } from "../../components/breakpoints";
import { DetailModal } from "../../components/DetailModal";
import { DataTable } from "../../components/table/DataTable";
import { useList } from "../../components/table/useList";
import { businessDate } from "../../format/dates";
import { money } from "../../format/money";
import { strings } from "../../strings/pt-BR";
import { receivablesStrings } from "../../strings/pt-BR.receivables";
import type { OpenedDay } from "./filters";
import { HIDDEN_AT_FIRST, installmentCard, installmentColumns, saleTarget } from "./installmentColumns";
import styles from "./Receivables.module.css";
import { type DueAmounts, NOTHING_DUE, scheduledOf, unitAmounts } from "./sums";
import { unitText } from "./unitColumns";

const words = receivablesStrings.receivables;
/** The gateway's largest page. */
const UNITS_MAX = 100;
const URL_KEYS = { page: "dayPage", perPage: "dayPerPage", order: "dayOrder" } as const;

interface InstallmentsModalProps extends OpenedDay {
  onClose: () => void;
}

export default function InstallmentsModal({ onClose, ...of }: InstallmentsModalProps) {
  const phone = useIsPhone();
  const unit = unitText(of.provider, of.brand, of.type);
  const title = words.installments.title(businessDate(of.day, "dddd, D [de] MMMM [de] YYYY"));
  return (
    <DetailModal
      onClose={onClose}
      title={unit ? `${title} · ${unit}` : title}
      size="75rem"
      centered
      fullScreen={phone}
    >
      <Sums {...useDueAmounts(of)} />
      <Installments {...of} />
    </DetailModal>
  );
}

interface SumsProps {
  /** Undefined while they are not known. */
  amounts: DueAmounts | undefined;
  failed: boolean;
}

/** The sums of the day or of the unit; zeros if nothing is due. */
function useDueAmounts({ day, provider, brand, type }: OpenedDay): SumsProps {
  const business = useBusiness();
  const query = { business_id: business.id, start: day, end: day };
  const ofUnit = provider !== null;
  const days = useApi(ofUnit ? null : "/receivables", { query });
  const units = useApi(ofUnit ? "/receivables/units" : null, { query: { ...query, perPage: UNITS_MAX } });
  const failed = (days.error ?? units.error) !== undefined;
  if (!ofUnit) return { amounts: days.data && (days.data.data[0] ?? NOTHING_DUE), failed };
  const isOpened = (unit: { acquirer: number; card_brand: string | null; payment_type: string }) =>
    unit.acquirer === provider && unit.card_brand === brand && unit.payment_type === type;
  const amounts = units.data && unitAmounts(units.data, isOpened);
  return { amounts, failed: failed || (units.data !== undefined && !amounts) };
}

function Sums({ amounts, failed }: SumsProps) {
  const unknown = failed ? strings.list.none : <Skeleton height={18} width={90} />;
  const figures: [string, (of: DueAmounts) => number][] = [
    [words.days.columns.expected, ({ expected }) => expected],
    [words.settled, ({ settled }) => settled],
    [words.accelerated, ({ accelerated }) => accelerated],
    [words.scheduled, scheduledOf],
  ];
  return (
    <dl className={styles.sums} aria-label={words.installments.figures}>
      {figures.map(([label, cents]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{amounts ? money(cents(amounts)) : unknown}</dd>
        </div>
      ))}
    </dl>
  );
}

function Installments({ day, provider, brand, type }: OpenedDay) {
  const business = useBusiness();
  const list = useList("/receivables/sales", {
    urlKeys: URL_KEYS,
    query: () => ({
      business_id: business.id,
      date: day,
      ...(provider !== null && { provider }),
      ...(brand !== null && { brand }),
      ...(type !== null && { paymentType: type }),
    }),
    file: words.installments.file(day),
    company: business.name,
  });
  return (
    <DataTable
      name="installments"
      label={words.installments.table}
      columns={installmentColumns}
      hiddenAtFirst={HIDDEN_AT_FIRST}
      list={list}
      icon={IconCalendarOff}
      words={words.installments}
      rowId={({ sale_id, number }) => `${sale_id}/${number}`}
      rowTarget={saleTarget}
      card={installmentCard}
    />
  );
}
