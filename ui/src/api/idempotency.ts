// The key by which the gateway recognizes a command that was sent twice. The same body keeps its key while the form is
// open, so that sending again after a lost answer never pays twice.
import { useRef } from "react";

function randomKey(): string {
  // Unlike randomUUID, this also exists on pages without TLS.
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
}

export function useIdempotencyKey(): (body: unknown) => string {
  const keys = useRef(new Map<string, string>());
  return (body) => {
    const text = JSON.stringify(body);
    const key = keys.current.get(text) ?? randomKey();
    keys.current.set(text, key);
    return key;
  };
}
