import {homedir} from 'node:os';
import {join, resolve} from 'node:path';
import {parseArgs} from 'node:util';
import {asUsageError, UsageError} from '#cli/usage-error.ts';
import {pathsOf} from '#config/paths.ts';
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
  /** How people reach it when a proxy stands in front. */
  readonly publicUrl: string | undefined;
  /** Undefined: everything in memory. */
  readonly directory: string | undefined;
  readonly world: WorldKind;
  readonly size: WorldSize;
  readonly bots: BotMode;
  readonly level: number;
  readonly readyFile: string | undefined;
  readonly testHooks: boolean;
  readonly rateLimited: boolean;
  /** Stop when no Parley has used it for so many seconds. */
  readonly whileUsed: number | undefined;
}

export const serveHelp = `parley serve: an organization on this machine

  --host HOST            address to listen on (127.0.0.1)
  --port PORT            port to listen on; 0 picks a free one (0)
  --url URL              how people reach it, when a proxy stands in front (http://HOST:PORT)
  --data DIR             keep everything in DIR (a directory of your own under XDG_DATA_HOME)
  --memory               keep nothing: everything is gone when it stops
  --world demo|empty     what a new organization holds (demo)
  --size small|large|huge
                         how big a demo: 22, 20,000 or 50,000 people (small)
  --bots on|quiet|off    whether the small demo's bots answer and talk, only answer, or rest (on)
  --feature-level N      answer as an older server would, ${minimumLevel} to ${currentLevel} (${currentLevel})
  --ready-file FILE      write a JSON description of the server and its accounts once it listens
  --rate-limit on|off    200 requests a minute per person (on; off with --memory)
  --while-used SECONDS   stop once no Parley on this machine has used it for so long, and keep its port from
                         one run to the next: how the app runs the demo
  --test-hooks           faults on demand, for tests of clients; loopback only
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
  'while-used': {type: 'string'},
  'test-hooks': {type: 'boolean'},
  help: {type: 'boolean', short: 'h'},
} as const;

/** Checked options, or `help` when that was asked for. */
export function parseServeOptions(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): ServeOptions | 'help' {
  const values = parse(argv);
  if (values.help === true) return 'help';
  if (values.memory === true && values.data !== undefined) {
    throw new UsageError('--memory keeps nothing and --data keeps everything: give one of them.');
  }
  if (values.memory === true && values['while-used'] !== undefined) {
    throw new UsageError('--while-used needs a place where others find it: it does not go with --memory.');
  }
  const world = oneOf('--world', values.world ?? 'demo', worldKinds);
  const size = oneOf('--size', values.size ?? 'small', worldSizes);
  if (world === 'empty' && size !== 'small') throw new UsageError('--size goes with --world demo.');
  const host = values.host ?? '127.0.0.1';
  const testHooks = values['test-hooks'] === true;
  if (testHooks && !isLoopback(host))
    throw new UsageError('--test-hooks needs a loopback --host such as 127.0.0.1.');
  return {
    host,
    port: wholeNumber('--port', values.port ?? '0', 0, 65_535),
    publicUrl: values.url === undefined ? undefined : webAddress('--url', values.url),
    directory:
      values.memory === true ? undefined : resolve(values.data ?? defaultDirectory(env, world, size)),
    world,
    size,
    bots: oneOf('--bots', values.bots ?? 'on', botModes),
    level: wholeNumber(
      '--feature-level',
      values['feature-level'] ?? String(currentLevel),
      minimumLevel,
      currentLevel,
    ),
    readyFile: values['ready-file'] === undefined ? undefined : resolve(values['ready-file']),
    testHooks,
    rateLimited:
      oneOf('--rate-limit', values['rate-limit'] ?? (values.memory === true ? 'off' : 'on'), [
        'on',
        'off',
      ]) === 'on',
    whileUsed:
      values['while-used'] === undefined
        ? undefined
        : wholeNumber('--while-used', values['while-used'], 0, 86_400),
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
  if (choice === undefined)
    throw new UsageError(`${flag} is one of ${choices.join(', ')}; “${value}” is not.`);
  return choice;
}

function wholeNumber(flag: string, value: string, least: number, most: number): number {
  const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new UsageError(`${flag} is a whole number from ${least} to ${most}; “${value}” is not.`);
}

function webAddress(flag: string, value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '') {
    return url.href.replace(/\/$/, '');
  }
  throw new UsageError(`${flag} is an address such as https://chat.example.com; “${value}” is not.`);
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

function defaultDirectory(
  env: Readonly<Record<string, string | undefined>>,
  world: WorldKind,
  size: WorldSize,
): string {
  return join(pathsOf(env, homedir()).data, world === 'demo' ? `demo-${size}` : world);
}
