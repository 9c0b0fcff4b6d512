import {defaultKeysMarkdown} from '#cli/verbs/keys.ts';
import {environmentVariables, examples, files, rowsMarkdown} from '#cli/verbs/manual.ts';
import {operationsMarkdown} from '#cli/verbs/operations-table.ts';
import {verbMarkdown} from '#cli/verbs/verb-help.ts';
import {settingsMarkdown} from '#config/settings.ts';
import {endpointsMarkdown} from './endpoint-table.ts';

/** The parts of the manual and of `src/` that are generated from records, each between comments with its name. */
export const manualTables = [
  {file: 'assets/help/command-line.md', name: 'examples', text: `\`\`\`sh\n${examples.join('\n')}\n\`\`\``},
  {file: 'assets/help/command-line.md', name: 'verbs', text: verbMarkdown()},
  {file: 'assets/help/operations.md', name: 'operations', text: operationsMarkdown()},
  {file: 'assets/help/settings.md', name: 'settings', text: settingsMarkdown()},
  {
    file: 'assets/help/settings.md',
    name: 'environment',
    text: rowsMarkdown(['variable', 'meaning'], environmentVariables),
  },
  {file: 'assets/help/offline-and-privacy.md', name: 'files', text: rowsMarkdown(['path', 'contents'], files)},
  {file: 'assets/help/keys.md', name: 'keys', text: defaultKeysMarkdown()},
  {file: 'src/server/endpoints.md', name: 'endpoints', text: endpointsMarkdown()},
] as const;

/** Returns the chapter with the current table. Throws when it has no place for it. */
export function withTable(chapter: string, {name, text}: (typeof manualTables)[number]): string {
  const marked = new RegExp(`<!-- ${name} -->[\\s\\S]*<!-- /${name} -->`);
  if (!marked.test(chapter)) throw new Error(`The comments <!-- ${name} --> and <!-- /${name} --> are missing.`);
  return chapter.replace(marked, () => `<!-- ${name} -->\n\n${text}\n\n<!-- /${name} -->`);
}
