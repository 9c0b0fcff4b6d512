import type {Terminal} from '#test/support/terminal/terminal.ts';

/**
 * Returns the first row that contains a text, and the rest of the row. It is fast, because it runs after every frame.
 */
export function rowWith(terminal: Terminal, text: string): string {
  for (let y = 0; y < terminal.size.rows; y++) {
    const row = terminal.row(y);
    if (row.includes(text)) return `${y} ${row}`;
  }
  return '';
}

/** Returns the first match on the screen, with its row. */
export function firstMatch(terminal: Terminal, pattern: RegExp): string {
  for (let y = 0; y < terminal.size.rows; y++) {
    const [match] = pattern.exec(terminal.row(y)) ?? [];
    if (match !== undefined) return `${y} ${match}`;
  }
  return '';
}
