// A select of how often data are read again, remembered in this browser, and a button that reads them at once.
import { ActionIcon, Group, Select } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { useEffect, useEffectEvent, useState } from "react";
import { businessNow } from "../api/serverClock";
import { useTimeZone } from "../api/session";
import { instant } from "../format/dates";
import { REFRESH_MINUTES, type RefreshMinutes } from "../format/periods";
import { periodStrings } from "../strings/pt-BR.period";
import styles from "./RefreshSelect.module.css";
import { type RefreshedRead, readTime, stateOf } from "./refreshState";

interface RefreshSelectProps {
  /** The choice is remembered under this name, so it must not change. */
  name: string;
  /** The reads that `onRefresh` repeats. */
  reads: readonly RefreshedRead[];
  onRefresh: () => void;
}

const words = periodStrings.refresh;
const MINUTE_MS = 60_000;
const OFF = "off";

function remembered(key: string): RefreshMinutes | null {
  try {
    const minutes = Number(localStorage.getItem(key));
    return REFRESH_MINUTES.find((each) => each === minutes) ?? null;
  } catch {
    return null;
  }
}

export function RefreshSelect({ name, reads, onRefresh }: RefreshSelectProps) {
  const key = `razao-refresh-${name}`;
  const zone = useTimeZone();
  const [minutes, setMinutes] = useState(() => remembered(key));
  const state = stateOf(reads);
  const [last, setLast] = useState(() => ({ state, readAt: readTime(undefined, state, businessNow()) }));
  if (last.state !== state) setLast({ state, readAt: readTime(last.readAt, state, businessNow()) });
  const tick = useEffectEvent(onRefresh);
  useEffect(() => {
    if (minutes === null) return;
    const timer = setInterval(tick, minutes * MINUTE_MS);
    return () => clearInterval(timer);
  }, [minutes]);

  const choose = (value: string | null) => {
    const next = REFRESH_MINUTES.find((each) => String(each) === value) ?? null;
    setMinutes(next);
    try {
      localStorage.setItem(key, String(next ?? OFF));
    } catch {
      // Without storage, the choice lasts until the page is left.
    }
  };
  return (
    <Group gap="xs" align="center">
      <span className={styles.at}>
        {words.at(last.readAt ? instant(last.readAt.toISOString(), zone, "HH:mm") : words.unread)}
      </span>
      <Select
        aria-label={words.label}
        data={[
          { value: OFF, label: words.off },
          ...REFRESH_MINUTES.map((each) => ({ value: String(each), label: words.every[each] })),
        ]}
        value={minutes === null ? OFF : String(minutes)}
        onChange={choose}
        size="sm"
        w={180}
      />
      <ActionIcon
        variant="default"
        size={36}
        onClick={onRefresh}
        loading={state === "running"}
        aria-label={words.now}
      >
        <IconRefresh size={17} aria-hidden />
      </ActionIcon>
    </Group>
  );
}
