// Copies a text and returns a message. A browser without access to the clipboard refuses.
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
  const [message, setMessage] = useState<string>();
  return { message, copy: (text: string) => void copyText(text).then(setMessage) };
}
