// Switches between light and dark: applied at once, kept in this browser for the first paint, and saved with the user.
import { ActionIcon, useComputedColorScheme, useMantineColorScheme } from "@mantine/core";
import { IconMoon, IconSun } from "@tabler/icons-react";
import { useEffect } from "react";
import { accountCalls, ME } from "../api/accountCalls";
import { useCommand } from "../api/hooks";
import { useSession } from "../api/session";
import { strings } from "../strings/pt-BR";

/** Applies the theme that is saved with the signed-in user, when it is read first and when it changes. */
export function useThemeOfUser() {
  const theme = useSession().user?.theme;
  const { setColorScheme } = useMantineColorScheme();
  useEffect(() => {
    if (theme) setColorScheme(theme);
  }, [theme, setColorScheme]);
}

export function ThemeToggle() {
  const { setColorScheme } = useMantineColorScheme();
  const { run } = useCommand(accountCalls.changeMe, { refreshes: [ME] });
  const dark = useComputedColorScheme("light", { getInitialValueInEffect: false }) === "dark";
  const toggle = () => {
    const theme = dark ? "light" : "dark";
    setColorScheme(theme);
    // A failed save is ignored: the theme still applies in this browser.
    run({ body: { theme } }).catch(() => undefined);
  };
  return (
    <ActionIcon
      variant="default"
      size={36}
      onClick={toggle}
      aria-label={dark ? strings.shell.toLight : strings.shell.toDark}
    >
      {dark ? <IconSun size={18} aria-hidden /> : <IconMoon size={18} aria-hidden />}
    </ActionIcon>
  );
}
