// Turns the order of a list round where there are no column titles to do it: on a phone.
import { Button } from "@mantine/core";
import { IconSortAscending, IconSortDescending } from "@tabler/icons-react";
import { strings } from "../../strings/pt-BR";
import type { ListState } from "./listState";

export function OrderButton({ list }: { list: ListState }) {
  const newest = list.order === "desc";
  const Icon = newest ? IconSortDescending : IconSortAscending;
  return (
    <Button
      variant="default"
      size="sm"
      leftSection={<Icon size={16} aria-hidden />}
      onClick={() => list.setOrder(newest ? "asc" : "desc")}
    >
      {newest ? strings.list.newestFirst : strings.list.oldestFirst}
    </Button>
  );
}
