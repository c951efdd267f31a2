// Copies a text, and says so.
import { useState } from "react";
import { words } from "./words";

interface Props {
  text: string;
  label: string;
}

export function CopyButton({ text, label }: Props) {
  const [said, setSaid] = useState("");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setSaid(words.copied);
    } catch {
      setSaid(words.copyFailed);
    }
  };
  return (
    <>
      <button type="button" className="primary" onClick={copy}>
        {label}
      </button>
      <p className="said" role="status">
        {said}
      </p>
    </>
  );
}
