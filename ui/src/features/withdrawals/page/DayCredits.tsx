// The credits of a day of a withdrawal, page by page: each page is read when the one before it asks for more.

import type { ReactNode } from "react";
import { useState } from "react";
import type { Failure } from "../../../api/failure";
import { useApi } from "../../../api/hooks";
import type { Transfer, TransferComposition } from "../../../api/models";
import { type PanelName, panel } from "../../../api/panel";

const PATHS = {
  seller: "/balance/transfers/{transfer_id}/composition",
  admin: "/admin/balance/transfers/{transfer_id}/composition",
} as const satisfies Record<PanelName, unknown>;

const ROWS = 50;

/** The transfer in a call. Staff name no company: they read the transfers of all. */
export const paramsOf = ({ id, business_id }: Transfer) => ({
  path: { transfer_id: id },
  query: { ...(panel === "seller" && { business_id }) },
});

export interface CreditsPage {
  data: TransferComposition | undefined;
  error: Failure | undefined;
  retry: () => void;
  /** Shows the next page; undefined on the last page, and where the next page is shown already. */
  more: (() => void) | undefined;
}

interface DayCreditsProps {
  transfer: Transfer;
  day: string;
  children: (page: CreditsPage) => ReactNode;
}

export function DayCredits({ transfer, day, children }: DayCreditsProps) {
  // The cursors of the pages that are shown.
  const [cursors, setCursors] = useState<readonly (string | undefined)[]>([undefined]);
  return cursors.map((next, index) => (
    <Page
      key={next ?? ""}
      transfer={transfer}
      day={day}
      next={next}
      onMore={index === cursors.length - 1 ? (cursor) => setCursors([...cursors, cursor]) : undefined}
    >
      {children}
    </Page>
  ));
}

interface PageProps {
  transfer: Transfer;
  day: string;
  next: string | undefined;
  onMore: ((cursor: string) => void) | undefined;
  children: (page: CreditsPage) => ReactNode;
}

function Page({ transfer, day, next, onMore, children }: PageProps) {
  const { path, query: of } = paramsOf(transfer);
  const query = { ...of, perPage: ROWS, day, ...(next && { next }) };
  const read = useApi(PATHS[panel], { path, query }, { keepPrevious: false });
  const cursor = read.data?.meta.next;
  return children({
    data: read.data,
    error: read.error,
    retry: () => void read.mutate(),
    more: cursor && onMore ? () => onMore(cursor) : undefined,
  });
}
