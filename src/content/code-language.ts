import {codeLanguageTable} from './code-language-table.ts';

let names: Map<string, string> | undefined;

/** The display name of a language typed after a fence (`js` is JavaScript); what nobody knows stays as typed. */
export function codeLanguageName(alias: string): string {
  names ??= readTable();
  return names.get(alias.toLowerCase()) ?? alias;
}

function readTable(): Map<string, string> {
  const table = new Map<string, string>();
  for (const row of codeLanguageTable.trim().split('\n')) {
    const bar = row.indexOf('|');
    const name = row.slice(0, bar);
    for (const alias of row.slice(bar + 1).split(' ')) table.set(alias.toLowerCase(), name);
  }
  return table;
}
