// The addresses of a company.
import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import type { BusinessAddress, BusinessDetail } from "../../api/models";
import { useModals } from "../../components/modals/modals";
import { Panel } from "../../components/Panel";
import shared from "../../components/Shared.module.css";
import { postalCode } from "../../format/documents";
import { companiesStrings } from "../../strings/pt-BR.companies";
import styles from "./Companies.module.css";

const words = companiesStrings.company;

interface AddressesProps {
  company: Pick<BusinessDetail, "id" | "version" | "addresses">;
  onDone: (text: string) => void;
}

export function Addresses({ company, onDone }: AddressesProps) {
  const modals = useModals();
  const open = (address?: BusinessAddress) =>
    modals.open(
      "ADDRESS_EDIT",
      { businessId: company.id, version: company.version, ...(address && { address }) },
      { onConfirm: () => onDone(words.addressSaved) },
    );
  return (
    <Panel
      title={words.addresses}
      action={
        <Button variant="default" size="sm" onClick={() => open()}>
          {words.addAddress}
        </Button>
      }
    >
      <Items label={words.addresses} none={words.noAddress}>
        {company.addresses.map((address) => (
          <li key={address.id}>
            <div className={styles.text}>
              {[address.address, address.number, address.complement].filter(Boolean).join(", ")}
              <span className={styles.small}>
                {`${address.neighborhood} · ${address.city}/${address.state} · ${postalCode(address.postal_code)}`}
              </span>
            </div>
            <Button variant="default" size="xs" onClick={() => open(address)}>
              {words.editAddress}
            </Button>
          </li>
        ))}
      </Items>
    </Panel>
  );
}

/** A list, or a sentence if it is empty. */
export function Items({ label, none, children }: { label: string; none: string; children: ReactNode[] }) {
  if (children.length === 0) return <p className={shared.hint}>{none}</p>;
  return (
    <ul className={styles.items} aria-label={label}>
      {children}
    </ul>
  );
}
