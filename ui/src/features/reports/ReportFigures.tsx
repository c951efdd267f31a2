// The figures of the whole period, with their changes.
import { VisuallyHidden } from "@mantine/core";
import { Link } from "react-router";
import { Figure, Figures } from "../../components/Figure";
import { spanName } from "../../format/parts";
import { reportStrings } from "../../strings/pt-BR.reports";
import { ChangeText } from "./ChangeText";
import { FIGURES, type FigureKey, figureText } from "./figures";
import styles from "./Reports.module.css";
import { previousOf, type ReportBody, totalOf } from "./rows";

interface ReportFiguresProps {
  figures: readonly FigureKey[];
  body: ReportBody | undefined;
  /** The address of the sales behind a figure; undefined if the user can open no list of them. */
  behind: (figure: FigureKey) => string | undefined;
}

export function ReportFigures({ figures, body, behind }: ReportFiguresProps) {
  return (
    <>
      <div className={styles.figures} data-many={figures.length > 4 || undefined}>
        <Figures label={reportStrings.figuresLabel}>
          {figures.map((figure) => (
            <Figure
              key={figure}
              label={reportStrings.figures[figure]}
              value={body && figureText(figure, totalOf(body))}
              note={
                body && (
                  <Note
                    figure={figure}
                    body={body}
                    to={FIGURES[figure].of(totalOf(body)) ? behind(figure) : undefined}
                  />
                )
              }
              sample={"\u00a0"}
            />
          ))}
        </Figures>
      </div>
      <p className={styles.compared}>{body ? comparison(body) : "\u00a0"}</p>
      {figures.includes("platform_sales") && (
        <p className={styles.compared}>{reportStrings.figureNotes.fees}</p>
      )}
    </>
  );
}

/** The period that the changes refer to. A report of machines adds how many of them sold nothing. */
function comparison({ previous, idle_count }: ReportBody): string {
  const compared = reportStrings.change.against(spanName(previous));
  return idle_count === undefined ? compared : `${compared} ${reportStrings.figureNotes.idle(idle_count)}`;
}

function Note({ figure, body, to }: { figure: FigureKey; body: ReportBody; to: string | undefined }) {
  return (
    <span className={styles.note}>
      <span>
        <ChangeText figure={figure} now={totalOf(body)} before={previousOf(body)} withBefore />
      </span>
      {to && (
        <Link className={styles.behind} to={to}>
          {reportStrings.rows.behindFigure}
          <VisuallyHidden>: {reportStrings.figures[figure]}</VisuallyHidden>
        </Link>
      )}
    </span>
  );
}
