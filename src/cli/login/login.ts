import type {Connection} from '#api/connection.ts';
import {connect, connectAnonymously} from '#cli/account-access/connect.ts';
import {demoName} from '#cli/account-access/lazy-account.ts';
import {type CliIo, exitCodes, PlainFailure, print, printNotice, UsageError} from '#cli/io.ts';
import {readStdin} from '#cli/messages/local-files.ts';
import {Prompt} from '#cli/prompt.ts';
import {verbWithHelp} from '#cli/verbs/parse-verb-arguments.ts';
import type {VerbArguments} from '#cli/verbs/verb-table.ts';
import {apiKeyGetter} from '#config/load-account.ts';
import {isAccountName, NamedAccounts} from '#config/named-accounts.ts';
import {expandPath} from '#config/paths.ts';
import {ConfigError, orConfigError} from '#config/private-files.ts';
import {normaliseSite} from '#config/site.ts';
import {parseZuliprc, readZuliprc, type TlsFiles, type Zuliprc} from '#config/zuliprc.ts';
import {shortPrintableLine} from '#std/printable.ts';
import {Secret} from '#std/secret.ts';
import {endpoints} from '#wire/endpoints.ts';
import {isApiFailure} from '#wire/failure.ts';
import {
  askForCredentials,
  askInBrowser,
  chosenMethod,
  describeServer,
  keyForPassword,
  parsePastedZuliprc,
  readAccountFile,
  withKey,
} from './credentials.ts';

export const loginHelp = `parley login: add an account

  parley login [URL]            prompts for missing values
  parley login URL --sso
  parley login URL --email E --key-stdin < key
  parley login --zuliprc FILE

  URL                    the server: chat.example.com, or any address of it from a browser
  --name NAME            name of the account in Parley (default: from the organization's name)
  --email EMAIL          your e-mail address on the server
  --sso[=NAME]           log in with the browser, as with Google or SAML; NAME is one of several
  --password-stdin       read the password from standard input
  --key-stdin            read the API key from standard input
  --zuliprc FILE         read everything from a zuliprc; “-” is standard input
  --cert-bundle FILE     trust the authorities in FILE (PEM)
  --insecure             accept any certificate: others could intercept the connection
`;

/** The checked options. An empty `sso` means the only login with the browser, or that the user chooses. */
type LoginOptions = VerbArguments<'login'>['values'] & {
  readonly url: string | undefined;
  /** What standard input contains, when it is not the terminal. */
  readonly stdin: 'password' | 'key' | undefined;
};

/** Checks the options. `canAsk` is whether missing values can be prompted for. */
function checkedLoginOptions({values, words}: VerbArguments<'login'>, canAsk: boolean): LoginOptions {
  const {name, email, sso, zuliprc} = values;
  const [url, ...more] = words;
  if (more.length > 0) throw new UsageError('“parley login” takes one address.');
  const sources = [values['password-stdin'], values['key-stdin'], zuliprc !== undefined, sso !== undefined];
  if (sources.filter((isUsed) => isUsed).length > 1) {
    throw new UsageError('Use only one of --sso, --password-stdin, --key-stdin and --zuliprc.');
  }
  const stdin = values['password-stdin'] ? 'password' : values['key-stdin'] ? 'key' : undefined;
  if (zuliprc !== undefined && (url !== undefined || email !== undefined)) {
    throw new UsageError('A zuliprc contains the address and e-mail: leave out URL and --email.');
  }
  if (name !== undefined && !isAccountName(name)) {
    throw new UsageError(`“${name}” is not a valid account name. Use letters, digits, “.”, “-”, “_” and “@”.`);
  }
  const isComplete = zuliprc !== undefined || (url !== undefined && email !== undefined && stdin !== undefined);
  if (!isComplete && (!canAsk || stdin !== undefined)) {
    throw new UsageError(
      'Cannot prompt without a terminal. Give URL, --email, and --password-stdin or --key-stdin, or else --zuliprc FILE.',
    );
  }
  return {...values, url, stdin};
}

