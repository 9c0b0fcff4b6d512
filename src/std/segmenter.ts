const segmenters = new Map<string, Intl.Segmenter>();

/** Returns the segmenter of Unicode's graphemes or words. It is made on first use: loading its tables takes 20 ms. */
export function segmenter(granularity: 'grapheme' | 'word'): Intl.Segmenter {
  let made = segmenters.get(granularity);
  if (made === undefined) {
    made = new Intl.Segmenter('en', {granularity});
    segmenters.set(granularity, made);
  }
  return made;
}
