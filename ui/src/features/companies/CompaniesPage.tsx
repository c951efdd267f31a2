// All companies: search and filters in the address, a table, and the list as a spreadsheet.
import { Button } from "@mantine/core";
import { IconBuildingPlus, IconBuildingStore } from "@tabler/icons-react";
import { Link } from "react-router";
import { useDownload } from "../../api/download";
import { useApi } from "../../api/hooks";
import { FilterSelect } from "../../components/FilterSelect";
import { useFlash } from "../../components/flash";
import { PageHeader } from "../../components/PageHeader";
import { SearchField } from "../../components/SearchField";
import { ServerMessage } from "../../components/ServerMessage";
import { DataTable } from "../../components/table/DataTable";
import { EmptyList } from "../../components/table/EmptyList";
import { useListState } from "../../components/table/listState";
import { strings } from "../../strings/pt-BR";
import { companiesStrings } from "../../strings/pt-BR.companies";
import { companyCard, companyColumns, companyTarget, HIDDEN_AT_FIRST } from "./columns";
import { type CompanyFilters, useCompanyFilters } from "./filters";

const words = companiesStrings.list;

export default function CompaniesPage() {
  const filters = useCompanyFilters();
  const list = useListState({ order: "desc" });
  const flash = useFlash();
  const { page, perPage, order } = list;
  const sort = filters.sort ?? "created_at";
  const companies = useApi("/admin/businesses", { query: { ...filters.query, page, perPage, order } });
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
        read={companies}
        filters={<Filters filters={filters} />}
        empty={<EmptyList filters={filters} icon={IconBuildingStore} words={words} />}
        rowId={({ id }) => id}
        rowTarget={companyTarget}
        card={companyCard}
        download={useDownload("/admin/businesses", { query: { ...filters.query, order } }, words.file)}
      />
    </>
  );
}

function Filters({ filters }: { filters: CompanyFilters }) {
  return (
    <>
      <SearchField
        label={words.search}
        placeholder={words.searchHint}
        value={filters.search}
        onSearch={filters.changeSearch}
      />
      <FilterSelect
        label={words.status}
        placeholder={words.all}
        options={strings.approval}
        value={filters.status}
        onChange={(status) => filters.change({ status })}
      />
      <FilterSelect
        label={words.type}
        placeholder={words.all}
        options={strings.businessType}
        value={filters.type}
        onChange={(type) => filters.change({ type })}
      />
      <FilterSelect
        label={words.sort}
        placeholder={words.sorts.created_at}
        options={words.sorts}
        value={filters.sort}
        onChange={(sort) => filters.change({ sort })}
      />
    </>
  );
}
