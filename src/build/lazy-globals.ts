/**
 * Takes the place of `Intl.Segmenter` in the bundle. Packages make one while they load, which takes 26 ms, and few starts
 * use it.
 */
export class LazySegmenter {
  readonly #parameters: ConstructorParameters<typeof Intl.Segmenter>;
  #made: Intl.Segmenter | undefined;

  constructor(...parameters: ConstructorParameters<typeof Intl.Segmenter>) {
    this.#parameters = parameters;
  }

  segment(text: string): Intl.Segments {
    // Through `globalThis`, because the bundle replaces the plain name.
    this.#made ??= new globalThis.Intl.Segmenter(...this.#parameters);
    return this.#made.segment(text);
  }
}

/** Takes the place of `performance` in the bundle, whose first use loads a dozen of Node's modules. */
export const SmallPerformance = {
  now(): number {
    const [seconds, nanoseconds] = process.hrtime();
    return seconds * 1000 + nanoseconds / 1e6;
  },
};
