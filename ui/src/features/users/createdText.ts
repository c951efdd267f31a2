// The flash message after a user is created. An inactive user cannot sign in yet.
import { usersStrings } from "../../strings/pt-BR.users";

const words = usersStrings.user;

export function createdText({ name, active }: { name: string; active: boolean }): string {
  return active ? words.created(name) : words.createdInactive;
}
