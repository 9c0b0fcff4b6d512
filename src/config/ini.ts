import {ConfigError} from './config-error.ts';

export interface IniValue {
  readonly value: string;
  /** The line number, from 1. */
  readonly line: number;
}

/**
 * Parses one section as Python's ConfigParser does: names in any case, `=` or `:`, whole-line comments with
 * `#` or `;`, and continuation lines that are indented further than the name. Unlike ConfigParser it accepts
 * repeated sections and names: the last one wins. Other sections are ignored.
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
    if (current === undefined) throw new ConfigError(`Line ${line} of ${file} comes before the first [section].`);
    if (current !== section) continue;
    const depth = raw.length - raw.trimStart().length;
    const above = open === undefined || depth <= indent ? undefined : values.get(open);
    if (above !== undefined && open !== undefined) {
      values.set(open, {...above, value: `${above.value}\n${content}`});
      continue;
    }
    const entry = /^([^=:]*[^=:\s])\s*[=:]\s*(.*)$/.exec(content);
    // The line itself is not shown: it may contain the API key.
    if (entry === null) throw new ConfigError(`Line ${line} of ${file} is neither “name = value” nor a comment.`);
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
