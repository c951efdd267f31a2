// The addresses and reads of the reserve in both panels.
import { useApi } from "../../api/hooks";
import { panel } from "../../api/panel";

/** The id of the reserve among a company's holds. It is the same in every company (`HoldId::RESERVE`). */
export const RESERVE_HOLD = "hld_00000000-0000-0000-0000-000000000003";

export const OWN_RESERVE = `/financeiro/valores-retidos/${RESERVE_HOLD}`;

export const staffReservePath = (business: string) =>
  `/saques/retencoes/${RESERVE_HOLD}?business=${business}`;

/** The reserve of a company: a seller's own, or any for staff. */
export function useReserve(business_id: string) {
  const isStaff = panel === "admin";
  const own = useApi(
    isStaff ? null : "/balance/reserve",
    { query: { business_id } },
    { keepPrevious: false },
  );
  const ofCompany = useApi(
    isStaff ? "/admin/balance/reserve/{business_id}" : null,
    { path: { business_id } },
    { keepPrevious: false },
  );
  return isStaff ? ofCompany : own;
}

/** What new rules change on screen. */
export const RULES_READS = [
  "/admin/businesses/{id}/reserve",
  "/admin/businesses/{id}/history",
  "/admin/balance/reserve/{business_id}",
  "/admin/plans/receiving/{id}/reserve",
  "/admin/plans/receiving/{id}/history",
] as const;
