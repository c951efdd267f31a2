// Reverses the order of a list on a narrow screen, which has no column titles.
import { ActionIcon } from "@mantine/core";
import { IconSortAscending, IconSortDescending } from "@tabler/icons-react";
import { strings } from "../../strings/pt-BR";
import styles from "./DataTable.module.css";
import type { ListState } from "./listState";

/** The names of the two orders. */
export interface OrderWords {
  asc: string;
  desc: string;
}

const BY_AGE: OrderWords = { asc: strings.list.oldestFirst, desc: strings.list.newestFirst };

export function OrderButton({ list, words = BY_AGE }: { list: ListState; words?: OrderWords | undefined }) {
  const descending = list.order === "desc";
  const Icon = descending ? IconSortDescending : IconSortAscending;
  const label = words[list.order];
  return (
    <ActionIcon
      className={styles.order}
      variant="default"
      size={36}
      aria-label={label}
      title={label}
      onClick={() => list.setOrder(descending ? "asc" : "desc")}
    >
      <Icon size={18} aria-hidden />
    </ActionIcon>
  );
}