/** Adds an account. It is saved only after the server has accepted its API key. */
export const login = verbWithHelp('login', loginHelp, async (verbArguments, io) => {
  const options = checkedLoginOptions(verbArguments, io.inputIsTty);
  const stdinIsTaken = options.stdin !== undefined || options.zuliprc === '-';
  const prompt = io.inputIsTty && !stdinIsTaken ? new Prompt(io) : undefined;
  try {
    const zuliprc = await gatherZuliprc(options, io, prompt);
    const {fullName, organization} = await verifyKey(zuliprc, io);
    const {name, isDefault, isUpdate} = await saveAccount({zuliprc, organization}, options.name, io, prompt);
    if (isUpdate) printNotice(io, `Updated the API key of account “${name}”.`);
    const suffix = isDefault ? ' (default account)' : '';
    print(io, `Logged in as ${fullName} (${zuliprc.email}) at ${zuliprc.site}: account “${name}”${suffix}.`);
    return exitCodes.ok;
  } finally {
    prompt?.close();
  }
});

async function gatherZuliprc(options: LoginOptions, io: CliIo, prompt: Prompt | undefined): Promise<Zuliprc> {
  const tls = tlsOf(options, io);
  if (options.zuliprc !== undefined) return withTls(await zuliprcFrom(options.zuliprc, io), options, tls);
  if (options.url !== undefined || prompt === undefined) {
    return fromServer(normaliseSite(options.url ?? ''), tls, options, io, prompt);
  }
  for (;;) {
    const answer = await prompt.ask('Server address (or paste a zuliprc): ');
    try {
      const pasted = parsePastedZuliprc(answer, io);
      return pasted === undefined
        ? await fromServer(normaliseSite(answer), tls, options, io, prompt)
        : withTls(pasted, options, tls);
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      printNotice(io, error.message);
    }
  }
}

async function fromServer(
  site: string,
  tls: TlsFiles,
  options: LoginOptions,
  io: CliIo,
  prompt: Prompt | undefined,
): Promise<Zuliprc> {
  const connection = connectAnonymously(site, tls, io);
  try {
    const server = await describeServer(connection, io);
    if (prompt === undefined) {
      return {site, tls, keyCommand: undefined, ...(await keyFromStdin(options, connection, io))};
    }
    const context = {connection, io, prompt, email: options.email, server, tls};
    const zuliprc =
      options.sso === undefined
        ? await askForCredentials(context)
        : await askInBrowser(context, await chosenMethod(context, options.sso));
    return withTls(zuliprc, options, tls);
  } finally {
    await connection.close();
  }
}

async function keyFromStdin({stdin, email = ''}: LoginOptions, connection: Connection, io: CliIo) {
  const text = await readStdin(io, 64 * 1024);
  // A password may start or end with spaces; the line end is not part of it.
  if (stdin === 'password') return keyForPassword(connection, email, text.split(/\r?\n/, 1)[0] ?? '');
  const key = text.trim();
  if (key === '') throw new ConfigError('Standard input contains no API key.');
  return {email, key: new Secret(key)};
}

async function zuliprcFrom(name: string, io: CliIo): Promise<Zuliprc> {
  if (name === '-') return withKey(parseZuliprc(await readStdin(io, 256 * 1024), 'standard input', io.home));
  return readAccountFile(name, io);
}

function tlsOf({'cert-bundle': certBundle, insecure}: LoginOptions, {cwd, home}: CliIo): TlsFiles {
  return {insecure, ...(certBundle === undefined ? {} : {certBundle: expandPath(certBundle, cwd, home)})};
}

/** Returns the zuliprc with the certificate options of the command line, which win over the file. */
function withTls(zuliprc: Zuliprc, options: LoginOptions, tls: TlsFiles): Zuliprc {
  if (options['cert-bundle'] === undefined && !options.insecure) return zuliprc;
  return {...zuliprc, tls: {...zuliprc.tls, ...tls}};
}

