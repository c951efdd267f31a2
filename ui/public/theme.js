// Sets the remembered theme before the first paint. A file of its own, because the
// Content-Security-Policy allows no inline script. The key is app/theme.ts's THEME_KEY.
(() => {
  try {
    if (localStorage.getItem("razao-theme") === "dark") {
      document.documentElement.setAttribute("data-mantine-color-scheme", "dark");
    }
  } catch {
    // Storage may be switched off: light, then.
  }
})();
