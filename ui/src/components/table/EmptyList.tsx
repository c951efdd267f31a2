// Shown instead of the rows of an empty list: there are no rows, or none match the filters.
import { Button } from "@mantine/core";
import { IconFilterOff, IconListSearch, type IconReceipt } from "@tabler/icons-react";
import { strings } from "../../strings/pt-BR";
import { Notice } from "../Notice";

export interface EmptyListProps {
  filters: { any: boolean; clear: () => unknown };
  icon: typeof IconReceipt;
  words: { emptyTitle: string; empty: string; nothingFoundTitle?: string; nothingFound?: string };
}

export function EmptyList({ filters, icon, words: { emptyTitle, empty, ...filtered } }: EmptyListProps) {
  if (!filters.any) {
    return (
      <Notice icon={icon} title={emptyTitle}>
        {empty}
      </Notice>
    );
  }
  const clear = (
    <Button variant="default" leftSection={<IconFilterOff size={16} aria-hidden />} onClick={filters.clear}>
      {strings.list.clearFilters}
    </Button>
  );
  return (
    <Notice icon={IconListSearch} title={filtered.nothingFoundTitle ?? emptyTitle} action={clear}>
      {filtered.nothingFound ?? empty}
    </Notice>
  );
}
