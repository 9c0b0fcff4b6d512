import type {ReadExport, Row} from './read-export.ts';

/** A rule about several rows or tables. It yields a sentence for each violation, and `undefined` for each check. */
export interface Trap {
  readonly name: string;
  check(data: ReadExport): Iterable<string | undefined>;
}

export const problem = (isWrong: boolean, text: () => string) => (isWrong ? text() : undefined);
export const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
export const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Yields a sentence for each key that an earlier row has too. */
export function* unique(rows: Iterable<Row>, what: string, key: (row: Row) => unknown): Generator<string | undefined> {
  const seen = new Set<unknown>();
  for (const row of rows) {
    const value = key(row);
    yield problem(seen.has(value), () => `${what} ${JSON.stringify(value)} twice`);
    seen.add(value);
  }
}
