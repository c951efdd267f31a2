// The contact page of a seller: the channels, a form, and the seller's own messages with their answers.
import { Select, Skeleton, Textarea, TextInput } from "@mantine/core";
import { IconBrandWhatsapp, IconMail, IconMessages, IconPhone } from "@tabler/icons-react";
import { screenTitle } from "../../api/access";
import { useApi, useCommand } from "../../api/hooks";
import { useIdempotencyKey } from "../../api/idempotency";
import type { ContactChannels, OwnContactMessage } from "../../api/models";
import { useBusiness, useSession } from "../../api/session";
import { useFlash } from "../../components/flash";
import { PageForm } from "../../components/forms/PageForm";
import { Instant } from "../../components/Instant";
import { FailureNotice, Notice } from "../../components/Notice";
import { PageHeader } from "../../components/PageHeader";
import { Panel } from "../../components/Panel";
import { ServerMessage } from "../../components/ServerMessage";
import shared from "../../components/Shared.module.css";
import { TablePager } from "../../components/table/TablePager";
import { useList } from "../../components/table/useList";
import { phone } from "../../format/phone";
import { contactStrings } from "../../strings/pt-BR.contact";
import styles from "./Contact.module.css";
import { ContactStateBadge } from "./ContactStateBadge";
import { messageSchema, phoneLink, SUBJECT_CHARS_MAX, whatsappLink } from "./contact";

const words = contactStrings.seller;

export default function ContactPage() {
  const flash = useFlash();
  return (
    <>
      <PageHeader title={screenTitle("/fale-com-a-gente")} hint={words.hint} />
      <ServerMessage message={flash.text} variant="success" onClose={flash.close} />
      <div className={styles.columns}>
        <Channels />
        <MessageForm onSent={(number) => flash.show(words.sent(number))} />
      </div>
      <OwnMessages />
    </>
  );
}

function Channels() {
  const { data, error, mutate } = useApi("/contact");
  return (
    <Panel title={words.channels}>
      {data ? (
        <ChannelLinks channels={data} />
      ) : error ? (
        <FailureNotice failure={error} onRetry={() => void mutate()} />
      ) : (
        <Skeleton height={156} />
      )}
    </Panel>
  );
}

function ChannelLinks({ channels: { email, phone: number, whatsapp } }: { channels: ContactChannels }) {
  const links = [
    [IconMail, words.email, email, email && `mailto:${email}`],
    [IconPhone, words.phone, number && phone(number), number && phoneLink(number)],
    [IconBrandWhatsapp, words.whatsapp, whatsapp && phone(whatsapp), whatsapp && whatsappLink(whatsapp)],
  ] as const;
  if (!email && !number && !whatsapp) return <p className={shared.note}>{words.noChannels}</p>;
  return (
    <ul className={styles.channels}>
      {links.map(
        ([Icon, label, shown, to]) =>
          to && (
            <li key={label}>
              <a
                href={to}
                className={styles.channel}
                {...(to.startsWith("https:") && { target: "_blank", rel: "noreferrer" })}
              >
                <Icon size={22} stroke={1.7} aria-hidden />
                <span>
                  <strong>{label}</strong>
                  <span className={shared.note}>{shown}</span>
                </span>
              </a>
            </li>
          ),
      )}
    </ul>
  );
}

function MessageForm({ onSent }: { onSent: (number: number) => void }) {
  const { businesses } = useSession();
  const current = useBusiness();
  const keyFor = useIdempotencyKey();
  const send = useCommand("POST /contact/messages", { refreshes: ["/contact/messages"] });
  const initial = { business_id: current.id, subject: "", message: "" };
  const submit = async ({ business_id, subject, message }: typeof initial) => {
    const body = { subject: subject.trim(), message: message.trim() };
    const sent = await send
      .run({ body, query: { business_id }, header: { "Idempotency-Key": keyFor({ business_id, ...body }) } })
      .catch(() => undefined);
    if (sent) onSent(sent.number);
    return sent !== undefined;
  };
  return (
    <Panel title={words.form} hint={words.formHint}>
      <PageForm
        label={words.form}
        schema={messageSchema}
        initialValues={initial}
        command={send}
        onSubmit={submit}
        submitLabel={words.send}
      >
        {(form) => (
          <>
            {businesses.length > 1 && (
              <Select
                label={contactStrings.business}
                data={businesses.map(({ id, name }) => ({ value: id, label: name }))}
                {...form.getInputProps("business_id")}
              />
            )}
            <TextInput
              label={contactStrings.subject}
              maxLength={SUBJECT_CHARS_MAX}
              autoComplete="off"
              {...form.getInputProps("subject")}
            />
            <Textarea
              label={contactStrings.message}
              description={words.messageHint}
              autosize
              minRows={5}
              {...form.getInputProps("message")}
            />
          </>
        )}
      </PageForm>
    </Panel>
  );
}

function OwnMessages() {
  const list = useList("/contact/messages");
  const { data, error, mutate } = list.read;
  return (
    <Panel title={words.own} flush>
      {data ? (
        data.data.length > 0 ? (
          <>
            <ul className={shared.list} aria-label={words.own}>
              {data.data.map((message) => (
                <OwnMessage key={message.id} message={message} />
              ))}
            </ul>
            {data.meta.total_pages > 1 && <TablePager meta={data.meta} list={list} />}
          </>
        ) : (
          <Notice icon={IconMessages} title={words.none} heading="h3">
            {words.noneHint}
          </Notice>
        )
      ) : error ? (
        <FailureNotice failure={error} onRetry={() => void mutate()} />
      ) : (
        <Skeleton height={180} radius={0} />
      )}
    </Panel>
  );
}

function OwnMessage({ message }: { message: OwnContactMessage }) {
  return (
    <li className={styles.message}>
      <div className={styles.head}>
        <h3 className={styles.subject}>{message.subject}</h3>
        <ContactStateBadge state={message.state} />
      </div>
      <p className={shared.note}>
        {words.about(message.number, message.business_name)} · <Instant at={message.created_at} />
      </p>
      <p className={styles.text}>{message.message}</p>
      {message.answers.map((answer) => (
        <div key={answer.created_at} className={styles.answer}>
          <p className={shared.note}>
            {words.answer} · <Instant at={answer.created_at} />
          </p>
          <p className={styles.text}>{answer.message}</p>
        </div>
      ))}
    </li>
  );
}
