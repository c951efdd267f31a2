// What the reserve releases on which day, what it released lately, and its rules in words.
import { Anchor } from "@mantine/core";
import { Link } from "react-router";
import type { Reserve, ReserveDay } from "../../api/models";
import layout from "../../components/Columns.module.css";
import { Panel } from "../../components/Panel";
import shared from "../../components/Shared.module.css";
import { businessDate } from "../../format/dates";
import { money } from "../../format/money";
import { reservesStrings as words } from "../../strings/pt-BR.reserves";
import { DayList } from "./DayList";
import styles from "./Reserves.module.css";
import { rulesText } from "./reserveRules";
import { searchOfDay } from "./reserveTabs";

export function ReserveCalendar({ reserve }: { reserve: Reserve }) {
  return (
    <div className={layout.columns}>
      <div className={layout.column}>
        <Coming reserve={reserve} />
      </div>
      <div className={layout.column}>
        <HowItWorks reserve={reserve} />
        <Before days={reserve.past} />
      </div>
    </div>
  );
}

function Coming({ reserve: { coming, held } }: { reserve: Reserve }) {
  return (
    <Panel title={words.coming} hint={words.comingHint}>
      {coming.length === 0 ? (
        <p className={shared.hint}>{words.comingEmpty}</p>
      ) : (
        <>
          <DayList
            label={words.coming}
            lines={coming.map((day) => ({
              day: day.release_on,
              text: <Day day={day} />,
              amount: money(day.held),
            }))}
          />
          <p className={styles.sum}>
            <span className={shared.hint}>{words.total}</span>
            <strong>{money(held)}</strong>
          </p>
        </>
      )}
    </Panel>
  );
}

function HowItWorks({ reserve: { rules, held } }: { reserve: Reserve }) {
  return (
    <Panel title={words.how}>
      <div className={styles.stack}>
        <p>{rules ? <strong>{rulesText(rules)}</strong> : held > 0 ? words.past : words.none}</p>
        {(rules || held > 0) && (
          <>
            <p>{words.released}</p>
            <p>{words.used}</p>
          </>
        )}
      </div>
    </Panel>
  );
}

function Before({ days }: { days: readonly ReserveDay[] }) {
  return (
    <Panel title={words.before} hint={words.beforeHint}>
      {days.length === 0 ? (
        <p className={shared.hint}>{words.beforeEmpty}</p>
      ) : (
        <DayList
          label={words.before}
          lines={days.map((day) => ({
            day: day.release_on,
            text: <Day day={day} />,
            amount: (
              <span className={day.released > 0 ? styles.released : undefined}>{money(day.released)}</span>
            ),
          }))}
        />
      )}
    </Panel>
  );
}

/** The day as a link to its installments, and what was used of it. */
function Day({ day: { release_on, reserved, used } }: { day: ReserveDay }) {
  const date = businessDate(release_on, "ddd, DD/MM/YYYY");
  return (
    <>
      <Anchor
        component={Link}
        to={{ search: searchOfDay(release_on) }}
        inherit
        underline="always"
        aria-label={words.seeDay(date)}
      >
        {date}
      </Anchor>
      {used > 0 && <span className={shared.dim}>{words.usedOf(money(reserved), money(used))}</span>}
    </>
  );
}
