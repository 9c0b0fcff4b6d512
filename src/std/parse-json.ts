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
