// One payment link: how to share it, its figures, its data, the form that edits it, and its latest sales.
import { Button, Skeleton } from "@mantine/core";
import {
  IconAlertTriangle,
  IconLinkOff,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
} from "@tabler/icons-react";
import { useMemo, useState } from "react";
import { useParams } from "react-router";
import { screenTitle } from "../../api/access";
import { succeeds } from "../../api/failure";
import { useApi, useCommand } from "../../api/hooks";
import type { PaymentLinkDetail } from "../../api/models";
import { useBusiness } from "../../api/session";
import layout from "../../components/Columns.module.css";
import { FactList } from "../../components/FactList";
import { Figure, Figures } from "../../components/Figure";
import { useFlash } from "../../components/flash";
import { MergeNotice } from "../../components/forms/MergeNotice";
import type { Form } from "../../components/forms/useValidatedForm";
import { Instant } from "../../components/Instant";
import { FailureNotice, Notice } from "../../components/Notice";
import { BackLink, PageHeader } from "../../components/PageHeader";
import { Panel } from "../../components/Panel";
import { ServerMessage } from "../../components/ServerMessage";
import shared from "../../components/Shared.module.css";
import { money, percent, wholeNumber } from "../../format/money";
import { strings } from "../../strings/pt-BR";
import { linksStrings } from "../../strings/pt-BR.links";
import { LinkForm } from "./LinkForm";
import { LinkSales } from "./LinkSales";
import { LinkStatusBadge } from "./LinkStatusBadge";
import styles from "./Links.module.css";
import { amountText, expiryText, paymentTypesText, usesText } from "./linkText";
import { linkTexts } from "./linkTexts";
import { bodyOf, type LinkValues, valuesOf } from "./linkValues";
import { ShareBox } from "./ShareBox";
import { LINK_READS, useToggleLink } from "./useToggleLink";

const words = linksStrings.detail;
const NOT_FOUND = 404;
const CONFLICT = 409;

export default function LinkPage() {
  const { id = "" } = useParams();
  const business = useBusiness();
  const place = { path: { id }, query: { business_id: business.id } };
  const read = useApi("/payment-link/{id}", place, { keepPrevious: false });
  return (
    <>
      <BackLink to="/links-de-pagamento" />
      {read.data ? (
        <LinkDetail link={read.data} />
      ) : read.error ? (
        <Panel label={screenTitle("/links-de-pagamento/:id")}>
          {read.error.status === NOT_FOUND ? (
            <Notice icon={IconLinkOff} title={words.missingTitle} heading="h1">
              {words.missing}
            </Notice>
          ) : (
            <FailureNotice failure={read.error} onRetry={() => void read.mutate()} />
          )}
        </Panel>
      ) : (
        <LinkSkeleton />
      )}
    </>
  );
}

function LinkDetail({ link }: { link: PaymentLinkDetail }) {
  const flash = useFlash();
  const [failed, setFailed] = useState<string>();
  const [editing, setEditing] = useState(false);
  const toggle = useToggleLink(flash.show, setFailed);
  const actions = linksStrings.actions;
  const buttons = !editing && (
    <div className={shared.actions}>
      <Button
        variant="default"
        leftSection={<IconPencil size={17} aria-hidden />}
        onClick={() => setEditing(true)}
      >
        {actions.edit}
      </Button>
      <Button
        variant="default"
        loading={toggle.running}
        leftSection={
          link.active ? <IconPlayerPause size={17} aria-hidden /> : <IconPlayerPlay size={17} aria-hidden />
        }
        onClick={() => void toggle.run(link)}
      >
        {link.active ? actions.disable : actions.enable}
      </Button>
    </div>
  );
  return (
    <>
      <PageHeader
        title={link.description}
        badge={<LinkStatusBadge status={link.status} />}
        hint={amountText(link)}
        actions={buttons}
      />
      <ServerMessage message={flash.text} variant="success" onClose={flash.close} />
      <ServerMessage message={failed} onClose={() => setFailed(undefined)} />
      {editing ? (
        <EditForm
          link={link}
          onClose={() => setEditing(false)}
          onSaved={() => {
            setEditing(false);
            flash.show(linksStrings.saved);
          }}
        />
      ) : (
        <Overview link={link} />
      )}
    </>
  );
}

