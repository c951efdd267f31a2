// Reads a report with the filters of the address, and offers its downloads.
import { type Download, useDownload } from "../../api/download";
import { type Read, type ReadParams, useApi } from "../../api/hooks";
import { panel } from "../../api/panel";
import type { NamedBusiness } from "../../components/BusinessSelect";
import type { ListState } from "../../components/table/listState";
import type { ReportDefinition, ReportPath } from "./definitions";
import { FIGURES } from "./figures";
import type { ReportFilters } from "./filters";
import { isPaged, NAME, type ReportBody, type RowKind, type SortKey } from "./rows";

export interface ReportRead {
  read: Read<ReportBody>;
  xlsx: Download;
  csv: Download;
}

export function useReport(
  definition: ReportDefinition,
  filters: ReportFilters,
  { rows, sort, list }: { rows: RowKind; sort: SortKey; list: ListState },
  company: NamedBusiness | undefined,
): ReportRead {
  const inPath = definition.path.includes("{");
  const id = company?.id ?? filters.business ?? "";
  // The company is in the path of some reports, and in the query of the others.
  const { business_id, ...query } = { business_id: undefined, ...filters.query };
  const asked = {
    ...query,
    ...(!inPath && (panel === "seller" ? { business_id: id } : business_id && { business_id })),
    ...(isPaged(rows) && {
      sort: sort === NAME ? NAME : FIGURES[sort].sort,
      order: list.order,
    }),
  };
  const path = inPath && { path: { businessId: id, business_id: id } };
  const page = isPaged(rows) ? { page: list.page, perPage: list.perPage } : {};
  // Downloads take no page.
  const params = { ...path, query: asked } as unknown as ReadParams<ReportPath>;
  const paged = { ...path, query: { ...asked, ...page } } as unknown as ReadParams<ReportPath>;
  const companyMissing = definition.needsCompany && !id;
  const read = useApi(companyMissing ? null : definition.path, paged) as unknown as Read<ReportBody>;
  const { file } = definition;
  return {
    read,
    xlsx: useDownload(definition.path, params, file, company?.name),
    csv: useDownload(definition.path, params, file, company?.name, "csv"),
  };
}
