// The seller's payment links: the list, a button to create one, and the actions on each.
import { Button } from "@mantine/core";
import {
  IconCalculator,
  IconCopy,
  IconLink,
  IconLinkPlus,
  IconPlayerPause,
  IconPlayerPlay,
  IconQrcode,
  IconReceipt,
  IconReceiptTax,
} from "@tabler/icons-react";
import { lazy, Suspense, useState } from "react";
import { Link, useNavigate } from "react-router";
import { screenTitle } from "../../api/access";
import type { PaymentLink } from "../../api/models";
import { useBusiness, useTimeZone } from "../../api/session";
import { useFlash } from "../../components/flash";
import { PageHeader } from "../../components/PageHeader";
import { ServerMessage } from "../../components/ServerMessage";
import { Shortcuts } from "../../components/Shortcuts";
import { DataTable } from "../../components/table/DataTable";
import { RowActions } from "../../components/table/RowActions";
import { useList } from "../../components/table/useList";
import { linksStrings } from "../../strings/pt-BR.links";
import { AMOUNT_COLUMN, CREATED_COLUMN, HIDDEN_AT_FIRST, linkCard, linkColumns, linkTarget } from "./columns";
import { FILTERS, linkQuery } from "./filters";
import { publicAddress } from "./linkText";
import { copyText } from "./useCopy";
import { useToggleLink } from "./useToggleLink";

const ShareModal = lazy(() => import("./ShareModal"));

const words = linksStrings.list;
const cards = linksStrings.shortcuts;

const SHORTCUTS = [
  { route: "/links-de-pagamento/vendas", icon: IconReceipt, text: cards["/links-de-pagamento/vendas"] },
  {
    route: "/links-de-pagamento/calculadora",
    icon: IconCalculator,
    text: cards["/links-de-pagamento/calculadora"],
  },
  { route: "/links-de-pagamento/taxas", icon: IconReceiptTax, text: cards["/links-de-pagamento/taxas"] },
];

export default function LinksPage() {
  const business = useBusiness();
  const zone = useTimeZone();
  const list = useList("/payment-link", {
    filters: FILTERS,
    query: (chosen, order) => ({ ...linkQuery(chosen, zone), business_id: business.id, order }),
    file: words.file,
    company: business.name,
  });
  const flash = useFlash();
  const [failed, setFailed] = useState<string>();
  const [shared, setShared] = useState<PaymentLink>();
  const { sort } = list.chosen;
  return (
    <>
      <PageHeader
        title={screenTitle("/links-de-pagamento")}
        hint={words.hint}
        actions={
          <Button
            component={Link}
            to="/links-de-pagamento/novo"
            leftSection={<IconLinkPlus size={18} aria-hidden />}
          >
            {words.create}
          </Button>
        }
      />
      <ServerMessage message={flash.text} variant="success" onClose={flash.close} />
      <ServerMessage message={failed} onClose={() => setFailed(undefined)} />
      <Shortcuts label={cards.label} shortcuts={SHORTCUTS} />
      <DataTable
        key={sort}
        name={`links-by-${sort}`}
        label={words.table}
        columns={linkColumns[sort]}
        hiddenAtFirst={HIDDEN_AT_FIRST}
        orderColumn={sort === "amount" ? AMOUNT_COLUMN : CREATED_COLUMN}
        {...(sort === "amount" && { orderWords: words.byAmount })}
        list={list}
        icon={IconLink}
        words={words}
        rowId={({ id }) => id}
        rowTarget={linkTarget}
        card={linkCard}
        rowActions={(link) => (
          <Actions link={link} onShare={setShared} onDone={flash.show} onFailure={setFailed} />
        )}
      />
      <Suspense>{shared && <ShareModal link={shared} onClose={() => setShared(undefined)} />}</Suspense>
    </>
  );
}

interface ActionsProps {
  link: PaymentLink;
  onShare: (link: PaymentLink) => void;
  onDone: (message: string) => void;
  onFailure: (message: string) => void;
}

function Actions({ link, onShare, onDone, onFailure }: ActionsProps) {
  const navigate = useNavigate();
  const toggle = useToggleLink(onDone, onFailure);
  const actions = linksStrings.actions;
  const copy = () => void copyText(publicAddress(link.code, window.location.origin)).then(onDone);
  return (
    <RowActions
      row={link.description}
      actions={[
        { label: actions.copy, icon: IconCopy, run: copy },
        { label: actions.share, icon: IconQrcode, run: () => onShare(link) },
        {
          label: link.active ? actions.disable : actions.enable,
          icon: link.active ? IconPlayerPause : IconPlayerPlay,
          run: () => void toggle.run(link),
        },
        {
          label: actions.seeSales,
          icon: IconReceipt,
          run: () => navigate(`/links-de-pagamento/vendas?link=${link.code}`),
        },
      ]}
    />
  );
}
