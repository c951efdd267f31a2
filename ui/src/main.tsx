// Starts the panel in the page.
import "@fontsource-variable/inter/wght.css";
import "./app/mantine.css";
import "./app/global.css";
import { setNonce } from "get-nonce";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { watchPageUnload } from "./api/pageUnload";
import { styleNonce } from "./api/panel";
import { App } from "./app/App";

// Mantine's scroll lock writes its own style and gets the nonce from get-nonce.
setNonce(styleNonce);

watchPageUnload();

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
