import {execFileSync} from 'node:child_process';
import {readdirSync, writeFileSync} from 'node:fs';
import {basename, join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {openClientSocket} from '#cli/embedded/client-socket.ts';
import {openDataDirectory} from '#cli/serve/data-directory.ts';
import {answerOperator, operatorProtocol} from '#cli/serve/operator-socket.ts';
import {exportChildren} from '#cli/serve/serve.ts';
import {serverLog} from '#cli/serve/server-log.ts';
import {systemClock} from '#std/clock.ts';
import {validateExport} from '#test/server/transfer/validate-export.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {testServer} from '#test/support/server.ts';
import {slowTest} from '#test/support/tier.ts';
import {demoDirectory, operate} from './operator-fixture.ts';

slowTest(
  'serve export: exports the data of a running server, and says what it contains and what to do next',
  async () => {
    const directory = await demoDirectory();
    const {database, files, secrets} = openDataDirectory(directory);
    const server = await testServer({database, files, secrets});
    const greeting = JSON.stringify({operator: operatorProtocol});
    const answer = answerOperator(
      server.context,
      directory,
      serverLog('text', systemClock, () => {}),
    );
    const socket = await openClientSocket({directory, greeting, clock: systemClock, answer});
    onTestFinished(() => socket.close());
    const output = join(scratchDirectory(), 'moved');
    const {code, out, err} = await operate('serve export', ['--data', directory, output]);
    expect(code, err).toBe(0);
    expect(err).toMatch(/^The export contains \d{3} private messages /);
    expect(out).toContain(`Exported to ${output} and ${output}.tar.gz.\n`);
    expect(out).toContain('        5  drafts\n');
    expect(out).toContain(`  ./manage.py import '' moved\n`);
    expect(validateExport(output).violations).toEqual([]);
    const again = await operate('serve export', ['--data', directory, output]);
    expect(again).toEqual({code: 1, out: '', err: `${output} exists already. Choose another name.\n`});
    const {archive, remove} = await exportChildren(directory, systemClock, console.error).write('public');
    const unpacked = scratchDirectory();
    execFileSync('tar', ['xzf', archive, '-C', unpacked]);
    expect(validateExport(join(unpacked, basename(archive, '.tar.gz'))).violations).toEqual([]);
    remove();
    expect(readdirSync(directory).filter((name) => name.startsWith('copy-'))).toEqual([]);
  },
);

test('serve export: what is not an organization, and a version that is too old, are refused with one sentence', async () => {
  const directory = scratchDirectory();
  const output = join(directory, 'out');
  const run = (...argv: string[]) => operate('serve export', [...argv, '--data', directory]);
  expect((await run(output)).err).toBe(`There is no organization in ${directory}.\n`);
  writeFileSync(join(directory, 'parley.db'), 'words'.repeat(1000));
  expect(await run(output)).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^The database is damaged: file is not a database\./),
  });
  expect(await run(output, '--zulip-version', '11.4')).toMatchObject({
    code: 2,
    err: '--zulip-version must be 12.0 or later, not “11.4”.\n',
  });
  expect(await run(output, '--public-only', '--consented')).toMatchObject({
    code: 2,
    err: '--public-only and --consented exclude each other.\n',
  });
});

const nextIds = {message: 212_940, stream: 990, userprofile: 1029, usergroup: 1670, realm: 9};

/** What the query of the manual prints on a Zulip server. */
function sequences(ids: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(ids).map(([table, id]) => [`zerver_${table}_id_seq`, id]));
}

test('serve export --target-ids: says which ids the messages must have, and how to see it', async () => {
  const directory = await demoDirectory();
  const file = join(scratchDirectory(), 'ids.json');
  writeFileSync(file, JSON.stringify({...sequences(nextIds), zerver_attachment_id_seq: 5}));
  const output = join(scratchDirectory(), 'moved');
  const {code, out, err} = await operate('serve export', ['--data', directory, '--target-ids', file, output]);
  expect(code, err).toBe(0);
  expect(validateExport(output).violations).toEqual([]);
  const count = Number(/The export has (\d+) messages/.exec(out)?.[1]);
  expect(out).toContain(`The first message must have the id 212940 and the last one ${212_940 + count - 1} there`);
  expect(out).toContain('psql -Atc "select min(id), max(id) from zulip.zerver_message where realm_id = 9" zulip');
});

test.each([
  ['is not JSON', ' json_object_agg\n-----\n {"zerver_message_id_seq" : 1}'],
  ['is not a JSON object', '[1]'],
  ['has no ids of the tables of a Zulip server', '{"auth_user_id_seq": 1, "public_message_id_seq": 2}'],
  [
    'lacks zerver_usergroup_id_seq, zerver_realm_id_seq',
    JSON.stringify(sequences({message: 1, stream: 1, userprofile: 1})),
  ],
  [
    'has "990" for zerver_stream_id_seq, not a whole number above 0',
    JSON.stringify(sequences({...nextIds, stream: '990'})),
  ],
  ['has 0 for zerver_message_id_seq, not a whole number above 0', JSON.stringify(sequences({...nextIds, message: 0}))],
])('serve export --target-ids: a file that %s is refused with one sentence', async (problem, text) => {
  const directory = await demoDirectory();
  const file = join(scratchDirectory(), 'ids.json');
  writeFileSync(file, text);
  const output = join(scratchDirectory(), 'moved');
  expect(await operate('serve export', ['--data', directory, '--target-ids', file, output])).toEqual({
    code: 1,
    out: '',
    err: `${file} ${problem}. It must be what the query in “parley help moving” prints.\n`,
  });
  const missing = await operate('serve export', ['--data', directory, '--target-ids', `${file}.x`, output]);
  expect(missing.err).toMatch(/ids\.json\.x cannot be read: ENOENT/);
});
