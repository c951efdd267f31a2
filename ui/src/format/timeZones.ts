// The names of time zones, and those that a user may choose.
import { strings } from "../strings/pt-BR";
import type { TimeZone } from "./dates";

/** In a select, the value that stands for the tenant's zone. */
export const TENANT_ZONE = "default";

const names: Readonly<Record<string, string>> = strings.shell.timeZones;

/** The zones of Brazil, and UTC. */
export const NAMED_ZONES: readonly TimeZone[] = Object.keys(names);

/** "Brasília", or the name of the IANA database with its underscores as spaces. */
export function zoneName(zone: TimeZone): string {
  return names[zone] ?? zone.replaceAll("_", " ");
}

/** All other zones that the browser knows. */
export function otherZones(): TimeZone[] {
  return Intl.supportedValuesOf("timeZone").filter((zone) => !(zone in names));
}
