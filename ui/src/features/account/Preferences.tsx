// The theme, the time zone and the e-mail notifications of the signed-in user. Each is saved as soon as it is chosen.
import { SegmentedControl, Select, Switch, useMantineColorScheme } from "@mantine/core";
import { accountCalls, ME } from "../../api/accountCalls";
import { useCommand } from "../../api/hooks";
import { tenantTimeZone } from "../../api/panel";
import { Panel } from "../../components/Panel";
import { ServerMessage } from "../../components/ServerMessage";
import type { TimeZone } from "../../format/dates";
import { NAMED_ZONES, otherZones, TENANT_ZONE, zoneName } from "../../format/timeZones";
import { strings } from "../../strings/pt-BR";
import { accountStrings } from "../../strings/pt-BR.account";
import styles from "./Account.module.css";

const words = accountStrings.account;

type Theme = keyof typeof words.themes;

const optionsOf = (names: Readonly<Record<string, string>>) =>
  Object.entries(names).map(([value, label]) => ({ value, label }));

function zoneChoices() {
  const { timeZoneDefault, timeZonesOfBrazil, otherTimeZones } = strings.shell;
  const option = (zone: TimeZone) => ({ value: zone, label: zoneName(zone) });
  return [
    { value: TENANT_ZONE, label: timeZoneDefault(zoneName(tenantTimeZone)) },
    { group: timeZonesOfBrazil, items: NAMED_ZONES.filter((zone) => zone !== "UTC").map(option) },
    { group: otherTimeZones, items: ["UTC", ...otherZones()].map(option) },
  ];
}

interface PreferencesProps {
  timeZone: TimeZone | null;
  /** Whether the user wants an e-mail for each sale by link. Undefined for staff, who do not get these. */
  paidLinkEmails: boolean | undefined;
}

export function Preferences({ timeZone, paidLinkEmails }: PreferencesProps) {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const change = useCommand(accountCalls.changeMe, { refreshes: [ME] });
  const save = (body: { theme: Theme } | { time_zone: TimeZone | null } | { paid_link_emails: boolean }) => {
    change.run({ body }).catch(() => undefined);
  };
  return (
    <Panel title={words.preferences}>
      <ServerMessage message={change.failure?.message} code={change.failure?.code} onClose={change.reset} />
      <div className={styles.choices}>
        <fieldset className={styles.choice}>
          <legend>{words.theme}</legend>
          <SegmentedControl
            aria-label={words.theme}
            fullWidth
            data={optionsOf(words.themes)}
            value={colorScheme === "dark" ? "dark" : "light"}
            onChange={(theme) => {
              setColorScheme(theme as Theme);
              save({ theme: theme as Theme });
            }}
          />
        </fieldset>
        <fieldset className={styles.choice}>
          <legend>{words.timeZone}</legend>
          <Select<string>
            aria-label={words.timeZone}
            data={zoneChoices()}
            value={timeZone ?? TENANT_ZONE}
            onChange={(zone) => save({ time_zone: zone === TENANT_ZONE ? null : zone })}
            searchable
            nothingFoundMessage={strings.list.noOptions}
          />
        </fieldset>
        {paidLinkEmails !== undefined && (
          <Switch
            label={words.paidLinkEmails}
            description={words.paidLinkEmailsHint}
            checked={paidLinkEmails}
            onChange={(event) => save({ paid_link_emails: event.currentTarget.checked })}
          />
        )}
      </div>
    </Panel>
  );
}
