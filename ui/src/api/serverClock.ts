// The business clock: the gateway's, not the browser's, which may be wrong by days. Each answer says its time. The
// browser's clock only counts from the latest answer on.

const BUSINESS_TIME = "Business-Time";

/** The gateway's time less the browser's, in milliseconds. */
let ahead = 0;

/** Notes the time of an answer. */
export function noteTime(headers: Headers, now = Date.now()) {
  const time = Date.parse(headers.get(BUSINESS_TIME) ?? "");
  if (!Number.isNaN(time)) ahead = time - now;
}

export const businessNow = (now = Date.now()): Date => new Date(now + ahead);
