// The foot of a table: the range of rows, the page size, and the other pages.
import { Pagination, Select } from "@mantine/core";
import type { PageMeta } from "../../api/models";
import { wholeNumber } from "../../format/money";
import { strings } from "../../strings/pt-BR";
import { useIsPhone } from "../breakpoints";
import styles from "./DataTable.module.css";
import { type ListState, PER_PAGE_CHOICES } from "./listState";

const words = strings.list;
const CONTROL_NAMES = {
  first: words.firstPage,
  previous: words.previousPage,
  next: words.nextPage,
  last: words.lastPage,
};

interface TablePagerProps {
  meta: PageMeta;
  list: ListState;
}

export function TablePager({ meta, list }: TablePagerProps) {
  const phone = useIsPhone();
  const first = (meta.page - 1) * meta.per_page + 1;
  const last = Math.min(meta.page * meta.per_page, meta.total);
  // A capped total is a lower bound: the gateway stopped counting.
  const rangeText = meta.total_capped ? words.capped : words.range;
  const choices = [...new Set([...PER_PAGE_CHOICES, list.perPage])].sort((a, b) => a - b).map(String);
  return (
    <div className={styles.pager}>
      <span className={styles.range} role="status">
        {rangeText(wholeNumber(first), wholeNumber(last), wholeNumber(meta.total))}
      </span>
      <Select
        aria-label={words.perPage}
        data={choices}
        value={String(list.perPage)}
        onChange={(value) => value && list.setPerPage(Number(value))}
        size="sm"
        w={84}
      />
      <nav aria-label={words.pages}>
        <Pagination
          total={Math.max(1, meta.total_pages)}
          value={meta.page}
          onChange={list.setPage}
          siblings={phone ? 0 : 1}
          size="md"
          gap={phone ? 4 : 8}
          getItemProps={(page) => ({ "aria-label": words.page(page) })}
          getControlProps={(control) => ({ "aria-label": CONTROL_NAMES[control] })}
        />
      </nav>
    </div>
  );
}
