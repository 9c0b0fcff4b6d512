import type {App} from '#app/core/app.ts';
import {highlightCode, isHighlightable} from '#content/highlight/highlight-code.ts';
import type {RenderOptions} from '#content/render/render-options.ts';
import type {Span} from '#content/styled-text/line.ts';
import {LruCache} from '#std/lru-cache.ts';

type Highlight = NonNullable<RenderOptions['highlight']>;
type HighlightedLines = readonly (readonly Span[])[];

const mostKept = 300;

/** Colours for the code in sight: it is painted plain first, and again when they are ready. */
export class CodeHighlighter {
  readonly #app: App;
  readonly #ready = new LruCache<string, {readonly lines: HighlightedLines | undefined}>(mostKept);
  readonly #wanted = new Map<string, {readonly language: string; readonly code: string}>();
  #isBusy = false;

  constructor(app: App) {
    this.#app = app;
    app.setDisplay({highlight: this.#function()});
  }

  /** Between frames: colours what the last one lacked. */
  highlightMissing(): void {
    if (this.#isBusy || this.#wanted.size === 0) return;
    this.#isBusy = true;
    void this.#workAll();
  }

  async #workAll(): Promise<void> {
    let isNew = false;
    for (const [key, {language, code}] of [...this.#wanted]) {
      const lines = await highlightCode(language, code);
      this.#wanted.delete(key);
      this.#ready.set(key, {lines});
      isNew ||= lines !== undefined;
    }
    this.#isBusy = false;
    if (isNew) this.#app.setDisplay({highlight: this.#function()});
  }

  /** Another function each time, which tells those who keep lines that there are more colours. */
  #function(): Highlight {
    return (language, code) => {
      if (!isHighlightable(language)) return undefined;
      const key = `${language}\n${code}`;
      const ready = this.#ready.get(key);
      if (ready === undefined) this.#wanted.set(key, {language, code});
      return ready?.lines;
    };
  }
}
