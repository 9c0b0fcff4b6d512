import {homedir} from 'node:os';
import {join, resolve} from 'node:path';
import {parseArgs} from 'node:util';
import {asUsageError, UsageError} from '#cli/usage-error.ts';
import {pathsOf} from '#config/paths.ts';
import {isLoopback} from '#server/http/request-address.ts';
import {currentLevel, minimumLevel} from '#wire/levels.ts';

export const worldSizes = ['small', 'large', 'huge'] as const;
export type WorldSize = (typeof worldSizes)[number];
export const worldKinds = ['demo', 'empty'] as const;
export type WorldKind = (typeof worldKinds)[number];

export const botModes = ['on', 'quiet', 'off'] as const;
export type BotMode = (typeof botModes)[number];

export interface ServeOptions {
  readonly host: string;
  readonly port: number;
  /** The address that users open, when the server is behind a proxy. */
  readonly publicUrl: string | undefined;
  /** The data directory; undefined to store everything in memory. */
  readonly directory: string | undefined;
  readonly world: WorldKind;
  readonly size: WorldSize;
  readonly bots: BotMode;
  readonly level: number;
  readonly readyFile: string | undefined;
  readonly testHooks: boolean;
  readonly rateLimited: boolean;
  readonly trustsProxy: boolean;
  /** Whether an organization that an owner deactivated can be used again. */
  readonly reactivates: boolean;
  /** The server stops when no client was connected for this many seconds. */
  readonly whileUsed: number | undefined;
}

export const serveHelp = `parley serve: run an organization on this machine

  --host HOST            address to listen on (127.0.0.1)
  --port PORT            port to listen on; 0 picks a free one (0)
  --url URL              address that users open, when behind a proxy (http://HOST:PORT)
  --trust-proxy          count requests by the address that the proxy adds to X-Forwarded-For
  --data DIR             store everything in DIR (default: a directory under XDG_DATA_HOME)
  --memory               store nothing: all data is lost when the server stops
  --world demo|empty     content of a new organization (demo)
  --size small|large|huge
                         size of the demo: 22, 20,000 or 50,000 users (small)
  --bots on|quiet|off    the small demo's bots talk and reply, only reply, or are off (on)
  --feature-level N      behave like an older server, ${minimumLevel} to ${currentLevel} (${currentLevel})
  --ready-file FILE      write a JSON description of the server and its accounts once it listens
  --rate-limit on|off    200 requests a minute per user (on)
  --reactivate           make an organization usable again that an owner deactivated
  --while-used SECONDS   stop when no Parley on this machine has used it for this long, and reuse its port
                         at the next start: how Parley runs the demo
  --test-hooks           let tests of clients cause faults; loopback only
`;

const flags = {
  host: {type: 'string'},
  port: {type: 'string'},
  url: {type: 'string'},
  data: {type: 'string'},
  memory: {type: 'boolean'},
  world: {type: 'string'},
  size: {type: 'string'},
  bots: {type: 'string'},
  'feature-level': {type: 'string'},
  'ready-file': {type: 'string'},
  'rate-limit': {type: 'string'},
  'trust-proxy': {type: 'boolean'},
  reactivate: {type: 'boolean'},
  'while-used': {type: 'string'},
  'test-hooks': {type: 'boolean'},
  help: {type: 'boolean', short: 'h'},
} as const;

/** Parses the options; `help` when --help was given. */
export function parseServeOptions(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): ServeOptions | 'help' {
  const values = parse(argv);
  if (values.help === true) return 'help';
  if (values.memory === true && values.data !== undefined) {
    throw new UsageError('Use either --memory or --data, not both.');
  }
  if (values.memory === true && values['while-used'] !== undefined) {
    throw new UsageError('--while-used needs a data directory and cannot be used with --memory.');
  }
  const world = oneOf('--world', values.world ?? 'demo', worldKinds);
  const size = oneOf('--size', values.size ?? 'small', worldSizes);
  if (world === 'empty' && size !== 'small') throw new UsageError('--size can only be used with --world demo.');
  const host = values.host ?? '127.0.0.1';
  const testHooks = values['test-hooks'] === true;
  if (testHooks && !isLoopback(host))
    throw new UsageError('--test-hooks requires a loopback --host such as 127.0.0.1.');
  return {
    host,
    port: wholeNumber('--port', values.port ?? '0', 0, 65_535),
    publicUrl: values.url === undefined ? undefined : webAddress('--url', values.url),
    directory: values.memory === true ? undefined : resolve(values.data ?? defaultDirectory(env, world, size)),
    world,
    size,
    bots: oneOf('--bots', values.bots ?? 'on', botModes),
    level: wholeNumber('--feature-level', values['feature-level'] ?? String(currentLevel), minimumLevel, currentLevel),
    readyFile: values['ready-file'] === undefined ? undefined : resolve(values['ready-file']),
    testHooks,
    rateLimited: oneOf('--rate-limit', values['rate-limit'] ?? 'on', ['on', 'off']) === 'on',
    trustsProxy: values['trust-proxy'] === true,
    reactivates: values.reactivate === true,
    whileUsed:
      values['while-used'] === undefined ? undefined : wholeNumber('--while-used', values['while-used'], 0, 86_400),
  };
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({args: [...argv], options: flags}).values;
  } catch (error) {
    throw asUsageError(error, '“parley serve --help” lists the options.');
  }
}

function oneOf<T extends string>(flag: string, value: string, choices: readonly T[]): T {
  const choice = choices.find((candidate) => candidate === value);
  if (choice === undefined) throw new UsageError(`${flag} must be one of ${choices.join(', ')}, not “${value}”.`);
  return choice;
}

function wholeNumber(flag: string, value: string, min: number, max: number): number {
  const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw new UsageError(`${flag} must be a whole number from ${min} to ${max}, not “${value}”.`);
}

function webAddress(flag: string, value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '') {
    return url.href.replace(/\/$/, '');
  }
  throw new UsageError(`${flag} must be an address such as https://chat.example.com, not “${value}”.`);
}

function defaultDirectory(
  env: Readonly<Record<string, string | undefined>>,
  world: WorldKind,
  size: WorldSize,
): string {
  return join(pathsOf(env, homedir()).data, world === 'demo' ? `demo-${size}` : world);
}
