// What is known of a sale besides its money: how it was paid, where it came from, under which plan.
import type { ReactNode } from "react";
import type { SaleDetail } from "../../api/models";
import { panel } from "../../api/panel";
import { BrandMark } from "../../components/BrandMark";
import { Instant } from "../../components/Instant";
import { Panel } from "../../components/Panel";
import { installmentsText, paymentText, providerName, solutionName } from "../../format/payment";
import { strings } from "../../strings/pt-BR";
import styles from "./SalePage.module.css";

const words = strings.sale;

interface FactsProps {
  sale: SaleDetail;
  /** What only one panel knows of it, above the rest. */
  first?: readonly Fact[] | undefined;
}

export type Fact = readonly [label: string, value: ReactNode];

/** The version is for staff. */
const planText = ({ name, version }: NonNullable<SaleDetail["plan"]>) =>
  panel === "admin" ? words.planVersion(name, version) : name;

export function Facts({ sale, first = [] }: FactsProps) {
  const { card_brand, card_last_four, installments } = sale.payment_method;
  const facts: Fact[] = [
    ...first,
    [words.payment, paymentText(sale.payment_type, installments)],
    [words.installments, sale.payment_type === "credit" ? installmentsText(installments) : null],
    [words.brand, card_brand && <BrandMark key="brand" brand={card_brand} />],
    [words.card, card_last_four && strings.payment.endingIn(card_last_four)],
    [words.solution, solutionName(sale.solution)],
    [words.terminal, sale.terminal?.serial_number],
    [words.link, sale.payment_link_code],
    [words.provider, providerName(sale.provider)],
    [words.plan, sale.plan && planText(sale.plan)],
    [words.authorization, sale.authorization_code],
    [words.capturedAt, sale.captured_at && <Instant key="captured" at={sale.captured_at} />],
    [words.externalId, sale.external_id],
    // A seller quotes the short code of the title.
    [words.id, panel === "admin" && sale.id],
  ];
  return (
    <Panel title={words.facts}>
      <dl className={styles.facts}>
        {facts
          .filter(([, value]) => value)
          .map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
    </Panel>
  );
}
