// One message for staff: its author, its state, the conversation, the form of an answer, and the audit log.
import { Button, Skeleton, Textarea } from "@mantine/core";
import { IconMessageOff } from "@tabler/icons-react";
import { fieldTextsOrMessage, succeeds } from "../../api/failure";
import { useApi, useCommand } from "../../api/hooks";
import { useIdempotencyKey } from "../../api/idempotency";
import type { ContactMessageDetail } from "../../api/models";
import { DetailModal } from "../../components/DetailModal";
import { FactList } from "../../components/FactList";
import { PageForm } from "../../components/forms/PageForm";
import { History, useHistory } from "../../components/history/History";
import { Instant } from "../../components/Instant";
import { FailureNotice, Notice } from "../../components/Notice";
import { ServerMessage } from "../../components/ServerMessage";
import shared from "../../components/Shared.module.css";
import { taxId } from "../../format/documents";
import { contactStrings } from "../../strings/pt-BR.contact";
import styles from "./Contact.module.css";
import { ContactStateBadge } from "./ContactStateBadge";
import { answerSchema } from "./contact";

const words = contactStrings.staff;
const NOT_FOUND = 404;
const REFRESHES = [
  "/admin/contact-messages",
  "/admin/contact-messages/{id}",
  "/admin/contact-messages/{id}/history",
] as const;

interface MessageModalProps {
  id: string;
  onClose: () => void;
  onDone: (message: string) => void;
}

export default function MessageModal({ id, onClose, onDone }: MessageModalProps) {
  const read = useApi(
    "/admin/contact-messages/{id}",
    { path: { id } },
    { keepPrevious: false, mayNotExist: true },
  );
  const message = read.data;
  return (
    <DetailModal
      onClose={onClose}
      title={message ? contactStrings.number(message.number) : contactStrings.message}
      size="xl"
    >
      {message ? (
        <div className={styles.thread}>
          <Conversation message={message} />
          <AnswerForm message={message} onDone={onDone} />
          <MessageHistory id={id} />
        </div>
      ) : read.error ? (
        read.error.status === NOT_FOUND ? (
          <Notice icon={IconMessageOff} title={words.missingTitle} heading="h3">
            {words.missing}
          </Notice>
        ) : (
          <FailureNotice failure={read.error} onRetry={() => void read.mutate()} />
        )
      ) : (
        <Skeleton height={320} />
      )}
    </DetailModal>
  );
}

function Conversation({ message }: { message: ContactMessageDetail }) {
  const { seller, business } = message;
  return (
    <>
      <FactList
        variant="boxed"
        label={words.facts}
        facts={[
          [contactStrings.subject, message.subject],
          [words.columns.state, <ContactStateBadge key="state" state={message.state} />],
          [contactStrings.business, business.name],
          [words.columns.document, taxId(business.document)],
          [words.columns.user, seller.name],
          [words.columns.email, seller.email],
        ]}
      />
      <section className={styles.thread} aria-label={words.conversation}>
        <Part title={words.wrote(seller.name)} at={message.created_at} text={message.message} />
        {message.answers.map((answer) => (
          <Part
            key={answer.created_at}
            title={words.answered(answer.answered_by ?? words.team)}
            at={answer.created_at}
            text={answer.message}
          />
        ))}
      </section>
    </>
  );
}

function Part({ title, at, text }: { title: string; at: string; text: string }) {
  return (
    <div className={styles.answer}>
      <p className={shared.note}>
        {title} · <Instant at={at} />
      </p>
      <p className={styles.text}>{text}</p>
    </div>
  );
}

interface AnswerFormProps {
  message: ContactMessageDetail;
  onDone: (message: string) => void;
}

function AnswerForm({ message: { id, number, version, state, answers, seller }, onDone }: AnswerFormProps) {
  const keyFor = useIdempotencyKey();
  const answer = useCommand("POST /admin/contact-messages/{id}/answers", { refreshes: REFRESHES });
  const change = useCommand("PATCH /admin/contact-messages/{id}", { refreshes: REFRESHES });
  const closed = state === "closed";
  const send = async ({ message }: { message: string }) => {
    const body = { message: message.trim(), version };
    const header = { "Idempotency-Key": keyFor(body) };
    const sent = await succeeds(answer.run({ path: { id }, body, header }));
    if (sent) onDone(words.sent(number));
    return sent;
  };
  const closeOrReopen = async () => {
    const reopened = answers.length > 0 ? "answered" : "new";
    const body = { state: closed ? reopened : "closed", version } as const;
    const changed = await succeeds(change.run({ path: { id }, body }));
    if (changed) onDone(closed ? words.reopened(number) : words.closed(number));
  };
  return (
    <div className={styles.answerForm}>
      <ServerMessage
        message={change.failure && fieldTextsOrMessage(change.failure)}
        code={change.failure?.code}
        onClose={change.reset}
      />
      <PageForm
        label={words.answer}
        schema={answerSchema}
        initialValues={{ message: "" }}
        command={answer}
        onSubmit={send}
        submitLabel={words.send}
      >
        {(form) => (
          <Textarea
            label={words.answer}
            description={words.answerHint(seller.email)}
            autosize
            minRows={4}
            {...form.getInputProps("message")}
          />
        )}
      </PageForm>
      <div className={styles.actions}>
        <Button variant="default" loading={change.running} onClick={() => void closeOrReopen()}>
          {closed ? words.reopen : words.close}
        </Button>
      </div>
    </div>
  );
}

function MessageHistory({ id }: { id: string }) {
  const list = useHistory("/admin/contact-messages/{id}/history", { path: { id } });
  return <History subject="contact" list={list} />;
}
