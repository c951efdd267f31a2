// The check of a file in a worker, so that the page answers while a large file is read.
import { useEffect, useRef, useState } from "react";
import type { Refused, Verified } from "../../proofs/verify";
import type { Answer, Request } from "../../proofs/worker";

export type FileCheck =
  | { state: "none" }
  | { state: "running"; file: string }
  | { state: "failed"; file: string }
  | { state: "done"; file: string; answer: Verified | Refused };

export function useFileCheck(keys: readonly string[], witnesses: readonly string[]) {
  const [check, setCheck] = useState<FileCheck>({ state: "none" });
  const worker = useRef<Worker>(undefined);
  // A page that is left, and another file, end the check.
  useEffect(() => () => worker.current?.terminate(), []);
  const run = (file: File) => {
    worker.current?.terminate();
    const next = new Worker(new URL("../../proofs/worker.ts", import.meta.url), { type: "module" });
    worker.current = next;
    const end = (result: FileCheck) => {
      next.terminate();
      setCheck(result);
    };
    next.addEventListener("message", ({ data }: MessageEvent<Answer>) =>
      end(data ? { state: "done", file: file.name, answer: data } : { state: "failed", file: file.name }),
    );
    next.addEventListener("error", () => end({ state: "failed", file: file.name }));
    setCheck({ state: "running", file: file.name });
    next.postMessage({ file, keys, witnesses } satisfies Request);
  };
  return { check, run };
}
