/**
 * `npm run test:server -- --zuliprc FILE --zuliprc FILE [--owner FILE] [--guest FILE]` runs the contract tests and stories on the
 * server of these accounts and prints a table. The tests use their own channels, which they archive, and remove what
 * they add to the accounts.
 */
import {spawnSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {homedir} from 'node:os';
import {fileURLToPath} from 'node:url';
import {parseArgs} from 'node:util';
import {ConfigError} from '#config/private-files.ts';
import {parseZuliprc} from '#config/zuliprc.ts';
import type {Person} from '#test/support/people.ts';

const usage =
  'Usage: npm run test:server -- --zuliprc FILE --zuliprc FILE [--owner FILE] [--guest FILE] [-- VITEST ARGUMENTS]';

class UsageError extends Error {}

interface Account extends Person {
  readonly site: string;
}

/** Reads a zuliprc and asks its server who the account belongs to. */
async function readAccount(file: string): Promise<Account> {
  const {site, email, key} = parseZuliprc(readText(file), file, homedir());
  if (key === undefined) throw new UsageError(`${file} has no key.`);
  const apiKey = key.reveal();
  const authorization = `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}`;
  const response = await fetch(`${site}/api/v1/users/me`, {headers: {authorization}}).catch((error: Error) => {
    throw new UsageError(`${site} does not answer: ${error.message}`);
  });
  const body = (await response.json().catch(() => ({}))) as {user_id?: number; full_name?: string; msg?: string};
  if (body.user_id === undefined || body.full_name === undefined) {
    throw new UsageError(`${site} refused the account in ${file}: ${body.msg ?? response.status}`);
  }
  return {site, id: body.user_id, email, fullName: body.full_name, apiKey};
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new UsageError(`${file} cannot be read.`);
  }
}

async function featureLevel(site: string): Promise<number> {
  const response = await fetch(`${site}/api/v1/server_settings`);
  const {zulip_feature_level: level} = (await response.json()) as {zulip_feature_level?: number};
  return level ?? 0;
}

async function main(): Promise<number> {
  const {values, positionals} = parseArgs({
    options: {
      zuliprc: {type: 'string', multiple: true, default: []},
      owner: {type: 'string'},
      guest: {type: 'string'},
    },
    allowPositionals: true,
  });
  const members = await Promise.all(values.zuliprc.map(readAccount));
  const owner = values.owner === undefined ? undefined : await readAccount(values.owner);
  const guest = values.guest === undefined ? undefined : await readAccount(values.guest);
  const [first] = members;
  const everybody = [...members, owner, guest].filter((account) => account !== undefined);
  if (first === undefined || members.length < 2) throw new UsageError('Two accounts are needed.');
  if (new Set(everybody.map(({id}) => id)).size < everybody.length) throw new UsageError('An account is given twice.');
  if (everybody.some(({site}) => site !== first.site)) throw new UsageError('The accounts are on different servers.');
  const level = await featureLevel(first.site);
  console.log(`${first.site}, feature level ${level}, as ${everybody.map(({fullName}) => fullName).join(', ')}`);
  const accounts = JSON.stringify({url: first.site, level, members, owner, guest});
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const reporter = fileURLToPath(new URL('table-reporter.ts', import.meta.url));
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/vitest.config.ts'];
  const {status} = spawnSync(process.execPath, [...vitest, '--reporter', reporter, ...positionals], {
    cwd: root,
    stdio: 'inherit',
    env: {...process.env, PARLEY_TEST_ACCOUNTS: accounts},
  });
  return status ?? 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  const isExpected = error instanceof UsageError || error instanceof ConfigError || isArgumentError(error);
  if (!isExpected) throw error;
  console.error(`${(error as Error).message}\n${usage}`);
  process.exitCode = 2;
}

function isArgumentError(error: unknown): boolean {
  return error instanceof TypeError && 'code' in error && `${error.code}`.startsWith('ERR_PARSE_ARGS');
}
