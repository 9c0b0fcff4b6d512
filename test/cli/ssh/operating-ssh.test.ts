import {expect, test} from 'vitest';
import {operate, servedDirectory} from '#test/cli/serve/operator-fixture.ts';
import {openScreen, sshFixtureOn} from './ssh-fixture.ts';

/** SSH on a data directory, for the verbs of the operator. */
async function servedOverSsh() {
  const {server, directory} = await servedDirectory({rateLimited: false});
  const fixture = await sshFixtureOn(server, directory);
  const run = (verb: Parameters<typeof operate>[0], ...argv: string[]) => operate(verb, [...argv, '--data', directory]);
  return {...fixture, run, status: async () => JSON.parse((await run('serve status', '--json')).out).ssh};
}

test('serve status: SSH has its address, the host key, people and sessions, and is missed when its process ends', async () => {
  const {ssh, server, megKey, connect, run, status} = await servedOverSsh();
  const facts = {running: true, host: '127.0.0.1', port: ssh.port, host_key: ssh.fingerprint};
  expect(await status()).toEqual({...facts, people: 0, sessions: 0});
  const client = await connect(megKey);
  const screens = [await openScreen(client), await openScreen(client)];
  for (const {terminal} of screens) await terminal.waitFor('Inbox');
  expect(await status()).toEqual({...facts, people: 1, sessions: 2});
  const {code, out} = await run('serve status');
  expect(code).toBe(0);
  expect(out).toMatch(
    new RegExp(`^ssh +127\\.0\\.0\\.1:${ssh.port}, host key SHA256:\\S+, 1 person in 2 sessions$`, 'm'),
  );
  process.kill(ssh.pid ?? Number.NaN, 'SIGKILL');
  await expect.poll(() => ssh.pid).toBeUndefined();
  expect(await status()).toMatchObject({running: false, people: 0, sessions: 0});
  expect((await run('serve status')).out).toContain('Warning: The SSH process has ended');
  await expect.poll(() => ssh.pid).toBeDefined();
  expect(await status()).toMatchObject(facts);
  ssh.stop();
  expect(server.context.ssh).toBeUndefined();
  expect((await run('serve status')).out).toMatch(/^ssh +not served$/m);
});
