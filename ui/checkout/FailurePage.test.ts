import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { CallFailure } from "./calls";
import { FailurePage } from "./FailurePage";
import { words } from "./words";

it("does not say that nothing was charged if an order cannot be read", () => {
  const failure = new CallFailure(503);
  const page = renderToStaticMarkup(createElement(FailurePage, { failure, onRetry: () => undefined }));
  expect(page).toContain(words.failure.unavailable);
  expect(page).not.toContain("cobrado");
});
