/** npm run docs: writes README's tables anew. Tests compare them with what they are made from. */
import {readFileSync, writeFileSync} from 'node:fs';
import {verbMarkdown} from '#cli/verbs/help.ts';
import {keysTable} from '#cli/verbs/keys.ts';
import {settingsTable} from '#config/settings.ts';

const tables = {verbs: verbMarkdown(), settings: settingsTable(), keys: keysTable()};

let readme = readFileSync('README.md', 'utf8');
for (const [name, table] of Object.entries(tables)) {
  const marked = new RegExp(`<!-- ${name} -->[\\s\\S]*<!-- /${name} -->`);
  readme = readme.replace(marked, () => `<!-- ${name} -->\n\n${table}\n\n<!-- /${name} -->`);
}
writeFileSync('README.md', readme);
