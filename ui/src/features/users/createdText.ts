// What is told of a user who was just created: one who is inactive can't sign in yet.
import { usersStrings } from "../../strings/pt-BR.users";

const words = usersStrings.user;

export function createdText({ name, active }: { name: string; active: boolean }): string {
  return active ? words.created(name) : words.createdInactive;
}
