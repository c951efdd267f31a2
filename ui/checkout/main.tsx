// Starts the checkout in its page.
import "./page.css";
import "./form.css";
import "./order.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { ErrorBoundary } from "react-error-boundary";
import { App } from "./App";
import { applyTenantColors } from "./colors";
import { Message } from "./Message";
import { placeOf } from "./place";
import { words } from "./words";

applyTenantColors();

function Crashed() {
  return (
    <Message tone="bad" title={words.failure.crashed} text={words.failure.crashedText}>
      <button type="button" className="primary" onClick={() => window.location.reload()}>
        {words.failure.reload}
      </button>
    </Message>
  );
}

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");
createRoot(root).render(
  <StrictMode>
    <ErrorBoundary FallbackComponent={Crashed}>
      <App opened={placeOf(window.location.pathname)} />
    </ErrorBoundary>
  </StrictMode>,
);
