// How the panel looks to this person: light or dark, and the zone that dates are read in. Kept as soon as chosen.
import { SegmentedControl, useMantineColorScheme } from "@mantine/core";
import { useCommand } from "../../api/hooks";
import { ME, ownCalls } from "../../api/ownCalls";
import { Panel } from "../../components/Panel";
import { ServerMessage } from "../../components/ServerMessage";
import type { TimeZone } from "../../format/dates";
import { strings } from "../../strings/pt-BR";
import { accountStrings } from "../../strings/pt-BR.account";
import styles from "./Account.module.css";

const words = accountStrings.account;
const zones = strings.shell.timeZones;

type Theme = keyof typeof words.themes;

const optionsOf = (names: Readonly<Record<string, string>>) =>
  Object.entries(names).map(([value, label]) => ({ value, label }));

export function Preferences({ timeZone }: { timeZone: TimeZone }) {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const change = useCommand(ownCalls.changeMe, { refreshes: [ME] });
  const keep = (body: { theme: Theme } | { time_zone: TimeZone }) => {
    change.run({ body }).catch(() => undefined);
  };
  return (
    <Panel title={words.preferences}>
      <ServerMessage message={change.failure?.message} onClose={change.reset} />
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
              keep({ theme: theme as Theme });
            }}
          />
        </fieldset>
        <fieldset className={styles.choice}>
          <legend>{words.timeZone}</legend>
          <SegmentedControl
            aria-label={words.timeZone}
            fullWidth
            data={optionsOf(zones)}
            value={timeZone}
            onChange={(zone) => keep({ time_zone: zone as TimeZone })}
          />
        </fieldset>
      </div>
    </Panel>
  );
}
