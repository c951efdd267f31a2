// A button that copies a text, and a message about the result.
import { useState } from "react";
import { words } from "./words";

interface Props {
  text: string;
  label: string;
}

export function CopyButton({ text, label }: Props) {
  const [message, setMessage] = useState("");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setMessage(words.copied);
    } catch {
      setMessage(words.copyFailed);
    }
  };
  return (
    <>
      <button type="button" className="primary" onClick={copy}>
        {label}
      </button>
      <p className="copy-result" role="status">
        {message}
      </p>
    </>
  );
}
