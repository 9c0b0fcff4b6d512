import type {Json} from './recording.ts';

/** Returns JSON with sorted keys, so that equal values have equal texts. */
export function sortedJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(sortedJson).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([key, item]) => `${JSON.stringify(key)}: ${sortedJson(item)}`).join(', ')}}`;
}

/** Returns a value for a report: a text as it is, anything else as JSON, cut at the end. */
export function shown(value: Json, maxLength = 220): string {
  const text = typeof value === 'string' ? value : sortedJson(value);
  return text.length <= maxLength ? text : `${text.slice(0, maxLength)}…`;
}

export function kindOf(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float';
  return {boolean: 'bool', string: 'str', object: 'object'}[typeof value as 'boolean' | 'string' | 'object'];
}

/** Returns the source of a regular expression that matches this text. */
export function literalPattern(text: string): string {
  return text.replaceAll(/[\\^$.|?*+()[\]{}]/g, '\\$&');
}
