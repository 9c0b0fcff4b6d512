import {readFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {type CliIo, PlainFailure, printNotice, UsageError} from '#cli/io.ts';
import {readStdin} from '#cli/messages/local-files.ts';
import {Prompt} from '#cli/prompt.ts';
import {ownHelpHint, parseVerbArguments} from '#cli/verbs/parse-verb-arguments.ts';
import type {VerbArguments} from '#cli/verbs/verb-table.ts';
import {type Env, pathsOf} from '#config/paths.ts';
import {passwordProblem} from '#server/accounts/password.ts';
import {forbiddenInNames, fullNameProblem, hasAddressForm} from '#server/actions/inputs.ts';
import type {CertificateFiles} from '#server/http/listener-options.ts';
import {isLoopback} from '#server/http/request-address.ts';
import type {MailOptions} from '#server/mail/mailer.ts';
import type {MetricsAddress} from '#server/operator/metrics.ts';
import type {Founding} from '#server/seed/seed-world.ts';
import {errorText} from '#std/error-text.ts';
import {homeDirectory} from '#std/home-directory.ts';
import {currentLevel, minimumLevel} from '#wire/levels.ts';

type Values = VerbArguments<'serve'>['values'];

/** What the flags say about a new organization. */
const foundingFlags = ['org-name', 'owner-name', 'owner-email', 'owner-password-file'] as const;
type FoundingFlags = Pick<Values, (typeof foundingFlags)[number]>;

export type ServeOptions = Exclude<ReturnType<typeof parseServeOptions>, 'help'>;

export const serveHelp = `parley serve: run an organization on this machine

  --host HOST            address to listen on (127.0.0.1)
  --port PORT            port to listen on; 0 picks a free one (that of the last start, or a free one)
  --url URL              address that users open, when behind a proxy (http://HOST:PORT)
  --tls-cert FILE        serve HTTPS with this certificate, in the PEM format; used anew when the file changes
  --tls-key FILE         key of the certificate
  --insecure             allow plain HTTP on an address that other machines reach, such as behind a proxy
  --trust-proxy          count requests by the address that the proxy adds to X-Forwarded-For
  --data DIR             store everything in DIR (default: a directory under XDG_DATA_HOME, that of the demo
                         unless --world is empty)
  --create               create an organization in DIR if there is none; without it, a terminal is asked.
                         --world does it too, unless standard input is a terminal. A script also needs
                         --org-name, --owner-name and --owner-email, or --world demo
  --org-name NAME        name of a new organization, instead of asking for it. This and the next three say
                         nothing about one that exists: a notice says that they are ignored
  --owner-name NAME      name of its owner
  --owner-email EMAIL    e-mail address of its owner
  --owner-password-file FILE
                         file with the password of its owner, or - for standard input. Without it the
                         first start prints a link by which the owner sets one
  --memory               store nothing: all data is lost when the server stops
  --new-secret           make a new secret if that of DIR is lost. Every API key, the address of every webhook
                         and links for setting a password stop working
  --world demo|empty     content of a new organization (empty with --data or --org-name; needed without both)
  --size small|large|huge
                         size of the demo: 22, 20,000 or 50,000 users (small)
  --bots on|quiet|off    the small demo's bots talk and reply, only reply, or are off (on)
  --feature-level N      behave like an older server, ${minimumLevel} to ${currentLevel} (${currentLevel})
  --ready-file FILE      write a JSON description of the server and its accounts once it listens
  --rate-limit on|off    200 requests a minute per user; a full registration counts as 5 (on)
  --reactivate           make an organization usable again that an owner deactivated
  --while-used SECONDS   stop when no Parley on this machine has used it for this long, and reuse its port
                         at the next start: how Parley runs the demo
  --smtp URL             send e-mail through this server: smtps://NAME:PASSWORD@HOST, or smtp://HOST:PORT;
                         PARLEY_SMTP has it where nobody sees it
  --smtp-insecure        send the password of --smtp also to a server that offers no TLS
  --mail-from ADDRESS    address that e-mail comes from; needed with --smtp
  --metrics [HOST:]PORT  serve numbers for Prometheus at http://HOST:PORT/metrics (HOST: 127.0.0.1), without a login
  --ssh PORT             serve the screen and the verbs over SSH at this port; 0 picks a free one. See “parley help ssh”
  --ssh-host HOST        address that SSH listens on (that of --host)
  --log-format text|json one line for each login, join, refusal, administration and failure (text)
  --log-file FILE        append the log to FILE, which may be renamed at any time (standard error)
  --test-hooks           let tests of clients cause faults; loopback only

“parley help deploying” has a systemd unit, a proxy and a container file.
`;

/** Parses the options; `help` when --help was given. */
export function parseServeOptions(argv: readonly string[], env: Env) {
  const {values} = parseVerbArguments('serve', argv, ownHelpHint('serve'));
  const {help, host = '127.0.0.1', memory, data, size = 'small', 'test-hooks': testHooks} = values;
  const world = values.world ?? (values.size === undefined ? undefined : ('demo' as const));
  const {'while-used': whileUsed, 'ready-file': readyFile, 'log-file': logFile} = values;
  if (help) return 'help' as const;
  if (memory && data !== undefined) throw new UsageError('Use either --memory or --data, not both.');
  if (memory && whileUsed !== undefined) {
    throw new UsageError('--while-used needs a data directory and cannot be used with --memory.');
  }
  if (world === 'empty' && size !== 'small') throw new UsageError('--size can only be used with --world demo.');
  const newOrganization: FoundingFlags = values;
  const isNamed = foundingFlags.some((flag) => values[flag] !== undefined);
  if (isNamed && world === 'demo') throw new UsageError('The demo has its own name and owner: use --world empty.');
  if (testHooks && !isLoopback(host))
    throw new UsageError('--test-hooks requires a loopback --host such as 127.0.0.1.');
  const certificate = certificateFiles(values['tls-cert'], values['tls-key']);
  if (!isLoopback(host) && certificate === undefined && !values.insecure) {
    throw new UsageError(
      `On ${host}, other machines would send passwords and messages as plain text. Add --tls-cert and --tls-key, or listen on 127.0.0.1 behind a TLS proxy. --insecure allows it.`,
    );
  }
  if (anyAddress.has(host) && values.url === undefined) {
    throw new UsageError(`${host} is every address of this machine: name the one that users open with --url.`);
  }
  const alwaysCreates = values.create || data === undefined;
  return {
    host,
    certificate,
    /** Undefined for the one that the data directory's server had before, or else a free one. */
    port: values.port,
    /** The address that users open, when the server is behind a proxy. */
    publicUrl: values.url === undefined ? undefined : webAddress('--url', values.url),
    /** The data directory; undefined to store everything in memory. */
    directory: memory ? undefined : resolve(data ?? defaultDirectory(env, isNamed ? 'empty' : world, size)),
    /** Whether an organization is created where there is none: `asked` creates one unless there is a terminal to ask. */
    creates: alwaysCreates ? ('yes' as const) : world === undefined ? ('no' as const) : ('asked' as const),
    /** Undefined for the one that the data directory has. */
    world: isNamed ? ('empty' as const) : world,
    /** Whether a terminal is asked for the name and the owner of a new organization. */
    asksForOwner: world === 'empty' || isNamed || (world === undefined && data !== undefined),
    newOrganization,
    /** Whether a lost secret is replaced. */
    newSecret: values['new-secret'],
    size,
    bots: values.bots ?? ('on' as const),
    level: wholeNumber('--feature-level', values['feature-level'] ?? String(currentLevel), minimumLevel, currentLevel),
    readyFile: readyFile === undefined ? undefined : resolve(readyFile),
    testHooks,
    rateLimited: values['rate-limit'] !== 'off',
    trustsProxy: values['trust-proxy'],
    /** Whether an organization that an owner deactivated can be used again. */
    reactivates: values.reactivate,
    /** The server stops when no client was connected for this many seconds. */
    whileUsed,
    logFormat: values['log-format'] ?? ('text' as const),
    /** Undefined for standard error. */
    logFile: logFile === undefined ? undefined : resolve(logFile),
    metrics: values.metrics === undefined ? undefined : metricsAddress(values.metrics),
    ssh: sshOptions(values, memory, host),
    mail: mailOptions(values.smtp ?? env.PARLEY_SMTP, values['mail-from'], values['smtp-insecure']),
  };
}

/** They have no meaning for another machine. */
const anyAddress: ReadonlySet<string> = new Set(['0.0.0.0', '::', '0', '*']);

function certificateFiles(cert: string | undefined, key: string | undefined): CertificateFiles | undefined {
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined) throw new UsageError('--tls-cert and --tls-key are used together.');
  return {cert: resolve(cert), key: resolve(key)};
}

