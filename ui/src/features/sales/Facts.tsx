// The facts of a sale besides its amounts: payment, origin, plan.
import type { SaleDetail } from "../../api/models";
import { panel } from "../../api/panel";
import { BoletoLink, hasBoleto } from "../../components/BoletoLink";
import { CardBrand } from "../../components/CardBrand";
import { FactList } from "../../components/FactList";
import type { Fact } from "../../components/facts";
import { Instant } from "../../components/Instant";
import { Panel } from "../../components/Panel";
import { installmentsText, paymentText, providerName, solutionName } from "../../format/payment";
import { paymentStrings } from "../../strings/pt-BR.payment";
import { salesStrings } from "../../strings/pt-BR.sales";
import { nameFacts } from "./paymentNames";

const words = salesStrings.sale;

interface FactsProps {
  sale: SaleDetail;
  /** Facts that only one panel knows; they come first. */
  first?: readonly Fact[] | undefined;
}

/** Staff also see the plan's version. */
const planText = ({ name, version }: NonNullable<SaleDetail["plan"]>) =>
  panel === "admin" ? words.planVersion(name, version) : name;

export function Facts({ sale, first = [] }: FactsProps) {
  const { card_brand, card_last_four, installments } = sale.payment_method;
  // Only staff's answer says who named the brand. Nothing is shown if the acquirer has told it.
  const brandSource = "card_brand_source" in sale && sale.card_brand_source === "buyer" && words.brandByBuyer;
  const facts: Fact[] = [
    ...first,
    [words.payment, paymentText(sale.payment_type, installments)],
    [words.installments, sale.payment_type === "credit" ? installmentsText(installments) : null],
    [words.brand, card_brand && <CardBrand key="brand" brand={card_brand} />],
    [words.brandSource, brandSource],
    [words.card, card_last_four && paymentStrings.payment.endingIn(card_last_four)],
    [words.solution, solutionName(sale.solution)],
    [words.terminal, sale.terminal?.serial_number],
    [words.link, sale.payment_link_code],
    [paymentStrings.payment.types.boleto, hasBoleto(sale) && <BoletoLink key="boleto" sale={sale} />],
    [words.provider, providerName(sale.provider)],
    [words.plan, sale.plan && planText(sale.plan)],
    [words.authorization, sale.authorization_code],
    [words.capturedAt, sale.captured_at && <Instant key="captured" at={sale.captured_at} />],
    // Left out if it is the sale's own id, as for the sale of a link.
    [words.externalId, sale.external_id !== sale.id && sale.external_id],
    ...nameFacts(sale.names),
    // Sellers quote the short code in the page's title instead.
    [words.id, panel === "admin" && sale.id],
  ];
  return (
    <Panel title={words.facts}>
      <FactList facts={facts} variant="ruled" />
    </Panel>
  );
}
