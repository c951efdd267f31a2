// The way in, for sellers or for staff by the panel of the host. Where to go afterwards is the guard's
// affair: it sends whoever is signed in away from here.
import { Button, PasswordInput, TextInput } from "@mantine/core";
import { schemaResolver, useForm } from "@mantine/form";
import { IconCheck } from "@tabler/icons-react";
import * as z from "zod/mini";
import { asFailure } from "../../api/failure";
import { useCommand } from "../../api/hooks";
import { panel, product } from "../../api/panel";
import { useSession } from "../../api/session";
import { ProductMark } from "../../components/ProductMark";
import { ServerMessage } from "../../components/ServerMessage";
import { strings } from "../../strings/pt-BR";
import styles from "./LoginPage.module.css";

const words = strings.login;
const staff = panel === "admin";

const schema = z.object({
  email: z
    .string()
    .check(z.minLength(1, words.emailRequired), z.regex(/^(|[^\s@]+@[^\s@]+\.[^\s@]+)$/, words.emailInvalid)),
  password: z.string().check(z.minLength(1, words.passwordRequired)),
});

export default function LoginPage() {
  const { begin } = useSession();
  const signIn = useCommand(staff ? "POST /auth/admin/sign-in" : "POST /auth/sign-in", { refreshes: [] });
  const form = useForm({
    mode: "uncontrolled",
    initialValues: { email: "", password: "" },
    validate: schemaResolver(schema, { sync: true }),
  });

  const submit = form.onSubmit(async (body) => {
    try {
      await signIn.run({ body: { ...body, email: body.email.trim() } });
      await begin();
    } catch (error) {
      form.setErrors(asFailure(error).fields);
    }
  });

  return (
    <main className={styles.page} id="content">
      <section className={styles.pitch} aria-label={product}>
        <ProductMark />
        <div>
          <p className={styles.pitchTitle}>{staff ? words.staffPitch : words.pitch}</p>
          {!staff && (
            <ul className={styles.points}>
              {words.pitchPoints.map((point) => (
                <li key={point}>
                  <IconCheck size={18} stroke={2.4} aria-hidden />
                  {point}
                </li>
              ))}
            </ul>
          )}
        </div>
      </section>
      <div className={styles.side}>
        <form className={styles.form} onSubmit={submit} noValidate>
          <div className={styles.smallMark}>
            <ProductMark />
          </div>
          <h1 className={styles.title}>{staff ? words.staff : words.seller}</h1>
          <p className={styles.hint}>{staff ? words.staffHint : words.sellerHint}</p>
          <ServerMessage message={signIn.failure?.message} onClose={signIn.reset} />
          <TextInput
            label={words.email}
            type="email"
            autoComplete="username"
            size="md"
            autoFocus
            key={form.key("email")}
            {...form.getInputProps("email")}
          />
          <PasswordInput
            label={words.password}
            autoComplete="current-password"
            size="md"
            visibilityToggleButtonProps={{ "aria-label": words.showPassword }}
            key={form.key("password")}
            {...form.getInputProps("password")}
          />
          <Button type="submit" size="md" fullWidth loading={signIn.running}>
            {words.submit}
          </Button>
        </form>
      </div>
    </main>
  );
}
