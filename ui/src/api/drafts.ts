// Drafts of forms that this browser keeps over a reload. They contain personal data (CPF, bank account), so they are
// erased at sign-out, and when another user signs in. A lost session keeps them for the same user.

export const NEW_COMPANY_DRAFT = "razao-new-company";
const DRAFTS = [NEW_COMPANY_DRAFT];

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
