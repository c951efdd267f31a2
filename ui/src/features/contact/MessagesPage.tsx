// The messages of sellers for staff. A row opens the conversation over the list.
import { IconMessages } from "@tabler/icons-react";
import { lazy, Suspense } from "react";
import { screenTitle } from "../../api/access";
import { useFlash } from "../../components/flash";
import { PageHeader } from "../../components/PageHeader";
import { ServerMessage } from "../../components/ServerMessage";
import { DataTable } from "../../components/table/DataTable";
import { choice, company, given, search } from "../../components/table/filters";
import { useOpened } from "../../components/table/opened";
import { useList } from "../../components/table/useList";
import { contactStrings } from "../../strings/pt-BR.contact";
import { HIDDEN_AT_FIRST, messageCard, messageColumns, messageTarget, ORDER_COLUMN } from "./columns";

const MessageModal = lazy(() => import("./MessageModal"));

const words = contactStrings.staff;

const FILTERS = {
  search: search(words.search, words.searchHint),
  state: choice(words.state, words.all, contactStrings.states),
  business: company(contactStrings.business, words.anyBusiness),
};

export default function MessagesPage() {
  const list = useList("/admin/contact-messages", {
    filters: FILTERS,
    query: ({ business, ...chosen }, order) => ({ ...given({ ...chosen, business_id: business }), order }),
    file: words.file,
  });
  const flash = useFlash();
  const [opened, setOpened] = useOpened("message");
  return (
    <>
      <PageHeader title={screenTitle("/ajustes/mensagens")} hint={words.hint} />
      <ServerMessage message={flash.text} variant="success" onClose={flash.close} />
      <DataTable
        name="contactMessages"
        label={words.table}
        columns={messageColumns}
        hiddenAtFirst={HIDDEN_AT_FIRST}
        orderColumn={ORDER_COLUMN}
        list={list}
        icon={IconMessages}
        words={words}
        rowId={({ id }) => id}
        rowTarget={messageTarget}
        card={messageCard}
      />
      {opened && (
        <Suspense>
          <MessageModal
            id={opened}
            onClose={() => setOpened(null)}
            onDone={(message) => {
              setOpened(null);
              flash.show(message);
            }}
          />
        </Suspense>
      )}
    </>
  );
}
