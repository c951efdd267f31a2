// A button that copies a text and shows that it did.
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
      <p className="said" role="status">
        {message}
      </p>
    </>
  );
}
