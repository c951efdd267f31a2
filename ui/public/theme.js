// Sets the remembered theme, or else the system's, before the first paint. A separate file, because the
// Content-Security-Policy allows no inline script. The key is app/theme.ts's THEME_KEY.
(() => {
  let theme = null;
  try {
    theme = localStorage.getItem("razao-theme");
  } catch {
    // Storage is switched off. The system's theme applies.
  }
  const system = window.matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  const chosen = theme === "dark" || theme === "light" ? theme : system;
  document.documentElement.setAttribute("data-mantine-color-scheme", chosen);
})();
