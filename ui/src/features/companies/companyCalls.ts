// The changes of a company's addresses and bank accounts. Staff and sellers have different calls for them.
import type { Failure } from "../../api/failure";
import { useCommand } from "../../api/hooks";
import { panel } from "../../api/panel";
import type { AccountValues, AddressValues } from "./companyForm";
import { COMPANY_READS } from "./reads";

export interface Change<Arguments extends unknown[]> {
  run: (...values: Arguments) => Promise<unknown>;
  running: boolean;
  failure: Failure | undefined;
  reset: () => void;
}

const isStaff = panel === "admin";

/** `version` is that of the company as it was read. */
export function useSaveAddress(
  companyId: string,
): Change<[version: number, addressId: string | undefined, address: AddressValues]> {
  const add = useCommand("POST /admin/businesses/{id}/addresses", COMPANY_READS);
  const replace = useCommand("PATCH /admin/businesses/{business_id}/addresses/{address_id}", COMPANY_READS);
  const seller = useCommand("PATCH /business/{businessId}", COMPANY_READS);
  return {
    run: (version, id, address) => {
      if (!isStaff) {
        const body = { version, address, ...(id && { address_id: id }) };
        return seller.run({ path: { businessId: companyId }, body });
      }
      const body = { ...address, version };
      return id
        ? replace.run({ path: { business_id: companyId, address_id: id }, body })
        : add.run({ path: { id: companyId }, body });
    },
    running: add.running || replace.running || seller.running,
    failure: add.failure ?? replace.failure ?? seller.failure,
    reset: () => {
      add.reset();
      replace.reset();
      seller.reset();
    },
  };
}

export function useAddBankAccount(companyId: string): Change<[AccountValues]> {
  const staff = useCommand("POST /admin/businesses/{id}/bank-accounts", COMPANY_READS);
  const seller = useCommand("POST /business/{businessId}/bank-accounts", COMPANY_READS);
  const run = (account: AccountValues) =>
    isStaff
      ? staff.run({ path: { id: companyId }, body: account })
      : seller.run({ path: { businessId: companyId }, body: account });
  return isStaff ? { ...staff, run } : { ...seller, run };
}

export function useSetDefaultBankAccount(companyId: string): Change<[accountId: string]> {
  const staff = useCommand("POST /admin/businesses/{id}/bank-accounts/{account_id}/default", COMPANY_READS);
  const seller = useCommand("POST /business/{businessId}/bank-accounts/{account_id}/default", COMPANY_READS);
  const run = (account_id: string) =>
    isStaff
      ? staff.run({ path: { id: companyId, account_id } })
      : seller.run({ path: { businessId: companyId, account_id } });
  return isStaff ? { ...staff, run } : { ...seller, run };
}

export function useRemoveBankAccount(companyId: string): Change<[accountId: string]> {
  const staff = useCommand("DELETE /admin/businesses/{id}/bank-accounts/{account_id}", COMPANY_READS);
  const seller = useCommand("DELETE /business/{businessId}/bank-accounts/{account_id}", COMPANY_READS);
  const run = (account_id: string) =>
    isStaff
      ? staff.run({ path: { id: companyId, account_id } })
      : seller.run({ path: { businessId: companyId, account_id } });
  return isStaff ? { ...staff, run } : { ...seller, run };
}
