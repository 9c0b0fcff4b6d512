import {ConfigError} from './config-error.ts';

export interface IniValue {
  readonly value: string;
  /** From 1. */
  readonly line: number;
}

/**
 * One section of a file as Python's ConfigParser reads it: names in any case, `=` or `:`, whole-line comments with `#` or
 * `;`, and lines that go on with the value above because they are indented further than its name. More forgiving in one
 * thing: a section or name may be repeated, and the last one counts. What other sections hold is not looked at.
 */
export function parseIniSection(text: string, section: string, file: string): ReadonlyMap<string, IniValue> {
  const values = new Map<string, IniValue>();
  let current: string | undefined;
  let open: string | undefined;
  let indent = 0;
  for (const [index, raw] of lines(text).entries()) {
    const line = index + 1;
    const content = raw.trim();
    if (content === '' || /^[#;]/.test(content)) continue;
    const header = /^\[([^\]]+)\]$/.exec(content);
    if (header !== null) {
      current = header[1]?.trim().toLowerCase();
      open = undefined;
      continue;
    }
    if (current === undefined) throw new ConfigError(`Line ${line} of ${file} stands before any [section].`);
    if (current !== section) continue;
    const depth = raw.length - raw.trimStart().length;
    const above = open === undefined || depth <= indent ? undefined : values.get(open);
    if (above !== undefined && open !== undefined) {
      values.set(open, {...above, value: `${above.value}\n${content}`});
      continue;
    }
    const entry = /^([^=:]*[^=:\s])\s*[=:]\s*(.*)$/.exec(content);
    // The line itself is not shown: it may hold the key.
    if (entry === null)
      throw new ConfigError(`Line ${line} of ${file} is neither “name = value” nor a comment.`);
    indent = depth;
    open = entry[1]?.toLowerCase() ?? '';
    values.set(open, {value: entry[2] ?? '', line});
  }
  return values;
}

export function hasIniSection(text: string, section: string): boolean {
  return lines(text).some((line) => line.trim().toLowerCase() === `[${section}]`);
}

function lines(text: string): string[] {
  return text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
}
