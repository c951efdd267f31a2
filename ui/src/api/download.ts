// The hook that saves an answer as a file. It is not in hooks.ts, because the first page saves no file.
import { useState } from "react";
import { call } from "./client";
import { asFailure, type Failure } from "./failure";
import type { ReadParams, ReadPath } from "./hooks";
import { saveFile } from "./saveFile";
import { businessNow } from "./serverClock";

/** `takesName`: whether the call takes the file's name, which it repeats in its answer. */
const FILES = {
  xlsx: {
    query: {},
    header: { Accept: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet" },
    takesName: true,
  },
  csv: { query: { format: "csv" }, header: { Accept: "text/csv" }, takesName: true },
  pdf: { query: {}, header: { Accept: "application/pdf" }, takesName: false },
  json: { query: {}, header: { Accept: "application/json" }, takesName: false },
} as const;

export interface Download {
  run: () => void;
  running: boolean;
  failure: Failure | undefined;
  reset: () => void;
}

/** The download of an answer of `path` as a file, named after `list`, the company and the date. */
export function useDownload<P extends ReadPath>(
  path: P,
  params: ReadParams<P>,
  list: string,
  company?: string,
  type: keyof typeof FILES = "xlsx",
): Download {
  const [running, setRunning] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const fetchAndSave = async () => {
    setRunning(true);
    setFailure(undefined);
    try {
      // Loaded on demand: the dates library would exceed the entry's weight budget.
      const { fileName } = await import("../format/fileName");
      const name = fileName(list, company, businessNow());
      const { query: format, header, takesName } = FILES[type];
      const query = { ...params.query, ...format, ...(takesName && { filename: name }) };
      const input = { ...params, query, header };
      saveFile((await call("get", path, input, { parseAs: "blob" })) as Blob, `${name}.${type}`);
    } catch (error) {
      setFailure(asFailure(error));
    }
    setRunning(false);
  };
  return { run: () => void fetchAndSave(), running, failure, reset: () => setFailure(undefined) };
}
