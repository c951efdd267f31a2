// The key by which the gateway recognizes a command that was sent twice. The same body keeps its key while the form is
// open, also after a lost answer.
import { useRef } from "react";
import { randomKey } from "../format/randomKey";

export function useIdempotencyKey(): (body: unknown) => string {
  const keys = useRef(new Map<string, string>());
  return (body) => {
    const text = JSON.stringify(body);
    const key = keys.current.get(text) ?? randomKey();
    keys.current.set(text, key);
    return key;
  };
}
