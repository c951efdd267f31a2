// The bank accounts of the seller's company: where withdrawals go.
import { Skeleton } from "@mantine/core";
import { useApi } from "../../api/hooks";
import { useBusiness } from "../../api/session";
import { useFlash } from "../../components/flash";
import { FailureNotice } from "../../components/Notice";
import { PageHeader } from "../../components/PageHeader";
import { Panel } from "../../components/Panel";
import { ServerMessage } from "../../components/ServerMessage";
import { strings } from "../../strings/pt-BR";
import { companiesStrings } from "../../strings/pt-BR.companies";
import { BankAccounts } from "./BankAccounts";
import { detailsOf } from "./ownCompany";

const own = companiesStrings.own;

export default function BankAccountPage() {
  const { id } = useBusiness();
  const flash = useFlash();
  const read = useApi("/business/{businessId}", { path: { businessId: id } }, { keepPrevious: false });
  const company = detailsOf(read.data);
  return (
    <>
      <PageHeader title={own.accountTitle} hint={own.accountHint} />
      <ServerMessage message={flash.text} variant="success" onClose={flash.close} />
      {company ? (
        <BankAccounts company={company} onDone={flash.show} />
      ) : read.error ? (
        <Panel label={own.accountTitle}>
          <FailureNotice failure={read.error} onRetry={() => void read.mutate()} />
        </Panel>
      ) : (
        <div role="status" aria-label={strings.loading}>
          <Skeleton height={220} radius={12} />
        </div>
      )}
    </>
  );
}
