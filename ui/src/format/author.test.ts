import { expect, it } from "vitest";
import type { Author } from "../api/models";
import { authorText } from "./author";

it.each<[Author, string]>([
  [{ kind: "seller", name: "Ana Souza" }, "Ana Souza"],
  [{ kind: "seller", name: null }, "Usuário excluído"],
  [{ kind: "staff", name: "Bruno Lima" }, "Bruno Lima"],
  [{ kind: "staff", name: null }, "Equipe da plataforma"],
  [{ kind: "acquirer", name: "Zoop" }, "Zoop"],
  [{ kind: "bank", name: null }, "Banco"],
  [{ kind: "automatic", name: null }, "Sistema"],
  [{ kind: "platform", name: null }, "Plataforma"],
])("%o reads %s", (author, text) => expect(authorText(author)).toBe(text));
