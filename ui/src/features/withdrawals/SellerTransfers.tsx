// The withdrawals, rentals and adjustments of the seller's company. A withdrawal opens its own page.
import { Skeleton, Stack } from "@mantine/core";
import { lazy, Suspense } from "react";
import { useBusiness, useTimeZone } from "../../api/session";
import { useList } from "../../components/table/useList";
import { withdrawalsStrings } from "../../strings/pt-BR.withdrawals";
import { FILTERS, nameQuery, statusQuery, zonedQuery } from "./filters";
import { Transfers } from "./Transfers";
import { TRANSFERS_ORDER } from "./transferColumns";

const ScheduleCard = lazy(() => import("./schedule/ScheduleCard"));

export default function SellerTransfers() {
  const business = useBusiness();
  const zone = useTimeZone();
  const list = useList("/balance/transfers", {
    filters: FILTERS,
    query: ({ status, period, name }, order) => ({
      business_id: business.id,
      ...statusQuery(status),
      ...zonedQuery(period, zone),
      ...nameQuery(name),
      order,
    }),
    file: withdrawalsStrings.transfers.file,
    company: business.name,
  });
  return (
    <Stack>
      <Suspense fallback={<Skeleton height={150} radius={12} />}>
        <ScheduleCard />
      </Suspense>
      <Transfers name="transfers" list={list} orderColumn={TRANSFERS_ORDER} />
    </Stack>
  );
}
