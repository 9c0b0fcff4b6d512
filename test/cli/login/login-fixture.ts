import {existsSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {PassThrough} from 'node:stream';
import {onTestFinished} from 'vitest';
import {login} from '#cli/login/login.ts';
import {type TestIo, testIo} from '#test/support/cli-io.ts';
import {testServer} from '#test/support/server.ts';

export const password = ' a long enough password ';

/** A server with the user Meg, who has a password. */
export async function withMeg(options: Parameters<typeof testServer>[0] = {}) {
  const server = await testServer(options);
  const owner = server.people.owner();
  const email = 'meg@example.com';
  const {user_id} = await server.as(owner).post('/users', {email, password, full_name: 'Meg Member'});
  const {api_key: key} = await server.anonymous().post('/fetch_api_key', {username: email, password});
  return {server, owner, email, key: String(key), id: Number(user_id)};
}

export const accountsIn = (home: string) => {
  const directory = join(home, '.config/parley/accounts');
  return existsSync(directory) ? readdirSync(directory).sort() : [];
};

/** Simulates a user at a terminal who answers each question once it is asked. */
export async function interactive(
  argv: readonly string[],
  answers: readonly (readonly [string, string | ((shown: string) => Promise<string>)])[],
  options: Parameters<typeof testIo>[0] = {},
) {
  const stdin = new PassThrough();
  onTestFinished(() => void stdin.destroy());
  const io: TestIo = testIo({stdin, inputIsTty: true, ...options});
  const done = login(argv, io);
  for (const [index, [question, answer]] of answers.entries()) {
    const times = answers.slice(0, index + 1).filter(([other]) => other === question).length;
    await Promise.race([io.saw(question, times), done]);
    stdin.write(typeof answer === 'string' ? answer : await answer(io.err()));
  }
  return {code: await done, io};
}

/** Follows the address to the redirect, as the browser does, and returns the address of Zulip's apps. */
export async function redirectOf(address: string): Promise<string> {
  const {headers} = await fetch(address, {redirect: 'manual'});
  return headers.get('location') ?? '';
}

/** Writes a program that stands for the browser: it saves the address that it is started with. */
export function fakeBrowser(home: string) {
  const file = join(home, 'opened');
  const browser = join(home, 'browser');
  writeFileSync(browser, `#!/bin/sh\nprintf %s "$1" > ${file}\n`, {mode: 0o700});
  return {env: {BROWSER: browser, PATH: process.env.PATH ?? ''}, opened: () => readFileSync(file, 'utf8')};
}
