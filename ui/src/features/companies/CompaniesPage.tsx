// All companies: search and filters in the address, a table, and the list as a spreadsheet.
import { Button } from "@mantine/core";
import { IconBuildingPlus, IconBuildingStore } from "@tabler/icons-react";
import { Link } from "react-router";
import { useFlash } from "../../components/flash";
import { PageHeader } from "../../components/PageHeader";
import { ServerMessage } from "../../components/ServerMessage";
import { DataTable } from "../../components/table/DataTable";
import { choice, given, search, sortChoice } from "../../components/table/filters";
import { useList } from "../../components/table/useList";
import { strings } from "../../strings/pt-BR";
import { companiesStrings } from "../../strings/pt-BR.companies";
import { companyCard, companyColumns, companyTarget, HIDDEN_AT_FIRST } from "./columns";

const words = companiesStrings.list;

const FILTERS = {
  search: search(words.search, words.searchHint),
  status: choice(words.status, words.all, strings.approval),
  type: choice(words.type, words.all, strings.businessType),
  sort: sortChoice(words.sort, "created_at", words.sorts),
};

export default function CompaniesPage() {
  const list = useList("/admin/businesses", {
    filters: FILTERS,
    query: (chosen, order) => ({ ...given(chosen), order }),
    file: words.file,
  });
  const flash = useFlash();
  const { sort } = list.chosen;
  return (
    <>
      <PageHeader
        title={words.title}
        hint={words.hint}
        actions={
          <Button
            component={Link}
            to="/empresas/nova"
            leftSection={<IconBuildingPlus size={18} aria-hidden />}
          >
            {companiesStrings.wizard.new}
          </Button>
        }
      />
      <ServerMessage message={flash.text} variant="success" onClose={flash.close} />
      <DataTable
        name="companies"
        label={words.table}
        columns={companyColumns[sort]}
        hiddenAtFirst={HIDDEN_AT_FIRST}
        orderColumn={sort}
        {...(sort === "name" && { orderWords: words.byName })}
        list={list}
        icon={IconBuildingStore}
        words={words}
        rowId={({ id }) => id}
        rowTarget={companyTarget}
        card={companyCard}
      />
    </>
  );
}