function sshOptions(
  {ssh, 'ssh-host': sshHost}: Values,
  memory: boolean,
  host: string,
): {readonly host: string; readonly port: number} | undefined {
  if (ssh === undefined && sshHost !== undefined) throw new UsageError('--ssh-host needs --ssh PORT.');
  if (ssh === undefined) return undefined;
  if (memory) throw new UsageError('--ssh keeps what people have in the data directory: use --data, not --memory.');
  return {host: sshHost ?? host, port: ssh};
}

function mailOptions(
  smtpUrl: string | undefined,
  from: string | undefined,
  allowsPlainLogin: boolean,
): MailOptions | undefined {
  if (smtpUrl === undefined || smtpUrl === '') {
    const flag = from !== undefined ? '--mail-from' : allowsPlainLogin ? '--smtp-insecure' : undefined;
    if (flag !== undefined) throw new UsageError(`${flag} needs --smtp URL, the server that sends e-mail.`);
    return undefined;
  }
  // The address may have a password, so it is not repeated.
  if (!isMailServer(smtpUrl)) {
    throw new UsageError('--smtp must be an address such as smtps://NAME:PASSWORD@mail.example.com.');
  }
  if (from === undefined || !/^[^\r\n]*\S@\S+$/.test(from)) {
    throw new UsageError('--smtp needs --mail-from ADDRESS, such as chat@example.com.');
  }
  return {smtpUrl, from, allowsPlainLogin};
}

