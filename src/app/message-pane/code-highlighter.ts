import type {App} from '#app/core/app.ts';
import {highlightCode, isHighlightable} from '#content/highlight/highlight-code.ts';
import type {RenderOptions} from '#content/render/render-options.ts';
import type {Span} from '#content/styled-text/line.ts';
import {LruCache, objectBytes} from '#std/lru-cache.ts';

type Highlight = NonNullable<RenderOptions['highlight']>;

type HighlightedLines = readonly (readonly Span[])[];

interface HighlightedCode {
  readonly lines: HighlightedLines | undefined;
}

/** Estimates the bytes of highlighted code: its source as the key, its text again in spans. */
function highlightedBytes({lines = []}: HighlightedCode, key: string): number {
  return 2 * key.length + lines.reduce((total, spans) => total + objectBytes * (1 + spans.length), 2 * objectBytes);
}

/** Highlights visible code asynchronously: code is painted plain first, and again when its colours are ready. */
export class CodeHighlighter {
  readonly #app: App;
  readonly #ready = new LruCache<string, HighlightedCode>(2 * 1024 * 1024, highlightedBytes);
  readonly #missing = new Map<string, {readonly language: string; readonly code: string}>();
  #isBusy = false;

  constructor(app: App) {
    this.#app = app;
    app.setDisplay({highlight: this.#newHighlight()});
  }

  /** Highlights the code that the last frame lacked colours for. */
  highlightMissing(): void {
    if (this.#isBusy || this.#missing.size === 0) return;
    this.#isBusy = true;
    void this.#highlightAll();
  }

  async #highlightAll(): Promise<void> {
    let isNew = false;
    for (const [key, {language, code}] of [...this.#missing]) {
      const lines = await highlightCode(language, code);
      this.#missing.delete(key);
      this.#ready.set(key, {lines});
      isNew ||= lines !== undefined;
    }
    this.#isBusy = false;
    if (isNew) this.#app.setDisplay({highlight: this.#newHighlight()});
  }

  /** Returns a new function each time, so that memoized lines notice the new colours. */
  #newHighlight(): Highlight {
    return (language, code) => {
      if (!isHighlightable(language)) return undefined;
      const key = `${language}\n${code}`;
      const ready = this.#ready.get(key);
      if (ready === undefined) this.#missing.set(key, {language, code});
      return ready?.lines;
    };
  }
}
