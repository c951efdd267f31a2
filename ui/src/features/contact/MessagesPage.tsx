// The messages of sellers for staff. A row opens the conversation over the list.
import { IconMessages } from "@tabler/icons-react";
import { parseAsString, useQueryState } from "nuqs";
import { lazy, Suspense } from "react";
import { screenTitle } from "../../api/access";
import { BusinessSelect, type NamedBusiness, useNamedBusiness } from "../../components/BusinessSelect";
import { FilterSelect } from "../../components/FilterSelect";
import { useFlash } from "../../components/flash";
import { PageHeader } from "../../components/PageHeader";
import { SearchField } from "../../components/SearchField";
import { ServerMessage } from "../../components/ServerMessage";
import { DataTable } from "../../components/table/DataTable";
import { EmptyList } from "../../components/table/EmptyList";
import { useList, useListState } from "../../components/table/listState";
import { contactStrings } from "../../strings/pt-BR.contact";
import { HIDDEN_AT_FIRST, messageCard, messageColumns, messageTarget, ORDER_COLUMN } from "./columns";
import { choices, type MessageFilters, useMessageFilters } from "./filters";

const MessageModal = lazy(() => import("./MessageModal"));

const words = contactStrings.staff;

export default function MessagesPage() {
  const filters = useMessageFilters();
  const list = useListState();
  const flash = useFlash();
  const chosen = useNamedBusiness(filters.business);
  const query = { ...filters.query, order: list.order };
  const { read, download } = useList("/admin/contact-messages", { query }, list, words.file, chosen?.name);
  const [opened, setOpened] = useQueryState("message", parseAsString.withOptions({ history: "push" }));
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
        read={read}
        filters={<Filters filters={filters} chosen={chosen} />}
        empty={<EmptyList filters={filters} icon={IconMessages} words={words} />}
        rowId={({ id }) => id}
        rowTarget={messageTarget}
        card={messageCard}
        download={download}
      />
      {opened && (
        <Suspense>
          <MessageModal
            id={opened}
            onClose={() => void setOpened(null)}
            onDone={(message) => {
              void setOpened(null);
              flash.show(message);
            }}
          />
        </Suspense>
      )}
    </>
  );
}

function Filters({ filters, chosen }: { filters: MessageFilters; chosen: NamedBusiness | undefined }) {
  return (
    <>
      <SearchField
        label={words.search}
        placeholder={words.searchHint}
        value={filters.search}
        onSearch={filters.changeSearch}
      />
      <FilterSelect
        label={words.state}
        placeholder={words.all}
        options={choices.state}
        value={filters.state}
        onChange={(state) => filters.change({ state })}
      />
      <BusinessSelect
        label={contactStrings.business}
        placeholder={words.anyBusiness}
        size="sm"
        value={filters.business}
        onChange={(id) => filters.change({ business: id })}
        chosen={chosen}
      />
    </>
  );
}
