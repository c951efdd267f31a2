// Writes a compressed copy of each script, style and SVG image of the bundle. The gateway serves the copies.
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { constants, gzipSync } from "node:zlib";
import type { Plugin } from "vite";

const COMPRESSIBLE = /\.(js|css|svg)$/;

export function compressedAssets(): Plugin {
  let folder = "";
  return {
    name: "compressed-assets",
    apply: "build",
    configResolved({ root, build }) {
      folder = resolve(root, build.outDir);
    },
    // Not `generateBundle`: only the written files are final.
    writeBundle(_options, bundle) {
      for (const file of Object.keys(bundle).filter((name) => COMPRESSIBLE.test(name))) {
        const path = join(folder, file);
        writeFileSync(`${path}.gz`, gzipSync(readFileSync(path), { level: constants.Z_BEST_COMPRESSION }));
      }
    },
  };
}
