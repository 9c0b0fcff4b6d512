import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {text} from 'node:stream/consumers';
import {describe, expect} from 'vitest';
import type {Person} from '#test/support/people.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {testServer} from '#test/support/server.ts';
import {fewOrAll, slowTest} from '#test/support/tier.ts';

/** Runs the script and returns what it printed and its exit code. */
async function run(args: readonly string[]): Promise<{code: number; output: string}> {
  const {CI: _, ...env} = process.env;
  const child = spawn(process.execPath, ['test/given-server/run.ts', ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return {code, output: out + err};
}

/** Writes a zuliprc and returns its path. */
function zuliprc(directory: string, site: string, {email, apiKey}: Person): string {
  const file = join(directory, `${email}.zuliprc`);
  writeFileSync(file, `[api]\nemail=${email}\nkey=${apiKey}\nsite=${site}\n`, {mode: 0o600});
  return file;
}

/**
 * The stories, and contract tests of each kind of data that has to be removed. The other contract tests differ on a given
 * server only in what these test, and `contract` runs them on an embedded one.
 */
const everyKind = [
  '^(?!events match)',
  'drafts|snippet|scheduling|reminders|navigation',
  'alert word|muted user|one user, to several|a public channel for oneself|folder|administrators may change',
].join('|');

const tests = fewOrAll('a lost event queue|drafts|a public channel for oneself', everyKind);

describe('npm run test:server', () => {
  slowTest('passes on an embedded server and leaves no channel, draft or file behind', async () => {
    // With the limit it would wait for minutes.
    const server = await testServer({rateLimited: false});
    const {people} = server;
    const [meg, otto, owner, guest] = [people.member(), people.member('Otto'), people.owner(), people.guest()];
    const directory = scratchDirectory();
    const file = (person: Person) => zuliprc(directory, server.url, person);
    const members = ['--zuliprc', file(meg), '--zuliprc', file(otto)];
    const {code, output} = await run([...members, '--owner', file(owner), '--guest', file(guest), '--', '-t', tests]);
    expect(code, output).toBe(0);
    expect(output).toMatch(/^passed +[\d.]+ s {2}a lost event queue costs no message$/m);
    expect(output).toMatch(/^\d+ passed, 0 failed, \d+ skipped$/m);
    expect((await server.as(owner).get('/streams', {include_all: true})).streams).toEqual([]);
    for (const person of [meg, otto, owner, guest]) {
      expect(await server.as(person).get('/drafts')).toMatchObject({count: 0});
      expect(await server.as(person).get('/attachments')).toMatchObject({attachments: []});
    }
  });

  slowTest('says what is wrong with its arguments', async () => {
    const server = await testServer();
    const directory = scratchDirectory();
    const meg = zuliprc(directory, server.url, server.people.member());
    const stranger = zuliprc(directory, server.url, {...server.people.member('Otto'), apiKey: 'x'.repeat(32)});
    const problems = [
      [[], 'Two accounts are needed.'],
      [['--zuliprc', meg, '--zuliprc', meg], 'An account is given twice.'],
      [['--zuliprc', join(directory, 'none')], 'none cannot be read.'],
      [['--zuliprc', meg, '--zuliprc', stranger], 'refused the account'],
      [['--zulip', meg], "Unknown option '--zulip'"],
    ] as const;
    for (const [args, problem] of problems) {
      const {code, output} = await run(args);
      expect(output).toContain(problem);
      expect(output).toContain('Usage: npm run test:server');
      expect(code).toBe(2);
    }
  });
});
