// One script for the page: `node build.mjs OUTPUT`.
import { build } from "esbuild";

await build({
  entryPoints: ["src/main.ts"],
  outfile: process.argv[2],
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2022",
  charset: "ascii",
  legalComments: "inline",
  loader: { ".css": "text" },
  logLevel: "warning",
});
