// Sends requests; screens use it through useApi, useCommand and useDownload. It adds the CSRF token, renews an expired
// session once, and turns every error into a Failure.
import createClient from "openapi-fetch";
import { asFailure, Failure } from "./failure";
import { awaitedPosition, LEDGER_POSITION, noteWritten } from "./position";
import { csrfToken, refreshSession } from "./refresh";
import type { paths } from "./schema";
import { noteTime } from "./serverClock";
import { isPublicCall } from "./tables";

export type Path = keyof paths;
export type Method = "get" | "post" | "put" | "patch" | "delete";

/** The input of a call: path parameters, query, headers, body. */
export interface CallInput {
  path?: Record<string, unknown>;
  query?: Record<string, unknown>;
  header?: Record<string, unknown>;
  body?: unknown;
  /** Called with the bytes that have been sent so far, if the body is a file and the call is not public. */
  onSent?: ((bytes: number) => void) | undefined;
}

const lossListeners = new Set<() => void>();

/** Calls `listener` after a 401 that no renewal of the session mended. Returns a function that stops listening. */
export function onSessionLost(listener: () => void): () => void {
  lossListeners.add(listener);
  return () => lossListeners.delete(listener);
}

const refusalListeners = new Set<() => void>();

/**
 * Calls `listener` after a 403 or a 404, unless the call is public or has `mayNotExist`. Returns a function that stops
 * listening.
 */
export function onForbidden(listener: () => void): () => void {
  refusalListeners.add(listener);
  return () => refusalListeners.delete(listener);
}

/** Forbidden or not found: a company that the user can no longer access is a 404. */
const REFUSALS: readonly number[] = [403, 404];

async function withCsrf(request: Request): Promise<Request> {
  if (request.method !== "GET") request.headers.set("X-CSRF-Token", await csrfToken());
  return request;
}

function withPosition(request: Request): Request {
  const position = request.method === "GET" ? awaitedPosition() : undefined;
  if (position) request.headers.set(LEDGER_POSITION, position);
  return request;
}

type Sender = (request: Request) => Promise<Response>;

/** Sends the request. On a 401 it renews the session and sends once more. */
const sendBy = (sender: Sender) => async (request: Request) => {
  const sentAt = Date.now();
  const again = request.clone();
  const first = await sender(await withCsrf(request));
  if (first.status !== 401) return first;
  const second = (await refreshSession(sentAt)) ? await sender(await withCsrf(again)) : first;
  if (second.status === 401) for (const listener of lossListeners) listener();
  return second;
};

/** For a public call: a 401 does not concern the session, so nothing is renewed. */
const sendOnce = async (request: Request) => fetch(await withCsrf(request));

const withPositions = (sender: Sender) => async (request: Request) => {
  const response = await sender(withPosition(request));
  noteWritten(response.headers);
  noteTime(response.headers);
  return response;
};
const sendPublic = withPositions(sendOnce);
const sendAuthenticated = withPositions(sendBy(fetch));

const client = createClient<paths>({ baseUrl: "/api", credentials: "same-origin" });

// openapi-fetch derives its argument types per literal path. useApi and useCommand are typed; this call uses one plain
// signature.
type PlainCall = (
  method: Method,
  path: Path,
  init: {
    params: Omit<CallInput, "body" | "onSent">;
    body?: unknown;
    parseAs?: "json" | "blob";
    bodySerializer?: (body: unknown) => unknown;
    headers?: Record<string, string>;
    fetch: (request: Request) => Promise<Response>;
  },
) => Promise<{ data?: unknown; error?: unknown; response: Response }>;
const request = client.request as unknown as PlainCall;

/** A file is sent as it is. */
const BINARY = {
  bodySerializer: (body: unknown) => body,
  headers: { "Content-Type": "application/octet-stream" },
};

interface CallOptions {
  parseAs?: "json" | "blob";
  /** The record may not exist: then a 403 or a 404 does not mean that the user's roles have changed. */
  mayNotExist?: boolean;
}

export async function call(
  method: Method,
  path: Path,
  { body, onSent, ...params }: CallInput = {},
  { parseAs = "json", mayNotExist = false }: CallOptions = {},
): Promise<unknown> {
  const isPublic = isPublicCall(`${method.toUpperCase()} ${path}`);
  const sendFile = async (file: Blob, noteSent: (bytes: number) => void) =>
    withPositions(sendBy((await import("./upload")).fileSender(file, noteSent)));
  const isFile = body instanceof Blob;
  const fetch = isPublic ? sendPublic : isFile && onSent ? await sendFile(body, onSent) : sendAuthenticated;
  const init = {
    params,
    parseAs,
    fetch,
    ...(body !== undefined && { body }),
    ...(isFile && BINARY),
  };
  const answer = await request(method, path, init).catch((error: unknown) => {
    throw asFailure(error);
  });
  if (answer.response.ok) return answer.data;
  const { status, headers } = answer.response;
  if (!isPublic && !mayNotExist && REFUSALS.includes(status))
    for (const listener of refusalListeners) listener();
  const problem = typeof answer.error === "object" && answer.error !== null ? answer.error : undefined;
  throw new Failure(status, problem, headers.get("Retry-After"));
}
