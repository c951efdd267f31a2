// The figures of the whole period, each with its change and a link to its sales.
import { Link } from "react-router";
import { Figure, Figures } from "../../components/Figure";
import { reportStrings } from "../../strings/pt-BR.reports";
import { ChangeText } from "./ChangeText";
import { type FigureKey, figureText } from "./figures";
import { spanName } from "./period";
import styles from "./Reports.module.css";
import { previousOf, type ReportBody, totalOf } from "./rows";

interface ReportFiguresProps {
  figures: readonly FigureKey[];
  body: ReportBody | undefined;
  /** The address of the sales behind a figure. */
  behind: (figure: FigureKey) => string | undefined;
}

export function ReportFigures({ figures, body, behind }: ReportFiguresProps) {
  return (
    <Figures label={reportStrings.figuresLabel}>
      {figures.map((figure) => (
        <Figure
          key={figure}
          label={reportStrings.figures[figure]}
          value={body && figureText(figure, totalOf(body))}
          note={body && <Note figure={figure} body={body} to={behind(figure)} />}
          sample={"\u00a0"}
        />
      ))}
    </Figures>
  );
}

function Note({ figure, body, to }: { figure: FigureKey; body: ReportBody; to: string | undefined }) {
  return (
    <span className={styles.note}>
      <span>
        <ChangeText
          figure={figure}
          now={totalOf(body)}
          before={previousOf(body)}
          against={spanName(body.previous)}
        />
      </span>
      {to && (
        <Link className={styles.behind} to={to}>
          {reportStrings.rows.behindFigure}
          <span className={styles.hidden}>: {reportStrings.figures[figure]}</span>
        </Link>
      )}
    </span>
  );
}
