import {createRequire} from 'node:module';

type Katex = {renderToString: (tex: string, options: Record<string, unknown>) => string};

let katex: Katex | undefined;

/** KaTeX takes some 30 ms to load, and few messages hold a formula. */
function loadKatex(): Katex {
  katex ??= loadedKatex();
  return katex;
}

function loadedKatex(): Katex {
  const module: Katex = createRequire(import.meta.url)('katex');
  return module;
}

/** Longer formulas are shown as source: typesetting one can take more than its length suggests. */
const maxLength = 2000;

/** HTML for a formula, or undefined when it is not one KaTeX understands. */
export function renderTex(tex: string, display: boolean): string | undefined {
  if (tex.length > maxLength) return undefined;
  try {
    return loadKatex().renderToString(tex, {displayMode: display, strict: false, maxExpand: 200});
  } catch {
    return undefined;
  }
}
