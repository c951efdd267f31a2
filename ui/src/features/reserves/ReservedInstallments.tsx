// The installments of which the reserve holds or held a part.
import { TextInput } from "@mantine/core";
import { IconLock } from "@tabler/icons-react";
import { panel } from "../../api/panel";
import { DataTable } from "../../components/table/DataTable";
import { type Chosen, choice, given, single } from "../../components/table/filters";
import { type Order, parseAsBusinessDate } from "../../components/table/listState";
import { useList } from "../../components/table/useList";
import { reservesStrings } from "../../strings/pt-BR.reserves";
import {
  HIDDEN_AT_FIRST,
  ORDER_COLUMN,
  reservedCard,
  reservedColumns,
  saleTarget,
} from "./installmentColumns";

const words = reservesStrings.list;

const FILTERS = {
  release: single<string | null>(parseAsBusinessDate, ({ value, onChange }) => (
    <TextInput
      type="date"
      size="sm"
      label={words.day}
      value={value ?? ""}
      onChange={({ currentTarget }) => onChange(currentTarget.value || null)}
    />
  )),
  state: choice(words.columns.state, words.allStates, words.states),
};

const ORDER_WORDS = { asc: words.soonest, desc: words.latest };

interface ReservedInstallmentsProps {
  business: { id: string; name: string | undefined };
}

export function ReservedInstallments(props: ReservedInstallmentsProps) {
  return panel === "admin" ? <OfCompany {...props} /> : <Own {...props} />;
}

const queryOf = ({ release, state }: Chosen<typeof FILTERS>, order: Order) => ({
  ...given({ release_on: release, state }),
  order,
});

const OPTIONS = { filters: FILTERS, firstOrder: "asc", file: words.file } as const;

function Own({ business }: ReservedInstallmentsProps) {
  const list = useList("/balance/reserve/installments", {
    ...OPTIONS,
    query: (chosen, order) => ({ business_id: business.id, ...queryOf(chosen, order) }),
    company: business.name,
  });
  return <Installments list={list} />;
}

function OfCompany({ business }: ReservedInstallmentsProps) {
  const list = useList("/admin/balance/reserve/{business_id}/installments", {
    ...OPTIONS,
    path: { business_id: business.id },
    query: queryOf,
    company: business.name,
  });
  return <Installments list={list} />;
}

interface InstallmentsProps {
  list: ReturnType<typeof useList<"/balance/reserve/installments", typeof FILTERS>>;
}

function Installments({ list }: InstallmentsProps) {
  return (
    <DataTable
      name="reservedInstallments"
      label={words.table}
      columns={reservedColumns}
      hiddenAtFirst={HIDDEN_AT_FIRST}
      orderColumn={ORDER_COLUMN}
      orderWords={ORDER_WORDS}
      list={list}
      icon={IconLock}
      words={words}
      rowId={({ sale_id, number }) => `${sale_id} ${number}`}
      rowTarget={saleTarget}
      card={reservedCard}
    />
  );
}
