// The validation of a company's telephone number, which may be an 0800 and may be left out.
import * as z from "zod/mini";
import { phoneFault } from "../../format/phonePlan";
import { phoneFaults } from "../../strings/pt-BR.phone";

export const phoneField = z.string().check((typed) => {
  const fault = typed.value === "" ? undefined : phoneFault(typed.value, true);
  if (fault) typed.issues.push({ code: "custom", message: phoneFaults[fault], input: typed.value });
});
