// A page that could not be read: offline, too many calls, or any other failure.
import { useEffect } from "react";
import { type CallFailure, NO_ANSWER } from "./calls";
import { Message } from "./Message";
import { failureText } from "./usePayment";
import { words } from "./words";

const TOO_MANY_REQUESTS = 429;
const SERVER_ERROR = 500;

interface Props {
  failure: CallFailure;
  onRetry: () => void;
}

function titleOf(status: number): string {
  if (status === NO_ANSWER) return words.failure.offlineTitle;
  return status === TOO_MANY_REQUESTS ? words.failure.tooMany : words.failure.unavailable;
}

export function FailurePage({ failure, onRetry }: Props) {
  useEffect(() => {
    window.addEventListener("online", onRetry);
    return () => window.removeEventListener("online", onRetry);
  }, [onRetry]);
  const text = failure.status >= SERVER_ERROR ? words.failure.unavailableText : failureText(failure);
  return (
    <Message tone="bad" title={titleOf(failure.status)} text={text}>
      <button type="button" className="primary" onClick={onRetry}>
        {words.retry}
      </button>
    </Message>
  );
}
