// A list of the gateway: its filters, page, size and order from the address, the rows of the page, and the whole list
// as a file. DataTable shows it.
import { type Download, useDownload } from "../../api/download";
import { type Paged, type Read, type ReadParams, type ReadPath, useApi } from "../../api/hooks";
import { useNamedBusiness } from "../BusinessSelect";
import { type Changes, type Chosen, type Filters, type ShownFilter, useFilters } from "./filters";
import { type ListState, type Order, useListState } from "./listState";

/** What a table needs of a list. */
export interface TableList<Row> extends ListState {
  read: Read<Paged<Row>>;
  /** Undefined if the gateway makes no file of it. */
  download?: Download | undefined;
  filters?: { any: boolean; clear: () => unknown; fields: readonly ShownFilter[] };
}

export interface List<P extends ReadPath, F extends Filters> extends ListState {
  read: ReturnType<typeof useApi<P>>;
  download: Download | undefined;
  filters: Pick<ReturnType<typeof useFilters<F>>, "any" | "clear" | "fields">;
  chosen: Chosen<F>;
  change: (next: Changes<F>) => void;
}

export interface ListOptions<P extends ReadPath, F extends Filters = Record<never, never>> {
  /** The parameters in the path. */
  path?: ReadParams<P>["path"];
  /** They must not change between renders. */
  filters?: F;
  /** The filters of this list, if others on the screen share the address. */
  shown?: readonly (keyof F & string)[];
  /** The gateway's query, without page and size. A list that has an order passes it on. */
  query?: (chosen: Chosen<F>, order: Order) => ReadParams<P>["query"];
  /** The order until the user chooses another. */
  firstOrder?: Order;
  /** The beginning of the file's name. */
  file?: string;
  /** The company in the file's name; by default the chosen one. */
  company?: string | undefined;
  /** Other keys in the address, if the screen has another list too. They must not change between renders. */
  urlKeys?: Record<"page" | "perPage" | "order", string>;
  /** Whether the last rows stay on screen while others load; they must not if they can be another record's. */
  keepPrevious?: boolean;
}

const NO_FILTERS = {};

export function useList<P extends ReadPath, F extends Filters = Record<never, never>>(
  path: P,
  options: ListOptions<P, F> = {},
): List<P, F> {
  const { file, keepPrevious = true } = options;
  const state = useListState(options.firstOrder, options.urlKeys);
  const { chosen, change, ...filters } = useFilters(options.filters ?? (NO_FILTERS as F), options.shown);
  const { page, perPage, order } = state;
  const query = options.query?.(chosen, order);
  const inPath = options.path && { path: options.path };
  // TypeScript cannot tell that every list has these parameters.
  const paged = { ...inPath, query: { ...query, page, perPage } } as unknown as ReadParams<P>;
  const whole = { ...inPath, query } as unknown as ReadParams<P>;
  const business = useNamedBusiness(typeof chosen.business === "string" ? chosen.business : null);
  const download = useDownload(path, whole, file ?? "", options.company ?? business?.name);
  return {
    ...state,
    read: useApi(path, paged, { keepPrevious }),
    download: file === undefined ? undefined : download,
    filters,
    chosen,
    change,
  };
}
