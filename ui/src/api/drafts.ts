// Drafts of forms that this browser keeps over a reload. They contain personal data (CPF, bank account), so they are
// erased at sign-out, and when another user signs in. A lost session keeps them for the same user.
import { onSessionLost } from "./client";

export const NEW_COMPANY_DRAFT = "razao-new-company";
/** The values of forms at the end of a session, by the page and the form's name. */
const FORM_DRAFTS = "razao-form-drafts";
const DRAFTS = [NEW_COMPANY_DRAFT, FORM_DRAFTS];

/** The key of the id of the user whose drafts the browser has. */
const OWNER = "razao-drafts-of";

export function eraseDrafts() {
  try {
    for (const key of [...DRAFTS, OWNER]) localStorage.removeItem(key);
  } catch {
    // Without storage there are no drafts.
  }
}

/** Erases the drafts of every other user than the signed-in one. */
export function keepDraftsOf(userId: string) {
  try {
    if (localStorage.getItem(OWNER) === userId) return;
    eraseDrafts();
    localStorage.setItem(OWNER, userId);
  } catch {
    // Without storage there are no drafts.
  }
}

type FormDrafts = Record<string, unknown>;

function formDrafts(): FormDrafts {
  return JSON.parse(localStorage.getItem(FORM_DRAFTS) ?? "{}") as FormDrafts;
}

/** Keeps what `values` gives if the session ends. Returns a function that stops that. */
export function keepAtSessionEnd(key: string, values: () => unknown): () => void {
  return onSessionLost(() => {
    try {
      localStorage.setItem(FORM_DRAFTS, JSON.stringify({ ...formDrafts(), [key]: values() }));
    } catch {
      // Without storage there are no drafts.
    }
  });
}

/** The kept values of a form, once; undefined if there are none. */
export function takeDraft(key: string): unknown {
  try {
    const { [key]: taken, ...others } = formDrafts();
    if (taken !== undefined) localStorage.setItem(FORM_DRAFTS, JSON.stringify(others));
    return taken;
  } catch {
    return undefined;
  }
}
