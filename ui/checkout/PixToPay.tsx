// A PIX to pay: QR code, code to copy, and the time that is left.
import { useEffect, useState } from "react";
import { CopyButton } from "./CopyButton";
import type { Attempt } from "./contract";
import { Message } from "./Message";
import { QrCode } from "./QrCode";
import { countdown, secondsLeft, serverNow, timeOfDay } from "./time";
import { words } from "./words";

export function PixToPay({ pix }: { pix: NonNullable<Attempt["pix"]> }) {
  const seconds = useSecondsLeft(pix.expires_at);
  // At zero the page hides the code and waits: the gateway decides whether it has expired.
  if (seconds === 0) {
    return (
      <Message tone="wait" title={words.pix.timeOver} text={words.pix.timeOverText}>
        <span className="spinner" aria-hidden="true" />
      </Message>
    );
  }
  return (
    <>
      <Message tone="wait" title={words.pix.title} text={words.pix.text}>
        {pix.qr && (
          <div className="qr">
            <QrCode rows={pix.qr} label={words.pix.qr} />
          </div>
        )}
        <p className="time-left" role="timer" aria-live="off">
          {seconds !== undefined && (
            <>
              <strong>{countdown(seconds)}</strong> {words.pix.timeLeft}
            </>
          )}
        </p>
        <Code text={pix.code} />
      </Message>
      <Waiting />
    </>
  );
}

/** The code of an attempt that the buyer left for another, and that its acquirer cannot cancel. */
export function EarlierPix({ pix }: { pix: NonNullable<Attempt["pix"]> }) {
  if (useSecondsLeft(pix.expires_at) === 0) return null;
  return (
    <div className="card earlier">
      <p>{words.pix.earlier(timeOfDay(pix.expires_at))}</p>
      <Code text={pix.code} />
    </div>
  );
}

function Code({ text }: { text: string }) {
  return (
    <>
      <label className="copied-text">
        <span className="hidden">{words.pix.code}</span>
        <input readOnly value={text} onFocus={({ currentTarget }) => currentTarget.select()} />
      </label>
      <CopyButton text={text} label={words.pix.copy} />
    </>
  );
}

function useSecondsLeft(end: string): number | undefined {
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), 1000);
    return () => clearInterval(timer);
  }, []);
  return secondsLeft(end, now);
}

export function Waiting() {
  return (
    <p className="waiting" role="status">
      <span className="dot" aria-hidden="true" />
      <span>
        <strong>{words.order.live}</strong>
        <br />
        {words.order.liveText}
      </span>
    </p>
  );
}
