// Why a telephone number is not taken. The gateway answers with the same texts.
import type { PhoneFault } from "../format/phonePlan";

export const phoneFaults: Readonly<Record<PhoneFault, string>> = {
  foreign: "Informe um telefone do Brasil. Números de outros países não são aceitos.",
  incomplete: "Informe o telefone com DDD.",
  areaCode: "Este DDD não existe. Confira os dois primeiros números.",
  number: "Telefone inválido. Confira os números depois do DDD.",
  nonGeographic: "Informe um celular ou telefone fixo com DDD, e não um 0800.",
};
