import {screenOnlyReason} from '#cli/plain/plain-commands.ts';
import {keysMarkdown} from '#cli/verbs/keys.ts';
import {exitCodeRows} from '#cli/verbs/verb-help.ts';
import {verbNames, verbOf} from '#cli/verbs/verb-table.ts';
import {commandTable} from '#commands/command-table.ts';
import {defaultKeymap, keyTable} from '#commands/keymap.ts';
import {allowedText, type ConfigSetting, settingTable} from '#config/settings.ts';
import {roleStyles} from '#theme/roles.ts';
import {endpointsMarkdown} from './endpoint-table.ts';
import {operationsMarkdown} from './operations-table.ts';

/** The parts of the manual and of `src/` that are generated from records, each between comments with its name. */
export const manualTables = [
  {file: 'assets/help/command-line.md', name: 'verbs', text: verbsMarkdown()},
  {file: 'assets/help/operations.md', name: 'operations', text: operationsMarkdown()},
  {file: 'assets/help/settings.md', name: 'settings', text: settingsMarkdown()},
  {file: 'assets/help/terminals.md', name: 'roles', text: rolesText()},
  {file: 'assets/help/keys.md', name: 'keys', text: keysMarkdown(keyTable(defaultKeymap, commandTable))},
  {file: 'assets/help/screen-readers.md', name: 'screen-commands', text: screenCommandsMarkdown()},
  {file: 'src/server/endpoints.md', name: 'endpoints', text: endpointsMarkdown()},
] as const;

/** Returns the chapter with the current table. Throws when it has no place for it. */
export function withTable(chapter: string, {name, text}: (typeof manualTables)[number]): string {
  const marked = new RegExp(`<!-- ${name} -->[\\s\\S]*<!-- /${name} -->`);
  if (!marked.test(chapter)) throw new Error(`The comments <!-- ${name} --> and <!-- /${name} --> are missing.`);
  return chapter.replace(marked, () => `<!-- ${name} -->\n\n${text}\n\n<!-- /${name} -->`);
}

function table(heads: readonly string[], rows: readonly (readonly unknown[])[]): string {
  return [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Returns the tables of verbs and exit codes. */
function verbsMarkdown(): string {
  const verbs = verbNames.flatMap((name) => {
    const {usage, summary} = verbOf(name);
    const usages = usage.map((each) => `\`${`parley ${name} ${each}`.trimEnd().replaceAll('|', '\\|')}\``);
    return usages.map((each, at) => [each, at === 0 ? summary : '']);
  });
  return [table(['verb', 'does'], verbs), table(['exit code', 'means'], exitCodeRows())].join('\n\n');
}

/** Returns what `parley --plain` says about the commands that it does not have. */
function screenCommandsMarkdown(): string {
  const commands = [...commandTable.values()].filter(({isKeyOnly}) => isKeyOnly !== true);
  const sentences = [...new Set(commands.flatMap((command) => screenOnlyReason(command) ?? []))];
  const rows = sentences.map((sentence) => {
    const titles = commands.filter((command) => screenOnlyReason(command) === sentence).map(({title}) => title);
    return [titles.join('; '), sentence];
  });
  return table(['commands', 'answer'], rows);
}

/** Returns the names that a theme can use in its roles. */
function rolesText(): string {
  return `Roles: ${Object.keys(roleStyles)
    .map((role) => `\`${role}\``)
    .join(', ')}.`;
}

function settingsMarkdown(): string {
  const rows = Object.values<ConfigSetting>(settingTable).map((setting) => [
    `\`${setting.name}\``,
    `\`${JSON.stringify(setting.default)}\``,
    allowedText(setting),
    setting.description,
  ]);
  return table(['setting', 'default', 'may be', 'does'], rows);
}
