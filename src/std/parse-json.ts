/** As many as Zulip's servers read. */
const maxDepth = 200;

/**
 * Parses JSON from outside. Throws a SyntaxError also for more than 200 nested lists and objects: code that follows them
 * recursively, such as `JSON.stringify`, would exceed the stack.
 */
export function parseJson(text: string): unknown {
  // Each level has two brackets.
  if (text.length > 2 * maxDepth && isTooDeep(text)) throw new SyntaxError('Too many nested lists and objects');
  return JSON.parse(text);
}

function isTooDeep(text: string): boolean {
  let depth = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length && depth <= maxDepth; at++) {
    const char = text[at];
    if (char === '\\') at++;
    else if (char === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (char === '[' || char === '{') depth++;
    else if (char === ']' || char === '}') depth--;
  }
  return depth > maxDepth;
}

/** Parses JSON that Parley or a server wrote; undefined for no text, and for one that is not JSON. */
export function parsedJson(text: unknown): unknown {
  try {
    return typeof text === 'string' ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns whether a parsed value is an object and no list. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
