import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {commandTable} from '#commands/command-table.ts';
import {defaultKeys} from '#commands/default-keys.ts';
import {pathsOf} from '#config/paths.ts';
import {stranger, unreachableServer, verbFixture} from './verb-fixture.ts';

function withKeys(toml: string) {
  const {run, home} = verbFixture(unreachableServer, stranger);
  const {config} = pathsOf({}, home);
  mkdirSync(config, {recursive: true});
  writeFileSync(join(config, 'keys.toml'), toml);
  return run;
}

test('keys: every key of the table has an existing command', () => {
  const bound = Object.values(defaultKeys).flatMap((keys) => Object.keys(keys));
  expect(bound.filter((id) => !commandTable.has(id))).toEqual([]);
});

test('keys: the current keys are printed by context', async () => {
  const {code, out} = await verbFixture(unreachableServer, stranger).run('keys', []);
  expect(code).toBe(0);
  expect(out).toMatch(/^Everywhere$/m);
  expect(out).toMatch(/^ {2}Ctrl-Z +Suspend/m);
  expect(out).toMatch(/^ {2}Alt-1…Alt-9 /m);
});

test('keys: keys.toml changes the keys, and its problems are printed', async () => {
  const run = withKeys('[nav]\n"Ctrl-Y" = "view.inbox"\nI = "-"\n"g q" = "no.such"\n');
  const {out, err} = await run('keys', ['--json']);
  const rows: {context: string; id: string; keys: string[]}[] = JSON.parse(out);
  const inbox = rows.find(({context, id}) => context === 'nav' && id === 'view.inbox');
  expect(inbox?.keys).toContain('Ctrl-Y');
  expect(inbox?.keys).not.toContain('I');
  expect(err).toContain('there is no command “no.such”');
});

test('keys: --probe without a terminal is refused', async () => {
  expect(await verbFixture(unreachableServer, stranger).run('keys', ['--probe'])).toMatchObject({
    code: 2,
    out: '',
  });
});
