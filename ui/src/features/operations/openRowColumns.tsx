// The columns that the lists of late payouts, refunds, charges and e-mails have in common.
import type { OpenRow } from "../../api/models";
import { Instant } from "../../components/Instant";
import { columnsFor } from "../../components/table/columns";
import { wholeNumber } from "../../format/money";
import { operationsStrings as words } from "../../strings/pt-BR.operations";

const titles = words.columns;

export const openRowColumns = <Row extends OpenRow>() => {
  const column = columnsFor<Row>();
  return [
    column.shown("since", titles.since, (row) => <Instant at={row.created_at} />),
    column.shown("tries", titles.tries, (row) => wholeNumber(row.tries), { align: "end" }),
    column.shown("error", titles.error, (row) => row.last_error ?? words.noError),
    column.shown("nextTry", titles.nextTry, (row) =>
      row.next_try_at ? <Instant at={row.next_try_at} /> : words.noTry,
    ),
  ];
};
