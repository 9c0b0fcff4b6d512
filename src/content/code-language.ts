import {readAsset} from '#std/program-files.ts';

let languages: ReadonlyMap<string, readonly string[]> | undefined;
let nameByAlias: ReadonlyMap<string, string> | undefined;

/** Returns the display name of every known language with the aliases that users type after a fence. Reads the file on first use. */
export function codeLanguages(): ReadonlyMap<string, readonly string[]> {
  if (languages === undefined) {
    const file: Record<string, string[]> = JSON.parse(readAsset('content/code-languages.json'));
    languages = new Map(Object.entries(file));
  }
  return languages;
}

/** Returns the display name of a language typed after a fence (`js` → `JavaScript`); an unknown one is returned as typed. */
export function codeLanguageName(alias: string): string {
  nameByAlias ??= new Map(
    Array.from(codeLanguages(), ([name, aliases]) => aliases.map((each) => [each.toLowerCase(), name] as const)).flat(),
  );
  return nameByAlias.get(alias.toLowerCase()) ?? alias;
}
