// What a seller can do about a withdrawal: when it was paid and is not in the account, or when it was not paid.
import { Anchor } from "@mantine/core";
import { Link } from "react-router";
import { useMayOpen } from "../../../api/access";
import type { Transfer } from "../../../api/models";
import { Panel } from "../../../components/Panel";
import shared from "../../../components/Shared.module.css";
import { withdrawalsStrings } from "../../../strings/pt-BR.withdrawals";
import { isReturned } from "../actions";
import { APPROVED, FAILED, REFUSED } from "../transferCodes";
import styles from "./WithdrawalPage.module.css";

const words = withdrawalsStrings.page.whatNow;

const ACCOUNTS = "/configuracoes/conta-bancaria";
const CONTACT = "/fale-com-a-gente";

function textsOf(transfer: Transfer): { title: string; text: string; accounts: boolean } | undefined {
  if (isReturned(transfer)) return { ...words.returned, accounts: true };
  switch (transfer.status) {
    case APPROVED:
      return { ...words.paid, accounts: false };
    case FAILED:
      return { ...words.failed, accounts: true };
    case REFUSED:
      // Whoever canceled it knows why.
      return transfer.updated_by?.kind === "seller" ? undefined : { ...words.refused, accounts: false };
    default:
      return undefined;
  }
}

export function WhatNow({ transfer }: { transfer: Transfer }) {
  const [mayOpenAccounts, mayWrite] = [useMayOpen(ACCOUNTS), useMayOpen(CONTACT)];
  const texts = textsOf(transfer);
  if (!texts) return null;
  return (
    <Panel title={texts.title}>
      <p className={styles.whatNow}>{texts.text}</p>
      <div className={shared.actions}>
        {texts.accounts && mayOpenAccounts && (
          <Anchor component={Link} to={ACCOUNTS}>
            {words.accounts}
          </Anchor>
        )}
        {mayWrite && (
          <Anchor component={Link} to={CONTACT}>
            {words.contact}
          </Anchor>
        )}
      </div>
    </Panel>
  );
}
