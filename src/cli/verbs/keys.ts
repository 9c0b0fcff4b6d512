import {exitCodes} from '#cli/exit-codes.ts';
import {print, printJson, printNotice} from '#cli/io.ts';
import {loadUserKeys} from '#cli/screen/load-user-keys.ts';
import {UsageError} from '#cli/usage-error.ts';
import {commandTable} from '#commands/command-table.ts';
import {contextTitles, type KeyTableRow, keyTable} from '#commands/key-table.ts';
import {defaultKeymap} from '#commands/keymap.ts';
import {pathsOf} from '#config/paths.ts';
import {textColumns} from '#content/styled-text/text-width.ts';
import type {VerbRunner} from './verb-runner.ts';

export const keys: VerbRunner<'keys'> = async ({values}, io, signal) => {
  if (values.probe) {
    if (!io.inputIsTty || !io.outputIsTty) throw new UsageError('“parley keys --probe” needs a terminal.');
    const {probeKeys} = await import('./probe-keys.ts');
    return probeKeys(io, signal);
  }
  const {keymap, problems} = loadUserKeys(pathsOf(io.env, io.home), io.home);
  for (const problem of problems) printNotice(io, problem);
  const rows = keyTable(keymap, commandTable);
  if (values.json) printJson(io, rows);
  else print(io, values.markdown ? keysMarkdown(rows) : keysText(rows));
  return exitCodes.ok;
};

/** Formats the keys, one section for each context. */
function keysText(rows: readonly KeyTableRow[]): string {
  const keysOf = rows.map(({keys: keyNames}) => foldRange(keyNames).join(', '));
  const width = Math.min(28, Math.max(...keysOf.map(textColumns)));
  const lines: string[] = [];
  for (const [at, {context, title, id}] of rows.entries()) {
    if (context !== rows[at - 1]?.context) lines.push(...(at === 0 ? [] : ['']), contextTitles[context]);
    const keyNames = keysOf[at] ?? '';
    const padding = ' '.repeat(Math.max(0, width - textColumns(keyNames)));
    lines.push(`  ${keyNames}${padding}  ${title}  (${id})`);
  }
  return lines.join('\n');
}

/** Returns the default keys for the manual, in Markdown. */
export function defaultKeysMarkdown(): string {
  return keysMarkdown(keyTable(defaultKeymap, commandTable));
}

function keysMarkdown(rows: readonly KeyTableRow[]): string {
  const lines: string[] = [];
  for (const [at, {context, keys: keyNames, title, id}] of rows.entries()) {
    if (context !== rows[at - 1]?.context) {
      lines.push(...(at === 0 ? [] : ['']), `**${contextTitles[context]}** (\`${context}\`)`, '');
      lines.push('| keys | does | command |', '| --- | --- | --- |');
    }
    lines.push(`| ${foldRange(keyNames).map(keyMarkdown).join(' ')} | ${cell(title)} | \`${id}\` |`);
  }
  return lines.join('\n');
}

/** Folds `Alt-1`, `Alt-2` … `Alt-9` into `Alt-1…Alt-9`. */
function foldRange(keyNames: readonly string[]): readonly string[] {
  const [first = '', last = ''] = [keyNames[0], keyNames.at(-1)];
  const isRow = keyNames.every((key, at) => key === first.replace(/1$/, String(at + 1)));
  return keyNames.length > 3 && isRow ? [`${first}…${last}`] : keyNames;
}

/** Formats a key as code. A backtick needs double backticks, and a bar would end the table cell. */
function keyMarkdown(key: string): string {
  return key.includes('`') ? `\`\` ${key} \`\`` : `\`${key.replaceAll('|', '\\|')}\``;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
