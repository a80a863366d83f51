// Formulas in TeX, a line of JSON each, to HTML with MathML. The address of KaTeX is the argument.
import { createInterface } from "node:readline";

const { default: katex } = await import(process.argv[2]);
for await (const line of createInterface({ input: process.stdin })) {
  const { formula, display } = JSON.parse(line);
  let answer;
  try {
    const html = katex.renderToString(formula, { displayMode: display, strict: "error" });
    answer = { html: display ? `<div class="math">${html}</div>` : html };
  } catch (error) {
    answer = { error: error.message };
  }
  console.log(JSON.stringify(answer));
}
