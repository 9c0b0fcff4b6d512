import {exitCodes} from '#cli/exit-codes.ts';
import {print, printJson, printNotice} from '#cli/io.ts';
import {loadUserKeys} from '#cli/screen/load-user-keys.ts';
import {UsageError} from '#cli/usage-error.ts';
import {commandTable} from '#commands/command-table.ts';
import {contextTitles, type KeyTableRow, keyTable} from '#commands/key-table.ts';
import {defaultKeymap} from '#commands/keymap.ts';
import {pathsOf} from '#config/paths.ts';
import {textColumns} from '#content/styled-text/text-width.ts';
import type {VerbRunner} from './run.ts';

export const keys: VerbRunner<'keys'> = async ({values}, io, signal) => {
  if (values.probe) {
    if (!io.inputIsTty || !io.outputIsTty)
      throw new UsageError('“parley keys --probe” needs a terminal to listen to.');
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

/** One part per place. */
function keysText(rows: readonly KeyTableRow[]): string {
  const keysOf = rows.map(({keys: pressed}) => folded(pressed).join(', '));
  const width = Math.min(28, Math.max(...keysOf.map(textColumns)));
  const lines: string[] = [];
  for (const [at, {context, title, id}] of rows.entries()) {
    if (context !== rows[at - 1]?.context) lines.push(...(at === 0 ? [] : ['']), contextTitles[context]);
    const pressed = keysOf[at] ?? '';
    const padding = ' '.repeat(Math.max(0, width - textColumns(pressed)));
    lines.push(`  ${pressed}${padding}  ${title}  (${id})`);
  }
  return lines.join('\n');
}

/** The table between README's `keys` marks: the keys that everybody begins with. */
export function defaultKeysMarkdown(): string {
  return keysMarkdown(keyTable(defaultKeymap, commandTable));
}

function keysMarkdown(rows: readonly KeyTableRow[]): string {
  const lines: string[] = [];
  for (const [at, {context, keys: pressed, title, id}] of rows.entries()) {
    if (context !== rows[at - 1]?.context) {
      lines.push(...(at === 0 ? [] : ['']), `**${contextTitles[context]}** (\`${context}\`)`, '');
      lines.push('| keys | does | command |', '| --- | --- | --- |');
    }
    lines.push(`| ${folded(pressed).map(shownKey).join(' ')} | ${cell(title)} | \`${id}\` |`);
  }
  return lines.join('\n');
}

/** `Alt-1`, `Alt-2` … `Alt-9` as `Alt-1…Alt-9`. */
function folded(pressed: readonly string[]): readonly string[] {
  const [first = '', last = ''] = [pressed[0], pressed.at(-1)];
  const isRow = pressed.every((key, at) => key === first.replace(/1$/, String(at + 1)));
  return pressed.length > 3 && isRow ? [`${first}…${last}`] : pressed;
}

/** A backtick cannot stand in single backticks, and a bar ends the cell. */
function shownKey(key: string): string {
  return key.includes('`') ? `\`\` ${key} \`\`` : `\`${key.replaceAll('|', '\\|')}\``;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
