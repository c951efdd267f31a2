// One company as staff see it: data, approval, addresses, bank accounts, documents, plans, reserve, terminals, users,
// latest sales and audit log.
import { Anchor, Button, Skeleton } from "@mantine/core";
import { IconBuildingStore } from "@tabler/icons-react";
import { lazy, Suspense, useState } from "react";
import { Link, useParams } from "react-router";
import { useMayCall, useMayOpen } from "../../api/access";
import { useApi } from "../../api/hooks";
import type { BusinessDetail } from "../../api/models";
import layout from "../../components/Columns.module.css";
import { FactList } from "../../components/FactList";
import type { Fact } from "../../components/facts";
import { type Flash, useFlash } from "../../components/flash";
import { History, useHistory } from "../../components/history/History";
import { Instant } from "../../components/Instant";
import { FailureNotice, Notice } from "../../components/Notice";
import { BackLink, PageHeader } from "../../components/PageHeader";
import { Panel } from "../../components/Panel";
import { ServerMessage } from "../../components/ServerMessage";
import shared from "../../components/Shared.module.css";
import { ActiveBadge, ApprovalBadge, StatusBadge } from "../../components/StatusBadge";
import { businessDate } from "../../format/dates";
import { taxId } from "../../format/documents";
import { money } from "../../format/money";
import { solutionName } from "../../format/payment";
import { phone } from "../../format/phone";
import { strings } from "../../strings/pt-BR";
import { companiesStrings } from "../../strings/pt-BR.companies";
import { Addresses, Items } from "./Addresses";
import { BankAccounts } from "./BankAccounts";
import styles from "./Companies.module.css";
import { DecisionButtons } from "./DecisionButtons";
import { LastDecision, PendingApproval } from "./Decisions";

const CompanyModal = lazy(() => import("./CompanyModal"));
const PlansModal = lazy(() => import("./PlansModal"));
const Documents = lazy(() => import("./Documents"));
const ReservePanel = lazy(() => import("../reserves/ReservePanel"));

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
      <BackLink to={HOME} />
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

function Company({ company, flash }: { company: BusinessDetail; flash: Flash }) {
  const [edited, setEdited] = useState<BusinessDetail>();
  const seesBalance = useMayOpen("/empresas/:id/saldo");
  const setsReserve = useMayCall("POST /admin/businesses/{id}/reserve");
  const close = () => setEdited(undefined);
  return (
    <>
      <PageHeader
        title={company.name}
        badge={<ApprovalBadge approval={company.approval} />}
        hint={`${strings.businessType[company.type]} · ${taxId(company.document)}`}
        actions={
          <div className={shared.actions}>
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
          {company.pending_decision && (
            <PendingApproval company={company} request={company.pending_decision} onDone={flash.show} />
          )}
          {company.decision && <LastDecision decision={company.decision} />}
          <Plans company={company} onDone={flash.show} />
          {setsReserve && (
            <Suspense fallback={<Skeleton height={180} radius={12} />}>
              <ReservePanel company={company} onDone={flash.show} />
            </Suspense>
          )}
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

function CompanyFacts({ company, onEdit }: { company: BusinessDetail; onEdit: () => void }) {
  const { type } = company;
  const ofType: Fact[] =
    type === "PF"
      ? [[words.birthDate, company.birth_date ? businessDate(company.birth_date) : words.none]]
      : [
          [words.representative, company.representative_name ?? words.none],
          [
            words.representativeDocument,
            company.representative_document ? taxId(company.representative_document) : words.none,
          ],
        ];
  const facts: Fact[] = [
    [words.name[type], company.name],
    [words.tradeName, company.trade_name ?? words.none],
    [words.document[type], taxId(company.document)],
    [words.descriptor, company.statement_descriptor ?? words.none],
    [words.email, company.email ?? words.none],
    [words.phone, company.phone ? phone(company.phone) : words.none],
    [words.mcc, company.mcc ?? words.none],
    ...ofType,
    [words.receivingPlan, company.receiving_plan.description],
    [words.createdAt, <Instant key="created" at={company.created_at} />],
  ];
  return (
    <Panel
      title={words.facts}
      action={
        <Button variant="default" size="sm" onClick={onEdit}>
          {words.edit}
        </Button>
      }
    >
      <FactList facts={facts} variant="ruled" />
    </Panel>
  );
}

interface PlansProps {
  company: BusinessDetail;
  onDone: (text: string) => void;
}

function Plans({ company, onDone }: PlansProps) {
  const [changing, setChanging] = useState(false);
  const facts = company.plans.map(
    (plan): Fact => [
      solutionName(plan.solution_id),
      plan.is_default ? `${plan.description} (${words.defaultPlan})` : plan.description,
    ],
  );
  return (
    <Panel
      title={words.plans}
      action={
        <Button variant="default" size="sm" onClick={() => setChanging(true)}>
          {companiesStrings.plans.change}
        </Button>
      }
    >
      {facts.length === 0 ? (
        <p className={shared.hint}>{words.noPlan}</p>
      ) : (
        <FactList facts={facts} variant="ruled" />
      )}
      {changing && (
        <Suspense>
          <PlansModal
            company={company}
            onClose={() => setChanging(false)}
            onDone={(message) => {
              setChanging(false);
              onDone(message);
            }}
          />
        </Suspense>
      )}
    </Panel>
  );
}

function Terminals({ company }: { company: BusinessDetail }) {
  return (
    <Panel title={words.terminals}>
      <Items label={words.terminals} none={words.noTerminal}>
        {company.terminals.map((terminal) => (
          <li key={terminal.id}>
            <span>{terminal.serial_number}</span>
            <span className={styles.text}>{terminal.name ?? words.none}</span>
          </li>
        ))}
      </Items>
    </Panel>
  );
}

function Users({ company }: { company: BusinessDetail }) {
  return (
    <Panel title={words.users}>
      <Items label={words.users} none={words.noUser}>
        {company.users.map((user) => (
          <li key={user.id}>
            <div className={styles.text}>
              <Anchor component={Link} to={`/usuarios/${user.id}`} inherit underline="always">
                {user.name}
              </Anchor>
              <span className={styles.small}>{`${words.roles[user.role]} · ${user.email}`}</span>
            </div>
            <ActiveBadge active={user.active} />
          </li>
        ))}
      </Items>
    </Panel>
  );
}

function LatestSales({ company }: { company: BusinessDetail }) {
  const opens = useMayOpen("/vendas/:id");
  return (
    <Panel title={words.sales}>
      <Items label={words.sales} none={words.noSale}>
        {company.latest_sales.map((sale) => (
          <li key={sale.id}>
            <div className={styles.text}>
              {opens ? (
                <Anchor component={Link} to={`/vendas/${sale.id}`} inherit underline="always">
                  {money(sale.amount)}
                </Anchor>
              ) : (
                money(sale.amount)
              )}
              <span className={styles.small}>
                <Instant at={sale.occurred_at} />
              </span>
            </div>
            <StatusBadge status={sale.status} />
          </li>
        ))}
      </Items>
    </Panel>
  );
}

function AuditLog({ id }: { id: string }) {
  const list = useHistory("/admin/businesses/{id}/history", { path: { id }, keepPrevious: false });
  return <History subject="company" list={list} />;
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
