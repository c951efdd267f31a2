// The debts of the seller's company.
import { useApi } from "../../api/hooks";
import { debtsStrings as words } from "../../strings/pt-BR.debts";
import { DebtPanel } from "./DebtPanel";

export default function SellerDebts({ businessId }: { businessId: string }) {
  const debts = useApi("/balance/debts", { query: { business_id: businessId } });
  return debts.data ? <DebtPanel debts={debts.data} hint={words.sellerHint} /> : null;
}
