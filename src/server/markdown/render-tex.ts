import {createRequire} from 'node:module';
import {once} from '#std/once.ts';

type Katex = {renderToString: (tex: string, options: Record<string, unknown>) => string};

/**
 * Loads KaTeX on first use: it takes some 30 ms, and few messages contain a formula. The bundle contains it because of
 * `require`, which the sources do not have.
 */
const loadKatex = once((): Katex => (typeof require === 'function' ? require('katex') : sourceRequire()('katex')));

function sourceRequire(): NodeJS.Require {
  return createRequire(import.meta.url);
}

/** Longer formulas are shown as source: rendering time can grow faster than their length. */
const maxLength = 2000;

/** Returns the HTML of a formula, or undefined when KaTeX cannot parse it. */
export function renderTex(tex: string, display: boolean): string | undefined {
  if (tex.length > maxLength) return undefined;
  try {
    return loadKatex().renderToString(tex, {displayMode: display, strict: false, maxExpand: 200});
  } catch {
    return undefined;
  }
}
