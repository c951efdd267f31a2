// Sets the title of the browser's tab.
import { useEffect } from "react";
import { product } from "../api/panel";
import { strings } from "../strings/pt-BR";

function pageTitle(title: string | undefined): string {
  return title ? `${product} | ${title}` : strings.defaultTitle;
}

export function usePageTitle(title: string | undefined): void {
  useEffect(() => {
    document.title = pageTitle(title);
  }, [title]);
}
