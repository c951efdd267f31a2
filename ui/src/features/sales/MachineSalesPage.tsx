// The sales of the seller's card machines, of all or of the one that the user chooses.
import { useApi } from "../../api/hooks";
import { useBusiness } from "../../api/session";
import { BackLink } from "../../components/PageHeader";
import { TerminalSelect } from "../../components/TerminalSelect";
import { useList, useListState } from "../../components/table/listState";
import { terminalStrings } from "../../strings/pt-BR.terminals";
import { machineSaleColumns, saleCard } from "./columns";
import { useSaleFilters } from "./filters";
import { SalesScreen } from "./SalesScreen";

const words = terminalStrings.machineSales;
/** All sales here have the same solution. */
const HIDDEN_AT_FIRST = ["solution", "capturedAt"] as const;
const CARD_MACHINE = 1;

export default function MachineSalesPage() {
  const business = useBusiness();
  const filters = useSaleFilters();
  const list = useListState();
  const query = { ...filters.query, business_id: business.id, solution: CARD_MACHINE };
  const { read, download } = useList(
    "/transactions",
    { query: { ...query, order: list.order } },
    list,
    words.file,
    business.name,
  );
  return (
    <>
      <BackLink to="/maquininha">{terminalStrings.machine.title}</BackLink>
      <SalesScreen
        name="machine-sales"
        title={words.title}
        hint={words.hint}
        folder="/maquininha/vendas"
        sales={read}
        totals={useApi("/transactions/totals", { query })}
        columns={machineSaleColumns}
        hiddenAtFirst={HIDDEN_AT_FIRST}
        card={saleCard}
        list={list}
        filters={filters}
        oneSolution
        firstFilter={
          <TerminalSelect
            businessId={business.id}
            value={filters.terminal}
            onChange={(terminal) => filters.change({ terminal })}
          />
        }
        download={download}
      />
    </>
  );
}