interface EditFormProps {
  link: PaymentLinkDetail;
  onClose: () => void;
  onSaved: () => void;
}

function EditForm({ link, onClose, onSaved }: EditFormProps) {
  const business = useBusiness();
  const save = useCommand("PATCH /payment-link/{id}", { refreshes: LINK_READS });
  // What the form is based on: the link as it was opened, or as it was merged last. After a conflict, `link` is newer.
  const [base, setBase] = useState(link);
  const opened = useMemo(() => valuesOf(base), [base]);
  const saved = useMemo(
    () => (save.failure?.status === CONFLICT && link.version !== base.version ? valuesOf(link) : undefined),
    [save.failure, link, base],
  );
  const submit = async (values: LinkValues) => {
    const body = { ...bodyOf(values), version: base.version };
    const done = await succeeds(
      save.run({ path: { id: link.id }, query: { business_id: business.id }, body }),
    );
    if (done) onSaved();
    return false;
  };
  const notice = (form: Form<LinkValues>) => (
    <MergeNotice
      form={form}
      title={linksStrings.form.changed}
      texts={linkTexts}
      opened={opened}
      saved={saved}
      message={save.failure?.message}
      onMerged={() => {
        save.reset();
        setBase(link);
      }}
    />
  );
  return <LinkForm link={base} save={save} onSubmit={submit} onCancel={onClose} notice={notice} />;
}

function Overview({ link }: { link: PaymentLinkDetail }) {
  const { status, opened, ordered, sales, sold } = link;
  return (
    <>
      {status !== "active" && (
        <p className={styles.closed}>
          <IconAlertTriangle size={20} aria-hidden /> {words.notActive[status]}
        </p>
      )}
      <Figures label={words.figures}>
        <Figure label={words.opened} value={wholeNumber(opened)} />
        <Figure label={words.ordered} value={wholeNumber(ordered)} />
        <Figure
          label={words.paid}
          value={wholeNumber(sales)}
          note={opened > 0 && sales <= opened && words.conversion(percent(sales / opened))}
        />
        <Figure label={words.sold} value={money(sold)} />
      </Figures>
      <div className={layout.columns}>
        <div className={layout.column}>
          {status === "active" && (
            <Panel title={words.sharePanel}>
              <ShareBox link={link} />
            </Panel>
          )}
          <LinkSales code={link.code} />
        </div>
        <Facts link={link} />
      </div>
    </>
  );
}

function Facts({ link }: { link: PaymentLinkDetail }) {
  const titles = linksStrings.columns;
  return (
    <Panel title={words.facts}>
      <FactList
        variant="ruled"
        facts={[
          [titles.amount, amountText(link)],
          [words.payment, paymentTypesText(link)],
          [linksStrings.form.payer, linksStrings.payers[link.payer]],
          [titles.expiresOn, expiryText(link)],
          [titles.uses, usesText(link)],
          [titles.code, link.code],
          [titles.createdAt, <Instant key="created" at={link.created_at} />],
          [words.updatedAt, link.version > 1 && <Instant key="updated" at={link.updated_at} />],
        ]}
      />
    </Panel>
  );
}

function LinkSkeleton() {
  return (
    <>
      <PageHeader
        title={screenTitle("/links-de-pagamento/:id")}
        hint={<Skeleton height={18} width={160} mt={4} />}
      />
      <div className={layout.column} role="status" aria-label={strings.loading}>
        <Skeleton height={96} radius={12} />
        <div className={layout.columns}>
          <Skeleton height={420} radius={12} />
          <Skeleton height={360} radius={12} />
        </div>
      </div>
    </>
  );
}
