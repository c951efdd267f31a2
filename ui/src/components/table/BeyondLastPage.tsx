// Shown instead of rows when the address names a page after the last one.
import { Button } from "@mantine/core";
import { IconListSearch } from "@tabler/icons-react";
import type { PageMeta } from "../../api/models";
import { wholeNumber } from "../../format/money";
import { strings } from "../../strings/pt-BR";
import { Notice } from "../Notice";
import type { ListState } from "./listState";

const words = strings.list;

export function BeyondLastPage({ meta, list }: { meta: PageMeta; list: ListState }) {
  const toLast = (
    <Button
      variant="default"
      onClick={({ currentTarget }) => {
        // The click removes the button, so focus moves to the list.
        currentTarget.closest("section")?.focus({ preventScroll: true });
        list.setPage(meta.total_pages);
      }}
    >
      {words.toLastPage}
    </Button>
  );
  return (
    <Notice icon={IconListSearch} title={words.beyondTitle} action={toLast}>
      {words.beyond(wholeNumber(meta.total_pages))}
    </Notice>
  );
}
