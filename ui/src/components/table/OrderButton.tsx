// Turns the order of a list round where there are no column titles to do it: on a phone.
import { ActionIcon } from "@mantine/core";
import { IconSortAscending, IconSortDescending } from "@tabler/icons-react";
import { strings } from "../../strings/pt-BR";
import styles from "./DataTable.module.css";
import type { ListState } from "./listState";

export function OrderButton({ list }: { list: ListState }) {
  const newest = list.order === "desc";
  const Icon = newest ? IconSortDescending : IconSortAscending;
  const label = newest ? strings.list.newestFirst : strings.list.oldestFirst;
  return (
    <ActionIcon
      className={styles.order}
      variant="default"
      size={36}
      aria-label={label}
      title={label}
      onClick={() => list.setOrder(newest ? "asc" : "desc")}
    >
      <Icon size={18} aria-hidden />
    </ActionIcon>
  );
}
