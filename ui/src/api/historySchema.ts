// The calls about the verified history, until ui/openapi.json has them: then this file goes.
interface Witnessed {
  name: string;
  cosigned_at: string;
}

interface AuditRun {
  ended_at: string;
  findings: number;
}

interface LedgerKey {
  public_key: string;
  from: string;
  to: string | null;
}

interface OwnHistory {
  checkpoint: {
    size: number;
    made_at: string;
    origin: string;
    note: string;
    witnesses: Witnessed[];
  } | null;
  events: number;
  verified: AuditRun | null;
  replayed: AuditRun | null;
  keys: LedgerKey[];
}

interface StaffHistory {
  shards: { shard: number; size: number; made_at: string; recorded: number; witnesses: Witnessed[] }[];
  witnesses: { name: string; url: string; last_at: string | null; error: string | null }[];
  verified: AuditRun | null;
  replayed: AuditRun | null;
  outside: { at: string | null; target: string | null; error: string | null };
  keys: LedgerKey[];
}

interface PublicKeys {
  keys: LedgerKey[];
  /** As `name+id+key`. */
  witnesses: string[];
}

interface Get<Body, Parameters = { query?: never; path?: never }>
  extends Partial<Record<"put" | "post" | "delete" | "options" | "head" | "patch" | "trace", never>> {
  parameters: Parameters;
  get: {
    parameters: Parameters;
    responses: { 200: { headers: Record<string, unknown>; content: { "application/json": Body } } };
  };
}

declare module "./schema" {
  interface paths {
    "/businesses/{business_id}/history": Get<OwnHistory, { path: { business_id: string } }>;
    "/businesses/{business_id}/history/proof": Get<
      unknown,
      { path: { business_id: string }; query?: { from?: string; to?: string } }
    >;
    "/businesses/{business_id}/sales/{sale_id}/proof": Get<
      unknown,
      { path: { business_id: string; sale_id: string } }
    >;
    "/admin/history": Get<StaffHistory>;
    "/ledger/keys": Get<PublicKeys>;
  }
}

export type { AuditRun, LedgerKey, OwnHistory, StaffHistory, Witnessed };
