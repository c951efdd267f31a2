// The forms of a message and of an answer, and the links of the channels. The gateway validates the forms again.
import * as z from "zod/mini";
import { contactStrings as words } from "../../strings/pt-BR.contact";

export const SUBJECT_CHARS_MAX = 120;
/** Of a message and of an answer. */
const MESSAGE_CHARS_MAX = 4000;

const text = (required: string, max: number, tooLong: string) =>
  z.string().check(
    z.trim(),
    z.minLength(1, required),
    z.refine((typed) => [...typed].length <= max, tooLong),
  );

export const messageSchema = z.object({
  business_id: z.string(),
  subject: text(words.subjectRequired, SUBJECT_CHARS_MAX, words.subjectTooLong),
  message: text(words.messageRequired, MESSAGE_CHARS_MAX, words.messageOrAnswerTooLong),
});

export const answerSchema = z.object({
  message: text(words.answerRequired, MESSAGE_CHARS_MAX, words.messageOrAnswerTooLong),
});

/** `digits` are an area code and a number, or a number such as 0800. The country's code, 55, is not stored. */
export const phoneLink = (digits: string) =>
  // An 0800 cannot be dialed from abroad.
  digits.startsWith("0") ? `tel:${digits}` : `tel:+55${digits}`;
export const whatsappLink = (digits: string) => `https://wa.me/55${digits.replace(/^0/, "")}`;
