/** The longest command line. Messages come by standard input. */
const maxLength = 64 * 1024;

/**
 * Splits the command of a client into words, as a shell does with quotes and backslashes; nothing else has a meaning. Returns the
 * problem of a command that cannot be split.
 */
export function splitCommand(text: string): readonly string[] | {readonly problem: string} {
  if (text.length > maxLength) return {problem: 'The command is too long. Send long texts by standard input.'};
  if (text.includes('\0')) return {problem: 'The command contains a character that is not allowed.'};
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? '';
    if (quote !== '') {
      if (char === quote) quote = '';
      else if (char === '\\' && quote === '"' && /["\\]/.test(text[at + 1] ?? '')) word += text[++at] ?? '';
      else word += char;
    } else if (/\s/.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else {
      word ??= '';
      if (char === "'" || char === '"') quote = char;
      else if (char === '\\') word += text[++at] ?? '';
      else word += char;
    }
  }
  if (quote !== '') return {problem: `The command has an opening ${quote} without a closing one.`};
  if (word !== undefined) words.push(word);
  return words;
}

const names = /^(?:TERM|COLORTERM|LANG|TZ|LC_[A-Z]{1,20})$/;
const values = /^[A-Za-z0-9][\w.@+/-]{0,63}$/;

/** Returns whether a variable of a client is given to its session. */
export function isAcceptedVariable(name: string, value: string): boolean {
  if (!names.test(name) || !values.test(value)) return false;
  return name !== 'TZ' || isTimeZone(value);
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', {timeZone: name});
    return true;
  } catch {
    return false;
  }
}

const [maxColumns, maxRows] = [600, 300];

/** Returns the size of a client's terminal within what a session can draw. */
export function terminalSizeOf({cols, rows}: {readonly cols: number; readonly rows: number}) {
  const within = (value: number, usual: number, most: number) => Math.min(most, value > 0 ? value : usual);
  return {columns: within(cols, 80, maxColumns), rows: within(rows, 24, maxRows)};
}
