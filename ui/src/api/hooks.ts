// The hooks that reach the network: useApi reads, useCommand changes. Both take their types from the schema.
// download.ts has a third hook.
import { useCallback } from "react";
import useSWR, { type SWRResponse, unstable_serialize, useSWRConfig } from "swr";
import useSWRMutation from "swr/mutation";
import { type CallInput, call, type Method, type Path } from "./client";
import { asFailure, type Failure, NO_ANSWER } from "./failure";
import type { PageMeta } from "./models";
import type { paths } from "./schema";

type Operation<P extends Path, M extends Method> = NonNullable<paths[P][M]>;

type JsonOf<Answer> = Answer extends { content: { "application/json": infer Body } } ? Body : undefined;

/** The body of a request that waits for somebody, where the call can answer with one instead of its result. */
type Waiting<R> = R extends { 202: infer Accepted } ? Exclude<JsonOf<Accepted>, undefined> : never;

type Answer<O> = O extends { responses: infer R }
  ? R extends { 200: infer Ok }
    ? JsonOf<Ok> | Waiting<R>
    : R extends { 201: infer Created }
      ? JsonOf<Created> | Waiting<R>
      : R extends { 202: infer Accepted }
        ? JsonOf<Accepted>
        : undefined
  : never;

type QueryOf<O> = O extends { parameters: { query?: infer Q } } ? NonNullable<Q> : never;
type PathOf<O> = O extends { parameters: { path: infer P } } ? { path: P } : { path?: undefined };
type BodyOf<O> = O extends { requestBody: { content: { "application/json": infer B } } }
  ? { body: B }
  : O extends { requestBody: { content: { "application/octet-stream": unknown } } }
    ? { body: Blob }
    : O extends { requestBody?: infer R }
      ? { body?: JsonOf<NonNullable<R>> }
      : { body?: undefined };

export type ReadPath = { [P in Path]: paths[P] extends { get: object } ? P : never }[Path];
export type ReadParams<P extends ReadPath> = PathOf<Operation<P, "get">> & {
  query?: QueryOf<Operation<P, "get">>;
};

/** The part of SWR's response that screens use. */
export interface Read<Body> {
  data: Body | undefined;
  error: Failure | undefined;
  isLoading: boolean;
  /** Whether a call is being made, also a repeated one. */
  isValidating: boolean;
  /** Whether `data` is the answer to earlier parameters, because these have none yet. */
  isPrevious: boolean;
  mutate: () => Promise<unknown>;
}

/** One page of a list. */
export interface Paged<Row> {
  data: Row[];
  meta: PageMeta;
}

type Key = readonly [path: Path, params: CallInput];

interface ReadOptions {
  /** Whether the last answer stays on screen while one with other parameters loads. */
  keepPrevious: boolean;
  /**
   * The record may not exist: then a 403 or a 404 does not mean that the user's roles have changed. Such a read is not
   * repeated when the window gets the focus.
   */
  mayNotExist?: boolean;
  /** Reads at each mount. By default SWR starts no second read of a key within two seconds. */
  fresh?: boolean;
}

/** Reads `path`; a null path reads nothing. */
export function useApi<P extends ReadPath>(
  path: P | null,
  params?: ReadParams<P>,
  { keepPrevious, mayNotExist = false, fresh = false }: ReadOptions = { keepPrevious: true },
): SWRResponse<Answer<Operation<P, "get">>, Failure> & Pick<Read<unknown>, "isPrevious"> {
  const key: Key | null = path === null ? null : [path, params ?? {}];
  const { cache } = useSWRConfig();
  const response = useSWR<Answer<Operation<P, "get">>, Failure, Key | null>(
    key,
    async ([read, input]: Key) =>
      (await call("get", read, input, { mayNotExist })) as Answer<Operation<P, "get">>,
    {
      keepPreviousData: keepPrevious,
      revalidateOnFocus: !mayNotExist,
      ...(fresh && { dedupingInterval: 0 }),
      // A lost connection or a server error may be temporary.
      shouldRetryOnError: ({ status }: Failure) => status === NO_ANSWER || status >= 500,
    },
  );
  const hasOwn = cache.get(unstable_serialize(key))?.data !== undefined;
  // SWR renders again only if a value changes that was read here. If the answer equals the previous one, only
  // `isLoading` changes.
  const isPrevious = response.data !== undefined && (response.isLoading || !hasOwn);
  return Object.assign(response, { isPrevious });
}

/** Whether a key is a read of a page: every read but that of the signed-in user (`ME`). */
const isPageRead = (key: unknown) => Array.isArray(key) && !String(key[0]).endsWith("/me");

/** Drops the answers of all pages, so that the next page reads again. The user stays signed in. */
export function useForgetReads(): () => void {
  const { mutate } = useSWRConfig();
  return () => void mutate(isPageRead, undefined, { revalidate: false });
}

export type CallName = {
  [P in Path]: { [M in Method]: paths[P] extends Record<M, object> ? `${Uppercase<M>} ${P}` : never }[Method];
}[Path];

type Named<C extends CallName> = C extends `${infer M} ${infer P}`
  ? Lowercase<M> extends infer L extends Method
    ? P extends Path
      ? Operation<P, L>
      : never
    : never
  : never;

type CommandInput<C extends CallName> = PathOf<Named<C>> &
  BodyOf<Named<C>> & { query?: QueryOf<Named<C>>; header?: { "Idempotency-Key"?: string } } & Pick<
    CallInput,
    "onSent"
  >;

export interface Command<C extends CallName> {
  run: (input: CommandInput<C>) => Promise<Answer<Named<C>>>;
  running: boolean;
  failure: Failure | undefined;
  reset: () => void;
}

/** One run of a command. `failed` is set if the call failed. */
interface CommandRun {
  input: CallInput;
  failed?: { error: unknown };
}

const CONFLICT = 409;

/**
 * A change, such as "PATCH /sellers/me". After it, the reads on screen of the paths in `refreshes` are repeated. A
 * conflict also repeats them, because the screen may show an outdated state.
 */
export function useCommand<C extends CallName>(
  command: C,
  { refreshes }: { refreshes: readonly ReadPath[] },
): Command<C> {
  const { mutate } = useSWRConfig();
  const { trigger, isMutating, error, reset } = useSWRMutation<unknown, Failure, string, CommandRun>(
    command,
    async (name: string, { arg: started }: { arg: CommandRun }) => {
      const space = name.indexOf(" ");
      const method = name.slice(0, space).toLowerCase() as Method;
      const refresh = () => mutate((key) => Array.isArray(key) && refreshes.includes(key[0]));
      const answer = await call(method, name.slice(space + 1) as Path, started.input).catch(
        (error: unknown) => {
          started.failed = { error };
          if (asFailure(error).status === CONFLICT) void refresh();
          throw error;
        },
      );
      await refresh();
      return answer;
    },
  );
  const start = useCallback(
    async (input: CallInput) => {
      // Removes the message of the last run, which says nothing about this one.
      reset();
      const started: CommandRun = { input };
      const answer = await trigger(started);
      // SWR resolves a failed run to undefined if `reset` was called while it ran.
      if (started.failed) throw started.failed.error;
      return answer;
    },
    [trigger, reset],
  );
  // SWR knows only the plain types; `Command` has those of this command.
  const run = start as Command<C>["run"];
  return { run, running: isMutating, failure: error, reset };
}
