import type {Terminal} from '#test/support/terminal/terminal.ts';

/** The first row that shows a text, as its number and what else is there; quick, for it is asked after every frame. */
export function rowWith(terminal: Terminal, text: string): string {
  for (let y = 0; y < terminal.size.rows; y++) {
    const row = terminal.row(y);
    if (row.includes(text)) return `${y} ${row}`;
  }
  return '';
}

/** The first match on the screen, with its row. */
export function firstMatch(terminal: Terminal, pattern: RegExp): string {
  for (let y = 0; y < terminal.size.rows; y++) {
    const [match] = pattern.exec(terminal.row(y)) ?? [];
    if (match !== undefined) return `${y} ${match}`;
  }
  return '';
}
