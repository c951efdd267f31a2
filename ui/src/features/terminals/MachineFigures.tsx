// The figures of a company's card machines: what was captured today and in the month, by business dates. The home page
// counts the same, also sales that were canceled or disputed later.
import { useApi } from "../../api/hooks";
import { businessNow } from "../../api/serverClock";
import { Figure, Figures } from "../../components/Figure";
import { BUSINESS_ZONE, businessToday, monthStart } from "../../format/dates";
import { money, wholeNumber } from "../../format/money";
import { CARD_MACHINE } from "../../format/solutions";
import { strings } from "../../strings/pt-BR";
import { overviewStrings } from "../../strings/pt-BR.overview";
import { terminalStrings } from "../../strings/pt-BR.terminals";

const words = terminalStrings.machine;
const overview = overviewStrings.overview;

interface MachineFiguresProps {
  businessId: string;
  /** The number of machines; undefined until it is known. */
  machines: number | undefined;
}

export function MachineFigures({ businessId, machines }: MachineFiguresProps) {
  const today = businessToday(businessNow());
  const day = useSales(businessId, today, today);
  const month = useSales(businessId, monthStart(today), today);
  return (
    <Figures label={words.figures}>
      <Figure label={words.today} value={day.gross} note={day.count} sample={words.sales(2, "12")} strong />
      <Figure label={words.month} value={month.gross} note={month.count} sample={words.sales(2, "12")} />
      <Figure label={overview.averageTicket} value={month.average} note={overview.averageTicketHint} />
      <Figure
        label={words.terminals}
        value={machines === undefined ? undefined : wholeNumber(machines)}
        note={words.terminalsNote}
      />
    </Figures>
  );
}

/** The captured sales of a period as texts; a dash if they cannot be read. */
function useSales(businessId: string, start: string, end: string) {
  const { data, error } = useApi("/transactions/totals", {
    query: {
      business_id: businessId,
      solution: CARD_MACHINE,
      by: "captured",
      start,
      end,
      time_zone: BUSINESS_ZONE,
    },
  });
  if (error && !data)
    return { gross: strings.list.none, count: strings.list.none, average: strings.list.none };
  if (!data) return { gross: undefined, count: undefined, average: undefined };
  return {
    gross: money(data.gross),
    count: words.sales(data.count, wholeNumber(data.count)),
    average: data.count === 0 ? strings.list.none : money(Math.round(data.gross / data.count)),
  };
}
