// The e-mails that the gateway under test writes to a folder as RFC 5322 files.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { server } from "./servers";

export interface Email {
  to: string;
  subject: string;
  text: string;
}

function quotedPrintable(text: string): string {
  const bytes = text
    .replace(/=\r?\n/g, "")
    .replace(/=([0-9A-F]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return Buffer.from(bytes, "latin1").toString("utf8");
}

function decoded(body: string, encoding: string | undefined): string {
  if (encoding === "quoted-printable") return quotedPrintable(body);
  if (encoding === "base64") return Buffer.from(body, "base64").toString("utf8");
  return Buffer.from(body, "latin1").toString("utf8");
}

/** "=?utf-8?b?…?=" as text (RFC 2047). */
function decodedWords(text: string): string {
  return text
    .replace(/\?=\s+=\?/g, "?==?")
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, kind: string, word: string) =>
      kind.toLowerCase() === "b"
        ? Buffer.from(word, "base64").toString("utf8")
        : quotedPrintable(word.replaceAll("_", " ")),
    );
}

interface Part {
  headers: Readonly<Record<string, string>>;
  /** Still encoded, with one character for each byte. */
  body: string;
}

function partOf(raw: string): Part {
  const end = /\r?\n\r?\n/.exec(raw);
  const head = raw.slice(0, end?.index).replace(/\r?\n[ \t]+/g, " ");
  const headers = Object.fromEntries(
    head.split(/\r?\n/).map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  return { headers, body: end ? raw.slice(end.index + end[0].length) : "" };
}

/** The plain text of an e-mail, from any depth of its parts. */
function plainText({ headers, body }: Part): string | undefined {
  const type = headers["content-type"] ?? "text/plain";
  const boundary = /boundary="?([^";]+)"?/.exec(type)?.[1];
  if (boundary) {
    const parts = body.split(`--${boundary}`).slice(1, -1);
    return parts
      .map((part) => plainText(partOf(part.replace(/^\r?\n/, ""))))
      .find((text) => text !== undefined);
  }
  if (!type.startsWith("text/plain")) return undefined;
  return decoded(body, headers["content-transfer-encoding"]?.toLowerCase());
}

function readEmail(raw: string): Email {
  const part = partOf(raw);
  const to = part.headers.to ?? "";
  return {
    to: /<([^>]+)>/.exec(to)?.[1] ?? to,
    subject: decodedWords(part.headers.subject ?? ""),
    text: plainText(part) ?? "",
  };
}

/** All e-mails to an address, newest first. */
export function emailsTo(email: string): Email[] {
  const folder = server.mailFolder;
  if (!folder) throw new Error("RAZAO_MAIL_FOLDER names no folder for this worker's gateway");
  return readdirSync(folder)
    .filter((name) => name.endsWith(".eml"))
    .map((name) => join(folder, name))
    .toSorted((one, other) => statSync(other).mtimeMs - statSync(one).mtimeMs)
    .map((path) => readEmail(readFileSync(path, "latin1")))
    .filter(({ to }) => to === email);
}

/** Waits until there is an e-mail with a link to `page`, such as "/resetar-senha". Returns the newest one's link. */
export async function linkFor(email: string, page: string, parameter = ""): Promise<string> {
  const find = () =>
    emailsTo(email)
      .map(({ text }) => text.match(new RegExp(`https?://\\S+${page}\\?${parameter}\\S+`))?.[0])
      .find((link) => link !== undefined);
  await expect.poll(find, { message: `an e-mail to ${email} with a link to ${page}` }).toBeDefined();
  return find() ?? "";
}
