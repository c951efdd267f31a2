// Where a follower has stopped, as text.
import { strings } from "../../strings/pt-BR";
import { operationsStrings as words } from "../../strings/pt-BR.operations";

interface FollowerState {
  lag_events: number | null;
  stopped: readonly { shard: number; position: number }[];
}

export function stoppedText({ lag_events, stopped }: FollowerState): string {
  if (stopped.length > 0)
    return stopped.map(({ shard, position }) => words.stoppedAt(shard, position)).join("; ");
  // A follower that lags is not up to date, although it has not stopped.
  return lag_events === 0 ? words.upToDate : strings.list.none;
}
