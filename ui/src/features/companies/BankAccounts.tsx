// The bank accounts of a company: the default one first, with the actions on each.
import { Button } from "@mantine/core";
import { useState } from "react";
import type { BusinessBankAccount, BusinessDetail } from "../../api/models";
import { ConfirmModal } from "../../components/forms/ConfirmModal";
import { useModals } from "../../components/modals/modals";
import { Panel } from "../../components/Panel";
import shared from "../../components/Shared.module.css";
import { accountTypeText } from "../../format/business";
import { companiesStrings } from "../../strings/pt-BR.companies";
import styles from "./Companies.module.css";
import { useRemoveBankAccount, useSetDefaultBankAccount } from "./companyCalls";

const words = companiesStrings.company;

interface BankAccountsProps {
  company: Pick<BusinessDetail, "id" | "name" | "document" | "type" | "bank_accounts">;
  onDone: (message: string) => void;
}

export function BankAccounts({ company, onDone }: BankAccountsProps) {
  const modals = useModals();
  const setDefault = useSetDefaultBankAccount(company.id);
  const remove = useRemoveBankAccount(company.id);
  const [question, setQuestion] = useState<{ what: "setDefault" | "remove"; account: BusinessBankAccount }>();
  const close = () => {
    setDefault.reset();
    remove.reset();
    setQuestion(undefined);
  };
  const add = () =>
    modals.open("ADD_BANK_ACCOUNT", { business: company }, { onConfirm: () => onDone(words.accountAdded) });
  const removes = question?.what === "remove";
  return (
    <Panel
      title={words.accounts}
      action={
        <Button variant="default" size="sm" onClick={add}>
          {words.addAccount}
        </Button>
      }
    >
      {company.bank_accounts.length === 0 && <p className={shared.hint}>{words.noAccount}</p>}
      <ul className={styles.items} aria-label={words.accounts}>
        {company.bank_accounts.map((account) => (
          <li key={account.id}>
            <AccountText account={account} />
            <div className={shared.actions}>
              {!account.is_default && (
                <Button
                  variant="default"
                  size="xs"
                  onClick={() => setQuestion({ what: "setDefault", account })}
                >
                  {words.makeDefault}
                </Button>
              )}
              <Button variant="default" size="xs" onClick={() => setQuestion({ what: "remove", account })}>
                {words.removeAccount}
              </Button>
            </div>
          </li>
        ))}
      </ul>
      {question && (
        <ConfirmModal
          title={removes ? words.removeAccountTitle : words.makeDefault}
          effects={[accountText(question.account), words.requestedWithdrawalsHint]}
          submitLabel={removes ? words.removeAccount : words.makeDefault}
          danger={removes}
          command={removes ? remove : setDefault}
          run={() => (removes ? remove : setDefault).run(question.account.id)}
          onDone={() => {
            onDone(removes ? words.accountRemoved : words.accountChosen);
            close();
          }}
          onClose={close}
        />
      )}
    </Panel>
  );
}

function AccountText({ account }: { account: BusinessBankAccount }) {
  return (
    <div className={styles.text}>
      {account.bank_name}
      {account.is_default && ` · ${words.isDefault}`}
      <span className={styles.small}>{accountText(account)}</span>
    </div>
  );
}

export function accountText(account: BusinessBankAccount): string {
  const { routing_number, routing_digit, account_number, account_digit } = account;
  const branch = routing_digit ? `${routing_number}-${routing_digit}` : routing_number;
  const number = `${account_number}-${account_digit}`;
  return `${accountTypeText(account.type)} · ${words.branchAndAccount(branch, number)}`;
}
