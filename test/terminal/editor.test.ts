import {chmodSync, readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {type EditOutcome, editText} from '#terminal/editor.ts';
import {programRunner, type RunProgram} from '#terminal/run-program.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';

const header = ['To #backend > deploy', '', 'Carol: shall we?'];

/** Edits with a function as the editor: it gets the file's text and returns the text to save. */
async function edited(text: string, save: (text: string, path: string) => string | undefined, code = 0) {
  const directory = join(scratchDirectory(), 'run');
  const run: RunProgram = async (_command, args) => {
    const path = args[3] ?? '';
    const after = save(readFileSync(path, 'utf8'), path);
    if (after !== undefined) writeFileSync(path, after);
    return {kind: 'ended', code, output: ''};
  };
  const outcome = await editText({text, header}, {env: {EDITOR: 'ed'}, directory, run});
  return {outcome, left: readdirSync(directory)};
}

test('editor: the private file contains the header and the text', async () => {
  const seen: unknown[] = [];
  const {outcome, left} = await edited('hello\nworld', (text, path) => {
    seen.push(text, statSync(path).mode & 0o777, statSync(dirname(path)).mode & 0o777, path.endsWith('.md'));
    return undefined;
  });
  expect(seen).toEqual(['%% To #backend > deploy\n%%\n%% Carol: shall we?\n\nhello\nworld', 0o600, 0o700, true]);
  expect(outcome).toEqual({kind: 'unchanged', text: 'hello\nworld'});
  expect(left).toEqual([]);
});

test('editor: the text comes back without the header', async () => {
  const {outcome} = await edited('hello', (text) => text.replace('hello', 'hello there\n\n- one\n- two\n'));
  expect(outcome).toEqual({kind: 'changed', text: 'hello there\n\n- one\n- two'});
});

test('editor: a final line end or Windows line ends are no change', async () => {
  expect((await edited('hello', (text) => `${text}\n`)).outcome.kind).toBe('unchanged');
  expect((await edited('a\nb', (text) => `${text.replaceAll('\n', '\r\n')}\r\n`)).outcome.kind).toBe('unchanged');
});

test('editor: deleting everything, or only the header, works', async () => {
  expect((await edited('hello', () => '')).outcome).toEqual({kind: 'changed', text: ''});
  expect((await edited('hello', () => 'hello')).outcome).toEqual({kind: 'unchanged', text: 'hello'});
  expect((await edited('x', () => 'x')).outcome.kind).toBe('unchanged');
});

test('editor: lines that look like a header but are the user’s stay', async () => {
  const own = '%% my own\n%% To #backend > deploy\ntext';
  expect((await edited(own, () => undefined)).outcome).toEqual({kind: 'unchanged', text: own});
  expect((await edited('', () => '%% mine')).outcome).toEqual({kind: 'changed', text: '%% mine'});
});

test('editor: any text survives an editor that only saves', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({maxLength: 60}), async (text) => {
      const plain = text.toWellFormed().replaceAll('\r', '').replaceAll('\ufeff', '');
      const directory = join(scratchDirectory(), 'run');
      const run: RunProgram = async () => ({kind: 'ended', code: 0, output: ''});
      const outcome = await editText({text: plain, header}, {env: {EDITOR: 'ed'}, directory, run});
      expect(outcome).toEqual({kind: 'unchanged', text: plain});
    }),
    {numRuns: 30},
  );
});

test('editor: a failure returns the text and keeps the saved file', async () => {
  const same = await edited('hello', () => undefined, 1);
  expect(same.outcome).toEqual({
    kind: 'failed',
    text: 'hello',
    problem: 'The editor “ed” ended with code 1.',
  });
  expect(same.left).toEqual([]);
  const other: {outcome: EditOutcome} = await edited('hello', (text) => `${text} and more`, 1);
  expect(other.outcome).toMatchObject({kind: 'failed', text: 'hello'});
  const kept = other.outcome.kind === 'failed' ? (other.outcome.keptAt ?? '') : '';
  expect(readFileSync(kept, 'utf8')).toContain('hello and more');
});

test('editor: without a folder for the file no text is lost', async () => {
  const file = join(scratchDirectory(), 'file');
  writeFileSync(file, '');
  const run: RunProgram = () => Promise.reject(new Error('must not run'));
  const outcome = await editText({text: 'hello', header}, {env: {}, directory: join(file, 'x'), run});
  expect(outcome).toMatchObject({kind: 'failed', text: 'hello'});
});

/** Tests with real programs as editors. */
function programs(scripts: Readonly<Record<string, string>>) {
  const directory = scratchDirectory();
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(join(directory, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(directory, name), 0o755);
  }
  return {PATH: `${directory}:/usr/bin:/bin`};
}

test('editor: $VISUAL comes before $EDITOR, and either may contain options and quotes', async () => {
  const paths = programs({fancy: 'printf "%s|" "$1" "$2" > "$3"', plain: 'echo plain > "$1"'});
  const env = {...paths, VISUAL: "fancy --wait 'two words'", EDITOR: 'plain'};
  const outcome = await editText({text: '', header: []}, {env, directory: scratchDirectory(), run: programRunner(env)});
  expect(outcome).toEqual({kind: 'changed', text: '--wait|two words|'});
});

test('editor: without variables the first installed editor is used', async () => {
  const {PATH} = programs({nano: 'exit 127', vim: 'echo "by vim" > "$1"'});
  const env = {PATH};
  const outcome = await editText({text: '', header}, {env, directory: scratchDirectory(), run: programRunner(env)});
  expect(outcome).toEqual({kind: 'changed', text: 'by vim'});
});

test('editor: a missing editor is named', async () => {
  const env = {PATH: '/usr/bin:/bin', EDITOR: 'no-such-editor'};
  const outcome = await editText({text: 'x', header}, {env, directory: scratchDirectory(), run: programRunner(env)});
  expect(outcome).toEqual({
    kind: 'failed',
    text: 'x',
    problem: 'The editor “no-such-editor” was not found. Set $EDITOR to an installed one.',
  });
});
