/** Returns JSON as Zulip's servers store it: a space after each comma and colon, ASCII only. */
export function spacedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spacedJson).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return asciiJson(value);
  return `{${Object.entries(value)
    .map(([key, item]) => `${asciiJson(key)}: ${spacedJson(item)}`)
    .join(', ')}}`;
}

function asciiJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
