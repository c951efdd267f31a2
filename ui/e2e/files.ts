// Files that a test chooses in a form.
import type { Locator, Page } from "@playwright/test";

/** A PNG of one pixel. */
export const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** A file that no upload accepts as an image. */
export const NO_IMAGE = Buffer.from("<html>");

/** Presses the button and chooses a file of this content, with the type of a PNG. */
export async function chooseFile(page: Page, button: Locator, name: string, buffer: Buffer) {
  const chooser = page.waitForEvent("filechooser");
  await button.click();
  await (await chooser).setFiles({ name, mimeType: "image/png", buffer });
}
