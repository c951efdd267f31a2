// Copies a text. A browser without access to the clipboard refuses, and the page says so.
import { useState } from "react";
import { linksStrings } from "../../strings/pt-BR.links";

const words = linksStrings.share;

/** Resolves to the message for the user. */
export async function copyText(text: string): Promise<string> {
  try {
    await navigator.clipboard.writeText(text);
    return words.copied;
  } catch {
    return words.copyFailed;
  }
}

export function useCopy() {
  const [said, setSaid] = useState<string>();
  return { said, copy: (text: string) => void copyText(text).then(setSaid) };
}
