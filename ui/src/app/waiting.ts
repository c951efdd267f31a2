// How many records wait for an action of the user, by the page that lists them. What needs no action counts nowhere.
import { useMayCall } from "../api/access";
import { useApi } from "../api/hooks";
import { panel } from "../api/panel";
import { useSession } from "../api/session";

export type Waiting = ReadonlyMap<string, number>;

/** The same read as that of the page "Valores retidos", so that they share an answer. */
const OPEN_HOLDS = { state: "open", perPage: 100 } as const;
/** Only the number of rows is wanted. */
const COUNT = { perPage: 1 } as const;

function useSellerWaiting(): Waiting {
  const { business } = useSession();
  const mayRead = useMayCall("GET /balance/holds") && business !== undefined;
  const holds = useApi(mayRead ? "/balance/holds" : null, {
    query: { business_id: business?.id ?? "", ...OPEN_HOLDS },
  });
  const asking = holds.data?.data?.filter(({ documents_missing }) => documents_missing?.length > 0);
  return new Map([["/financeiro/valores-retidos", asking?.length ?? 0]]);
}

function useStaffWaiting(): Waiting {
  const mayReadCompanies = useMayCall("GET /admin/businesses");
  const mayReadMessages = useMayCall("GET /admin/contact-messages");
  const work = useApi("/admin/overview").data;
  const companies = useApi(mayReadCompanies ? "/admin/businesses" : null, {
    query: { status: "pending", ...COUNT },
  }).data;
  const messages = useApi(mayReadMessages ? "/admin/contact-messages" : null, {
    query: { state: "new", ...COUNT },
  }).data;
  const counts: readonly [string, number | null | undefined][] = [
    ["/empresas", companies?.meta.total],
    ["/saques", work?.withdrawals_waiting?.count],
    ["/saques/retencoes", (work?.holds_due?.count ?? 0) + (work?.hold_documents_waiting?.count ?? 0)],
    [
      "/ajustes/operacao",
      (work?.adjustments_waiting?.count ?? 0) +
        (work?.payouts_late?.count ?? 0) +
        (work?.refunds_late?.count ?? 0) +
        (work?.emails_late?.count ?? 0) +
        (work?.receivables?.late ?? 0),
    ],
    ["/ajustes/excecoes", work?.exceptions_waiting],
    ["/ajustes/conciliacao", work?.differences_open],
    ["/ajustes/mensagens", messages?.meta.total],
  ];
  return new Map(counts.map(([route, count]) => [route, count ?? 0]));
}

export const useWaiting: () => Waiting = panel === "admin" ? useStaffWaiting : useSellerWaiting;
