/** npm run docs: regenerates the manual's tables. Tests compare them with the records they are generated from. */
import {readFileSync, writeFileSync} from 'node:fs';
import {defaultKeysMarkdown} from '#cli/verbs/keys.ts';
import {verbMarkdown} from '#cli/verbs/verb-help.ts';
import {settingsMarkdown} from '#config/settings.ts';

const tables = [
  {file: 'assets/help/command-line.md', name: 'verbs', table: verbMarkdown()},
  {file: 'assets/help/settings.md', name: 'settings', table: settingsMarkdown()},
  {file: 'assets/help/keys.md', name: 'keys', table: defaultKeysMarkdown()},
];

for (const {file, name, table} of tables) {
  const marked = new RegExp(`<!-- ${name} -->[\\s\\S]*<!-- /${name} -->`);
  const text = readFileSync(file, 'utf8');
  writeFileSync(
    file,
    text.replace(marked, () => `<!-- ${name} -->\n\n${table}\n\n<!-- /${name} -->`),
  );
}
