// The calls about the verified history, until ui/openapi.json has them: then this file goes.
export interface CheckpointWitness {
  name: string;
  cosigned_at: string;
}

export interface LedgerCheck {
  ended_at: string;
  findings: number;
}

export interface LedgerKey {
  public_key: string;
  from: string | null;
  to: string | null;
}

interface HistoryCheckpoint {
  origin: string;
  size: number;
  made_at: string;
  note: string;
  witnesses: CheckpointWitness[];
}

interface LedgerChecks {
  verified: LedgerCheck | null;
  replayed: LedgerCheck | null;
}

export interface VerifiedHistory extends LedgerChecks {
  checkpoint: HistoryCheckpoint | null;
  events: number;
  keys: LedgerKey[];
}

export interface LedgerHistory extends LedgerChecks {
  shards: { shard: number; recorded: number; checkpoint: HistoryCheckpoint | null }[];
  witnesses: { name: string; url: string; last_at: string | null; missing: number }[];
  keys: LedgerKey[];
}

interface LedgerKeys {
  data: LedgerKey[];
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
    "/business/{businessId}/verified-history": Get<VerifiedHistory, { path: { businessId: string } }>;
    "/business/{businessId}/verified-history/proof": Get<
      unknown,
      { path: { businessId: string }; query?: { start?: string; end?: string } }
    >;
    "/business/{businessId}/sales/{sale_id}/proof": Get<
      unknown,
      { path: { businessId: string; sale_id: string } }
    >;
    "/admin/operations/verified-history": Get<LedgerHistory>;
    "/ledger/keys": Get<LedgerKeys>;
  }
}
