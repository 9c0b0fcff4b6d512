import {LruCache} from '#std/lru-cache.ts';
import type {ScreenRow} from './screen-row.ts';

/** The line diff is given text alone; this is what the text was made from. A few frames, since some are not written. */
const rows = new LruCache<string, ScreenRow>(1024);

export function cacheRow(row: ScreenRow): void {
  rows.set(row.text, row);
}

export function cachedRow(text: string): ScreenRow | undefined {
  return rows.get(text);
}
