// The checkout's page: its styles are written into it, so that the first paint needs one answer. Vite's server opens it
// under the addresses that the gateway serves.
import type { Plugin } from "vite";

const ADDRESS = /^\/(pl|b|transacao)\//;
const STYLESHEET = /\s*<link rel="stylesheet"[^>]*href="\/([^"]+)"[^>]*>/g;

/** The styles as an element. A `</` in their text is escaped, so that it does not end the element. */
const asElement = (styles: string) =>
  `\n    <style nonce="">${styles.trim().replaceAll("</", "<\\/")}</style>`;

export function checkoutPage(): Plugin {
  return {
    name: "checkout-page",
    transformIndexHtml: {
      order: "post",
      handler: (html, { bundle }) =>
        html.replace(STYLESHEET, (link, file: string) => {
          const asset = bundle?.[file];
          if (asset?.type !== "asset") return link;
          delete bundle?.[file];
          return asElement(String(asset.source));
        }),
    },
    configureServer({ middlewares }) {
      middlewares.use((request, _response, next) => {
        if (ADDRESS.test(request.url ?? "")) request.url = "/checkout/index.html";
        next();
      });
    },
  };
}
