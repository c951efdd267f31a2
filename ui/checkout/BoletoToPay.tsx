// A boleto to pay: digitable line, bars, and the document.
import { barsOf, showLine } from "./bars";
import { CopyButton } from "./CopyButton";
import type { Attempt } from "./contract";
import { Message } from "./Message";
import { Waiting } from "./PixToPay";
import { date, serverNow, timeOfDay } from "./time";
import { words } from "./words";

const HEIGHT = 60;

interface Props {
  boleto: NonNullable<Attempt["boleto"]>;
  /** Until when the link is the buyer's alone. Null if its uses are not limited. */
  heldUntil: string | null;
}

export function BoletoToPay({ boleto, heldUntil }: Props) {
  return (
    <>
      <Message
        tone="wait"
        title={words.boleto.title}
        text={boleto.due_on && words.boleto.text(date(boleto.due_on))}
      >
        <Bars digits={boleto.barcode} />
        <p className="line">
          <span className="hidden">{words.boleto.line}: </span>
          {showLine(boleto.line)}
        </p>
        <CopyButton text={boleto.line} label={words.boleto.copy} />
        <a className="secondary" href={boleto.pdf_url} target="_blank" rel="noreferrer">
          {words.boleto.pdf}
        </a>
      </Message>
      {heldUntil && <p className="note">{heldText(heldUntil)}</p>}
      <Waiting />
    </>
  );
}

const heldText = (until: string) =>
  Date.parse(until) > serverNow() ? words.boleto.held(timeOfDay(until)) : words.boleto.notHeld;

function Bars({ digits }: { digits: string }) {
  const drawing = barsOf(digits);
  if (!drawing) return null;
  const path = drawing.bars.map(({ x, width }) => `M${x} 0h${width}v${HEIGHT}h-${width}z`).join("");
  return (
    <div className="bars">
      <svg
        viewBox={`0 0 ${drawing.width} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={words.boleto.bars}
        shapeRendering="crispEdges"
      >
        <path d={path} />
      </svg>
    </div>
  );
}