/** Returns whether the address names a host and nothing that would change how it is reached. */
function isMailServer(address: string): boolean {
  if (!/^smtps?:\/\//.test(address) || !URL.canParse(address)) return false;
  const {hostname, search, hash} = new URL(address);
  return hostname !== '' && search === '' && hash === '';
}

function metricsAddress(value: string): MetricsAddress {
  const [, host = '127.0.0.1', port = ''] = /^(?:(.+):)?(\d{1,5})$/.exec(value) ?? [];
  if (port === '' || Number(port) > 65_535) {
    throw new UsageError(`--metrics must be a port, or an address such as 127.0.0.1:9464, not “${value}”.`);
  }
  return {host: host.replace(/^\[(.*)\]$/, '$1'), port: Number(port)};
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

function defaultDirectory(env: Env, world: Values['world'], size: Values['size']): string {
  return join(pathsOf(env, homeDirectory()).data, world === 'empty' ? world : `demo-${size}`);
}

const maxNameLength = 40;

/** What is asked about a new organization, besides the password. */
const questions = [
  {
    flag: 'org-name',
    text: 'Name of the organization: ',
    problem: (name: string) => {
      if (name === '') return 'Enter a name.';
      if (name.length > maxNameLength) return `The name is too long. Use at most ${maxNameLength} characters.`;
      return forbiddenInNames.test(name) ? 'The name has a character that is not allowed.' : undefined;
    },
  },
  {flag: 'owner-name', text: 'Your name, as its owner: ', problem: fullNameProblem},
  {
    flag: 'owner-email',
    text: 'Your e-mail address: ',
    problem: (email: string) => (hasAddressForm(email) ? undefined : 'Enter an address such as ann@example.com.'),
  },
] as const;

/** Returns the flags about a new organization that are given, for a notice that they are ignored. */
export function givenFoundingFlags({newOrganization}: Pick<ServeOptions, 'newOrganization'>): readonly string[] {
  return foundingFlags.filter((flag) => newOrganization[flag] !== undefined).map((flag) => `--${flag}`);
}

const namingFlags = '--org-name NAME, --owner-name NAME and --owner-email EMAIL';

/** Returns the name and the owner of a new organization by the flags and answers; undefined for those of the demo. */
export async function askForOrganization(
  io: CliIo,
  directory: string,
  {creates, asksForOwner, world, newOrganization: flags}: ServeOptions,
): Promise<Founding | undefined> {
  requireWorld(world, asksForOwner);
  const isTerminal = io.inputIsTty && io.outputIsTty;
  const text = `There is no organization in ${directory}.`;
  if (!isTerminal) {
    if (creates === 'no') throw new PlainFailure(`${text} To create one, add --create, ${namingFlags}.`);
    const founding = await organizationOfFlags(io, flags);
    if (founding === undefined && world !== 'demo') {
      throw new UsageError(`${text} Name the new one and its owner: add ${namingFlags}. --world demo makes the demo.`);
    }
    return founding;
  }
  if (creates === 'yes' && !asksForOwner) return undefined;
  const prompt = new Prompt(io);
  try {
    // In a line of its own: readline needs a question that fits into one.
    if (creates !== 'yes') printNotice(io, text);
    const isWanted = creates === 'yes' || (await prompt.confirm('Create one there?'));
    if (!isWanted) throw new PlainFailure('Nothing was created.');
    if (questions.every(({flag}) => flags[flag] !== undefined)) return await organizationOfFlags(io, flags, prompt);
    if (!asksForOwner) return undefined;
    const names: string[] = [];
    for (const {flag, text: question, problem} of questions) {
      const isGiven = flags[flag] !== undefined;
      names.push(isGiven ? checked(flags, flag) : await answer(io, () => prompt.ask(question), problem));
    }
    return founding(names, await ownerPassword(io, flags['owner-password-file'] ?? '-', prompt));
  } finally {
    prompt.close();
  }
}

/** Returns the name and the owner of an organization in memory; undefined for the usual ones. */
export function organizationInMemory(io: CliIo, {world, newOrganization}: ServeOptions): Promise<Founding | undefined> {
  requireWorld(world, false);
  return organizationOfFlags(io, newOrganization);
}

/** The demo is made only if it is named, so that nobody gets its people and bots by a forgotten option. */
function requireWorld(world: Values['world'], asksForOwner: boolean): void {
  if (world !== undefined || asksForOwner) return;
  throw new UsageError(
    `Say which organization to serve: --data DIR, --world demo for the demo, or for a new one ${namingFlags}.`,
  );
}

/** Returns what the flags say, which is all or nothing; `prompt` asks for a password that they do not name. */
async function organizationOfFlags(io: CliIo, flags: FoundingFlags, prompt?: Prompt): Promise<Founding | undefined> {
  const file = flags['owner-password-file'];
  const missing = questions.filter(({flag}) => flags[flag] === undefined);
  if (missing.length === questions.length && file === undefined) return undefined;
  if (missing.length > 0) {
    throw new UsageError(`A new organization also needs ${missing.map(({flag}) => `--${flag}`).join(' and ')}.`);
  }
  const names = questions.map(({flag}) => checked(flags, flag));
  return founding(names, file === undefined ? undefined : await ownerPassword(io, file, prompt));
}

function founding(names: readonly string[], password: string | undefined): Founding {
  const [organization = '', ownerName = '', ownerEmail = ''] = names;
  return {organization, ownerName, ownerEmail, password};
}

function checked(flags: FoundingFlags, flag: (typeof questions)[number]['flag']): string {
  const value = flags[flag]?.trim() ?? '';
  const problem = questions.find((each) => each.flag === flag)?.problem(value);
  if (problem !== undefined) throw new UsageError(`--${flag}: ${problem}`);
  return value;
}

/** Asks until there is no problem with the answer. */
async function answer(
  io: CliIo,
  ask: () => Promise<string>,
  problemOf: (text: string) => string | undefined,
): Promise<string> {
  for (;;) {
    const text = (await ask()).trim();
    const problem = problemOf(text);
    if (problem === undefined) return text;
    printNotice(io, problem);
  }
}

/** Returns the password in a file, that of standard input, or one that is typed twice; undefined if none is typed. */
async function ownerPassword(io: CliIo, file: string, prompt: Prompt | undefined): Promise<string | undefined> {
  if (file === '-' && prompt !== undefined) return typedPassword(io, prompt);
  const text = file === '-' ? await readStdin(io, 64 * 1024) : readPassword(resolve(io.cwd, file));
  const password = text.replace(/\r?\n$/, '');
  const problem = passwordProblem(password);
  if (problem !== undefined) throw new PlainFailure(problem);
  return password;
}

function readPassword(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new PlainFailure(`The password cannot be read: ${errorText(error)}.`);
  }
}

async function typedPassword(io: CliIo, prompt: Prompt): Promise<string | undefined> {
  for (;;) {
    const password = await prompt.askHidden('Your password (empty: get a link to set it): ');
    if (password === '') return undefined;
    const problem = passwordProblem(password);
    if (problem !== undefined) printNotice(io, problem);
    else if ((await prompt.askHidden('Again: ')) === password) return password;
    else printNotice(io, 'The two passwords differ.');
  }
}
