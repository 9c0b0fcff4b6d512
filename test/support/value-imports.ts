import {readFileSync} from 'node:fs';

/** Returns what a source file imports statically, except types. */
export function valueImportsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  const statements = text.matchAll(/^(?:import|export)\s+(?!type\b)([^;']*?)\bfrom\s*'([^']+)'|^import\s*'([^']+)'/gm);
  return [...statements].flatMap(([, what, from, bare]) => {
    const named = /^\{([^}]*)\}\s*$/
      .exec(what ?? '')?.[1]
      ?.split(',')
      .map((name) => name.trim());
    const isOfTypes = named?.every((name) => name === '' || name.startsWith('type ')) ?? false;
    return isOfTypes ? [] : [from ?? bare ?? ''];
  });
}