/** Returns the names of the key's owner and of the organization. Throws when the server rejects the key. */
export async function verifyKey(
  zuliprc: Zuliprc,
  io: CliIo,
): Promise<{fullName: string; organization: string | undefined}> {
  const {site, email, tls} = zuliprc;
  const connection = await connect({site, email, tls, key: apiKeyGetter(zuliprc, 'this account', io)}, io);
  try {
    const {full_name} = await connection.call(endpoints.getOwnUser, {});
    const {realm_name} = await connection.call(endpoints.getServerSettings, {});
    return {fullName: shortPrintableLine(full_name), organization: realm_name};
  } catch (error) {
    if (!isApiFailure(error) || error.kind !== 'login') throw error;
    throw new ConfigError(`${site} rejects this API key for ${email}. The account was not saved.`);
  } finally {
    await connection.close();
  }
}

/**
 * Saves the account under a name. A login for the same user and server replaces the saved account; another
 * account is replaced only after the user confirms.
 */
export async function saveAccount(
  {zuliprc, organization}: {readonly zuliprc: Zuliprc; readonly organization: string | undefined},
  requestedName: string | undefined,
  io: CliIo,
  prompt: Prompt | undefined,
): Promise<{name: string; isDefault: boolean; isUpdate: boolean}> {
  const accounts = new NamedAccounts(io.paths);
  const existing = accounts.names();
  const same = existing.find((name) => isSame(accounts, name, zuliprc, io));
  const name = requestedName ?? same ?? freeName(accounts, organization, zuliprc.site);
  const isUpdate = !accounts.add(name, zuliprc);
  if (isUpdate) {
    if (!isSame(accounts, name, zuliprc, io)) await confirmReplacing(name, prompt);
    accounts.replace(name, zuliprc);
  }
  // An account that was in use without being chosen stays in use.
  if (accounts.chosenDefault() === undefined && existing.length <= 1) accounts.setDefault(existing[0] ?? name);
  return {name, isDefault: accounts.chosenDefault() === name, isUpdate};
}

async function confirmReplacing(name: string, prompt: Prompt | undefined): Promise<void> {
  if (await prompt?.confirm(`Another account is called “${name}”. Replace it?`)) return;
  throw new PlainFailure(
    `Another account is called “${name}”: choose a different name with --name. Nothing was saved.`,
  );
}

function isSame(accounts: NamedAccounts, name: string, {site, email}: Zuliprc, {home}: CliIo): boolean {
  if (!accounts.has(name)) return false;
  const other = orConfigError(() => readZuliprc(accounts.file(name), home));
  if (other instanceof ConfigError) return false;
  return other.site === site && other.email.toLowerCase() === email.toLowerCase();
}

/** Returns an unused name: `acme-corp` for the organization Acme Corp., otherwise one from the host. */
function freeName(accounts: NamedAccounts, organization: string | undefined, site: string): string {
  const labels = [organizationLabel(organization ?? ''), hostLabel(site)];
  // “demo” selects the demo organization.
  const start = labels.find((label) => isAccountName(label) && label !== demoName) ?? 'account';
  for (let number = 1; ; number++) {
    const name = number === 1 ? start : `${start}-${number}`;
    if (!accounts.has(name)) return name;
  }
}

const maxLabelLength = 40;

function organizationLabel(name: string): string {
  const words = name.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.join('-').slice(0, maxLabelLength);
}

/** Returns `acme` for acme.example.com, `localhost-9991` for a port of this machine. */
function hostLabel(site: string): string {
  const {hostname, port} = new URL(site);
  const label = /^[\d.]+$|:/.test(hostname) ? hostname.replaceAll(/[^\w.]+/g, '') : (hostname.split('.')[0] ?? '');
  return `${label}${port === '' ? '' : `-${port}`}`;
}
