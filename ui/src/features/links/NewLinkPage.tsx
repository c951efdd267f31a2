// Creates a payment link, and then opens the link's page, where the seller shares it.
import { IconHourglass } from "@tabler/icons-react";
import { useNavigate } from "react-router";
import { screenTitle } from "../../api/access";
import { useCommand } from "../../api/hooks";
import { useIdempotencyKey } from "../../api/idempotency";
import { useBusiness } from "../../api/session";
import { flashState } from "../../components/flash";
import { Notice } from "../../components/Notice";
import { BackLink, PageHeader } from "../../components/PageHeader";
import { Panel } from "../../components/Panel";
import { waitingText } from "../../format/waiting";
import { linksStrings } from "../../strings/pt-BR.links";
import { waitingStrings } from "../../strings/pt-BR.waiting";
import { LinkForm } from "./LinkForm";
import { bodyOf, type LinkValues } from "./linkValues";

export default function NewLinkPage() {
  const business = useBusiness();
  // The gateway would refuse the link of such a company after the form is filled.
  const waiting = waitingText(business);
  const navigate = useNavigate();
  const keyFor = useIdempotencyKey();
  const create = useCommand("POST /payment-link", { refreshes: ["/payment-link"] });
  const submit = async (values: LinkValues) => {
    const body = bodyOf(values);
    const query = { business_id: business.id };
    const header = { "Idempotency-Key": keyFor({ ...query, ...body }) };
    const made = await create.run({ body, query, header }).catch(() => undefined);
    if (made) navigate(`/links-de-pagamento/${made.id}`, { state: flashState(linksStrings.created) });
    return false;
  };
  return (
    <>
      <BackLink to="/links-de-pagamento" />
      <PageHeader title={screenTitle("/links-de-pagamento/novo")} hint={linksStrings.form.newHint} />
      {waiting ? (
        <Panel label={screenTitle("/links-de-pagamento/novo")}>
          <Notice icon={IconHourglass} title={waitingStrings.linkTitle} heading="h2">
            {waiting}
          </Notice>
        </Panel>
      ) : (
        <LinkForm save={create} onSubmit={submit} />
      )}
    </>
  );
}
