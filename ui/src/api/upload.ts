// Sends a file by XMLHttpRequest, because fetch does not report how much has been sent. Loaded with the first such
// upload.

/** Builds a function that sends a request with `file` as its body. */
export const fileSender =
  (file: Blob, onSent: (bytes: number) => void) =>
  (request: Request): Promise<Response> =>
    new Promise((resolve, reject) => {
      const sending = new XMLHttpRequest();
      sending.open(request.method, request.url);
      sending.responseType = "text";
      for (const [name, value] of request.headers) sending.setRequestHeader(name, value);
      sending.upload.addEventListener("progress", ({ loaded }) => onSent(loaded));
      sending.addEventListener("load", () => {
        const { status, response } = sending;
        resolve(new Response(response || null, { status, headers: headersOf(sending) }));
      });
      // The error that fetch throws in this case.
      const fail = () => reject(new TypeError("Failed to fetch"));
      for (const event of ["error", "abort", "timeout"]) sending.addEventListener(event, fail);
      sending.send(file);
    });

function headersOf(sending: XMLHttpRequest): Headers {
  const lines = sending.getAllResponseHeaders().trim().split("\r\n");
  return new Headers(
    lines.filter(Boolean).map((line): [string, string] => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon), line.slice(colon + 1).trim()];
    }),
  );
}
