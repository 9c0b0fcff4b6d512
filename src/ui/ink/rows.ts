import {Lru} from '#std/lru-cache.ts';
import type {Row} from './screen-row.ts';

/** The line diff is given text alone; this is what the text was made from. A few frames, since some are not written. */
const rows = new Lru<string, Row>(1024);

export function keepRow(row: Row): void {
  rows.set(row.text, row);
}

export function keptRow(text: string): Row | undefined {
  return rows.get(text);
}
