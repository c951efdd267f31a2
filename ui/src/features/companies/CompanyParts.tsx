// The parts of a company's page: its data, addresses, plans, terminals, users and latest sales.
import { Anchor, Button } from "@mantine/core";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { Link } from "react-router";
import { useMayOpen } from "../../api/access";
import type { BusinessAddress, BusinessDetail } from "../../api/models";
import { FactList } from "../../components/FactList";
import type { Fact } from "../../components/facts";
import { Instant } from "../../components/Instant";
import { useModals } from "../../components/modals/modals";
import { Panel } from "../../components/Panel";
import { ActiveBadge, StatusBadge } from "../../components/StatusBadge";
import { businessDate } from "../../format/dates";
import { phone, postalCode, taxId } from "../../format/documents";
import { money } from "../../format/money";
import { solutionName } from "../../format/payment";
import { companiesStrings } from "../../strings/pt-BR.companies";
import styles from "./Companies.module.css";

const PlansModal = lazy(() => import("./PlansModal"));

const words = companiesStrings.company;

export function CompanyFacts({ company, onEdit }: { company: BusinessDetail; onEdit: () => void }) {
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

interface PlansProps {
  company: BusinessDetail;
  onDone: (text: string) => void;
}

export function Plans({ company, onDone }: PlansProps) {
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
        <p className={styles.note}>{words.noPlan}</p>
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

export function Terminals({ company }: { company: BusinessDetail }) {
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

export function Users({ company }: { company: BusinessDetail }) {
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

export function LatestSales({ company }: { company: BusinessDetail }) {
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

/** A list, or a sentence if it is empty. */
function Items({ label, none, children }: { label: string; none: string; children: ReactNode[] }) {
  if (children.length === 0) return <p className={styles.note}>{none}</p>;
  return (
    <ul className={styles.items} aria-label={label}>
      {children}
    </ul>
  );
}
