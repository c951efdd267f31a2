// The thread in which a page checks a file. Parsing a file of 100 MB takes seconds at a stretch.
import type { Refused, Verified } from "./verify";
import { verifyFile } from "./verify";

/** What the page sends, once. The answer is what `verifyFile` gives, or `null` if it failed. */
export interface Request {
  file: Blob;
  keys: readonly string[];
  witnesses: readonly string[];
}

export type Answer = Verified | Refused | null;

self.addEventListener("message", ({ data }: MessageEvent<Request>) => {
  const send = (answer: Answer) => self.postMessage(answer);
  verifyFile(data.file, data.keys, data.witnesses).then(send, () => send(null));
});
