// One company as staff see it: data, approval, addresses, bank accounts, documents, plans, terminals, users, latest
// sales and audit log.
import { Button, Skeleton } from "@mantine/core";
import { IconBuildingStore } from "@tabler/icons-react";
import { lazy, Suspense, useState } from "react";
import { Link, useLocation, useParams } from "react-router";
import { useMayOpen } from "../../api/access";
import { useApi } from "../../api/hooks";
import type { BusinessDetail } from "../../api/models";
import layout from "../../components/Columns.module.css";
import { type Flash, useFlash } from "../../components/flash";
import { History, useHistoryList } from "../../components/history/History";
import { FailureNotice, Notice } from "../../components/Notice";
import { BackLink, PageHeader } from "../../components/PageHeader";
import { Panel } from "../../components/Panel";
import { ServerMessage } from "../../components/ServerMessage";
import { ApprovalBadge } from "../../components/StatusBadge";
import { taxId } from "../../format/documents";
import { strings } from "../../strings/pt-BR";
import { companiesStrings } from "../../strings/pt-BR.companies";
import { BankAccounts } from "./BankAccounts";
import styles from "./Companies.module.css";
import { Addresses, CompanyFacts, LatestSales, Plans, Terminals, Users } from "./CompanyParts";
import { DecisionButtons } from "./DecisionButtons";

const CompanyModal = lazy(() => import("./CompanyModal"));
const Documents = lazy(() => import("./Documents"));

const words = companiesStrings.company;
const HOME = "/empresas";
const NOT_FOUND = 404;

export default function CompanyPage() {
  const { id = "" } = useParams();
  const flash = useFlash();
  // Data of another company must not appear at this address.
  const company = useApi("/admin/businesses/{id}", { path: { id } }, { keepPrevious: false });
  const { data, error } = company;
  return (
    <>
      <BackLink to={useListAddress()}>{words.back}</BackLink>
      {data && error?.status !== NOT_FOUND ? (
        <Company company={data} flash={flash} />
      ) : error ? (
        <Panel label={words.title}>
          {error.status === NOT_FOUND ? (
            <Notice icon={IconBuildingStore} title={words.missingTitle} heading="h1">
              {words.missing}
            </Notice>
          ) : (
            <FailureNotice failure={error} onRetry={() => void company.mutate()} />
          )}
        </Panel>
      ) : (
        <CompanySkeleton />
      )}
    </>
  );
}

/** The list that opened this page, with its filters. */
function useListAddress(): string {
  const { state } = useLocation() as { state: { list?: unknown } | null };
  return typeof state?.list === "string" && state.list.startsWith("/") ? state.list : HOME;
}

function Company({ company, flash }: { company: BusinessDetail; flash: Flash }) {
  const [edited, setEdited] = useState<BusinessDetail>();
  const seesBalance = useMayOpen("/empresas/:id/saldo");
  const close = () => setEdited(undefined);
  return (
    <>
      <PageHeader
        title={company.name}
        badge={<ApprovalBadge approval={company.approval} />}
        hint={`${strings.businessType[company.type]} · ${taxId(company.document)}`}
        actions={
          <div className={styles.actions}>
            {seesBalance && (
              <Button component={Link} to={`${HOME}/${company.id}/saldo`} variant="default">
                {words.balance}
              </Button>
            )}
            <DecisionButtons company={company} onDone={flash.show} />
          </div>
        }
      />
      <ServerMessage message={flash.text} variant="success" onClose={flash.close} />
      <div className={layout.columns}>
        <div className={layout.column}>
          <CompanyFacts company={company} onEdit={() => setEdited(company)} />
          <Addresses company={company} onDone={flash.show} />
          <BankAccounts company={company} onDone={flash.show} />
          <Suspense fallback={<Skeleton height={240} radius={12} />}>
            <Documents company={company} onDone={flash.show} />
          </Suspense>
          <LatestSales company={company} />
        </div>
        <div className={layout.column}>
          <Plans company={company} onDone={flash.show} />
          <Terminals company={company} />
          <Users company={company} />
          <AuditLog id={company.id} />
        </div>
      </div>
      {edited && (
        <Suspense>
          <CompanyModal
            company={edited}
            onClose={close}
            onDone={() => {
              close();
              flash.show(words.saved);
            }}
          />
        </Suspense>
      )}
    </>
  );
}

function AuditLog({ id }: { id: string }) {
  const list = useHistoryList();
  const { page, perPage } = list;
  const history = useApi(
    "/admin/businesses/{id}/history",
    { path: { id }, query: { page, perPage } },
    { keepPrevious: false },
  );
  return <History subject="company" read={history} list={list} />;
}

function CompanySkeleton() {
  return (
    <>
      <PageHeader title={words.title} hint={<Skeleton height={18} width={220} mt={4} />} />
      <div className={layout.columns} role="status" aria-label={strings.loading}>
        <Skeleton height={420} radius={12} />
        <Skeleton height={420} radius={12} />
      </div>
    </>
  );
}
