import type {Connection} from '#api/connection.ts';
import {connect} from '#cli/account-access/connect.ts';
import {type CliIo, exitCodes, PlainFailure, printNotice, UsageError} from '#cli/io.ts';
import type {Prompt} from '#cli/prompt.ts';
import {expandPath} from '#config/paths.ts';
import {ConfigError, checkCommandFile, orConfigError} from '#config/private-files.ts';
import {isLocalHost} from '#config/site.ts';
import {hasIniSection, isLoginName, parseZuliprc, readZuliprc, type TlsFiles, type Zuliprc} from '#config/zuliprc.ts';
import {shortPrintableLine} from '#std/printable.ts';
import {Secret} from '#std/secret.ts';
import {terminalEnvironment} from '#terminal/environment.ts';
import {openUrl} from '#terminal/open-url.ts';
import {launchProgram} from '#terminal/run-program.ts';
import {endpoints} from '#wire/endpoints.ts';
import {isApiFailure, LoginFailure} from '#wire/failure.ts';
import {minimumLevel, releases} from '#wire/levels.ts';
import {featureLevel, realmUrl, type ServerSettings, serverVersion} from '#wire/objects/server-settings.ts';

/** A server to log in to. */
interface LoginServer {
  readonly connection: Connection;
  readonly io: CliIo;
  readonly server: ServerSettings;
  readonly tls: TlsFiles;
}

interface Credentials {
  readonly email: string;
  readonly key: Secret;
}

export function zuliprcOf({connection, tls}: LoginServer, credentials: Credentials): Zuliprc {
  return {site: connection.site, tls, keyCommand: undefined, ...credentials};
}

/** Returns whether the text has the form of an API key. */
function isApiKey(text: string): boolean {
  return /^[A-Za-z0-9]{32}$/.test(text.trim());
}

export function parsePastedZuliprc(text: string, {home}: CliIo): Zuliprc | undefined {
  return hasIniSection(text, 'api') ? withKey(parseZuliprc(text, 'the pasted text', home)) : undefined;
}

export function readAccountFile(path: string, {cwd, home}: CliIo): Zuliprc {
  const file = expandPath(path, cwd, home);
  const zuliprc = readZuliprc(file, home);
  if (zuliprc.key === undefined) checkCommandFile(file);
  return zuliprc;
}

/** Throws for a zuliprc without a key: commands run only from files of the user, not from text of unknown origin. */
export function withKey(zuliprc: Zuliprc): Zuliprc {
  if (zuliprc.key !== undefined) return zuliprc;
  throw new ConfigError(
    'A key_command is only run from a file: save the zuliprc, run chmod 600 on it, and use “parley login --zuliprc FILE”.',
  );
}

/** Turns a password or API key into an API key. A password can look like a key, so such an answer is tried as both. */
export async function credentialsFrom(answer: string, email: string, login: LoginServer): Promise<Credentials> {
  const key = answer.trim();
  if (isApiKey(key) && (await isAccepted(email, key, login))) return {email, key: new Secret(key)};
  if (!acceptsPasswords(login.server)) {
    throw new PlainFailure(
      `${login.connection.site} rejects this API key for ${email}. Check the address and the key.`,
      exitCodes.login,
    );
  }
  return keyForPassword(login.connection, email, answer);
}

async function isAccepted(email: string, apiKey: string, {connection, tls, io}: LoginServer): Promise<boolean> {
  const own = await connect({site: connection.site, tls, email, key: async () => apiKey}, io);
  try {
    await own.call(endpoints.getOwnUser, {});
    return true;
  } catch (error) {
    if (isApiFailure(error) && error.kind === 'login') return false;
    throw error;
  } finally {
    await own.close();
  }
}

export async function keyForPassword(connection: Connection, email: string, password: string): Promise<Credentials> {
  try {
    const answer = await connection.call(endpoints.fetchApiKey, {username: email, password});
    return {email: answer.email, key: new Secret(answer.api_key)};
  } catch (error) {
    if (error instanceof LoginFailure && error.code === 'PASSWORD_AUTH_DISABLED') {
      throw new PlainFailure(apiKeyInstructions(connection.site), exitCodes.login);
    }
    throw error;
  }
}

function apiKeyInstructions(site: string): string {
  return (
    `This organization does not accept passwords here. Copy your API key from ${site}/#settings/account-and-privacy ` +
    'and paste it, or paste the zuliprc from that page.'
  );
}

/** Fetches the server's settings and prints its name, its version and warnings. */
export async function describeServer(connection: Connection, io: CliIo): Promise<ServerSettings> {
  const settings = await connection.call(endpoints.getServerSettings, {});
  connection.level = featureLevel(settings);
  const name = settings.realm_name;
  const version = serverVersion(settings);
  printNotice(
    io,
    [name ?? connection.site, version === undefined ? '' : `version ${version}`]
      .filter(Boolean)
      .map(shortPrintableLine)
      .join(', '),
  );
  for (const notice of serverNotices(connection, settings)) printNotice(io, notice);
  return settings;
}

/** Returns warnings about the server and the connection. */
export function serverNotices({site}: Connection, settings: ServerSettings): readonly string[] {
  const level = featureLevel(settings);
  const isReadable = site.startsWith('http:') && !isLocalHost(new URL(site).hostname);
  return [
    ...(level < minimumLevel ? [tooOldText(level)] : []),
    ...(settings.realm_name === undefined
      ? ['No organization has this address. If the server hosts several, use the address of yours.']
      : []),
    ...(isReadable
      ? ['The connection is not encrypted: others on the network can read your password and messages.']
      : []),
  ];
}

function tooOldText(level: number): string {
  const [oldest] = Object.entries(releases).find(([, first]) => first === minimumLevel) ?? [''];
  return `This server is older than ${oldest} (feature level ${level}; Parley needs ${minimumLevel}). Many features will not work.`;
}

/** Returns whether the server accepts a user name and password. */
export function acceptsPasswords({authentication_methods, email_auth_enabled}: ServerSettings): boolean {
  if (authentication_methods === undefined) return true;
  const {password, email, ldap} = authentication_methods;
  return (
    password === true || email === true || ldap === true || (password === undefined && email_auth_enabled !== false)
  );
}

/** A login in the browser, such as Google or SAML, that the organization offers. */
type BrowserMethod = NonNullable<ServerSettings['external_authentication_methods']>[number];

export function browserMethods({
  external_authentication_methods: methods = [],
}: ServerSettings): readonly BrowserMethod[] {
  return methods.filter(({login_url}) => /^https?:$/.test(URL.parse(login_url, 'https://localhost')?.protocol ?? ''));
}

/**
 * Starts the login of Zulip's mobile apps: the server sends the browser to an address of the scheme `zulip:`, which no program
 * receives here, so the user pastes it. The API key in it is encrypted with a one-time pad that only this process knows.
 */
export function startBrowserLogin(site: string, server: ServerSettings, method: BrowserMethod) {
  const organization = realmUrl(server) ?? site;
  const address = new URL(method.login_url, organization);
  const pad = crypto.getRandomValues(new Uint8Array(32));
  address.searchParams.set('mobile_flow_otp', Buffer.from(pad).toString('hex'));
  return {
    /** The address to open in a browser, on any machine. */
    address: address.href,
    /** Reads the address that the browser was sent to in the end. Throws a ConfigError if it is not of this login. */
    finish: (pasted: string) => credentialsIn(pasted, pad, organization),
  };
}

function credentialsIn(pasted: string, pad: Uint8Array, organization: string): Credentials {
  // A terminal may have wrapped the address; a browser's console has it in quotes.
  const [found = ''] = /zulip:\/\/login\/?\?[^'"<>]+/i.exec(pasted.replaceAll(/\s+/g, '')) ?? [];
  const params = URL.parse(found)?.searchParams;
  const encrypted = params?.get('otp_encrypted_api_key') ?? '';
  const email = params?.get('email') ?? '';
  if (!/^[\da-f]{64}$/i.test(encrypted) || !isLoginName(email)) {
    throw new ConfigError(
      'This is not the whole address: it starts with zulip://login? and contains your e-mail address.',
    );
  }
  const realm = URL.parse(params?.get('realm') ?? '')?.origin;
  if (realm !== new URL(organization).origin) {
    throw new ConfigError(`This address is of ${realm ?? 'no organization'}, not of ${organization}.`);
  }
  const key = String.fromCharCode(...Buffer.from(encrypted, 'hex').map((byte, at) => byte ^ (pad[at] ?? 0)));
  if (!isApiKey(key)) {
    throw new ConfigError('This address is of an earlier login. Open the address above again, and paste the new one.');
  }
  return {email, key: new Secret(key)};
}

/** What to do in the browser, for the command line and the screen. */
export const browserSteps =
  'After the login, the browser tries to open an address that starts with zulip://login. Copy this address and paste it. ' +
  'Firefox shows it in the address bar, Chrome in the console of its developer tools (F12).';

interface LoginContext extends LoginServer {
  readonly prompt: Prompt;
  readonly email: string | undefined;
}

const maxAttempts = 3;

/**
 * Prompts for credentials: the number of a login in the browser, e-mail and password, an API key, or a whole zuliprc, in
 * whatever order they are pasted.
 */
export async function askForCredentials(context: LoginContext): Promise<Zuliprc> {
  const {connection, io, prompt, server} = context;
  if (!acceptsPasswords(server)) printNotice(io, apiKeyInstructions(connection.site));
  const picked = context.email === undefined ? await pickDeveloper(context) : undefined;
  if (picked !== undefined && typeof picked !== 'string') return zuliprcOf(context, picked);
  printBrowserMethods(context);
  let email = context.email ?? picked;
  let key: string | undefined;
  while (email === undefined) {
    const answer = await prompt.ask('E-mail (or paste a zuliprc): ');
    const whole = await wholeAnswer(context, answer);
    if (whole !== undefined) return whole;
    if (isApiKey(answer)) key = answer.trim();
    else if (isLoginName(answer.trim())) email = answer.trim();
    else printNotice(io, 'That is not an e-mail address.');
  }
  if (key !== undefined) return zuliprcOf(context, {email, key: new Secret(key)});
  return askForSecret(context, email);
}

async function askForSecret(context: LoginContext, email: string): Promise<Zuliprc> {
  const {io, prompt, server} = context;
  const question = acceptsPasswords(server) ? 'Password or API key (not shown): ' : 'API key (not shown): ';
  for (let attempt = 1; ; attempt++) {
    const answer = await prompt.askHidden(question);
    const whole = await wholeAnswer(context, answer);
    if (whole !== undefined) return whole;
    if (answer.trim() === '') continue;
    try {
      return zuliprcOf(context, await credentialsFrom(answer, email, context));
    } catch (error) {
      if (!(error instanceof LoginFailure) || error.code !== 'AUTHENTICATION_FAILED' || attempt >= maxAttempts)
        throw error;
      printNotice(io, error.message);
    }
  }
}

/** Logs in with the browser, or as a pasted zuliprc says; undefined for other answers. An invalid paste can be tried again. */
async function wholeAnswer(context: LoginContext, answer: string): Promise<Zuliprc | undefined> {
  const method = methodByNumber(context, answer);
  if (method !== undefined) return askInBrowser(context, method);
  const pasted = orConfigError(() => parsePastedZuliprc(answer, context.io));
  if (!(pasted instanceof ConfigError)) return pasted;
  printNotice(context.io, pasted.message);
  return undefined;
}

const maxListed = 20;

/**
 * Lets the user pick an account on a development server. Returns credentials, an e-mail address that was
 * typed instead, or undefined on other servers.
 */
async function pickDeveloper(context: LoginContext): Promise<Credentials | string | undefined> {
  const {connection, io, prompt} = context;
  const emails = await developerEmails(context);
  if (emails.length === 0) return undefined;
  const listed = emails.slice(0, maxListed);
  printNotice(io, 'Demo server: pick a user');
  for (const [index, email] of listed.entries())
    printNotice(io, `  ${String(index + 1).padStart(2)}  ${shortPrintableLine(email)}`);
  if (emails.length > listed.length) printNotice(io, `  and ${emails.length - listed.length} more, by e-mail`);
  for (;;) {
    const answer = (await prompt.ask('Number or e-mail: ')).trim();
    const username = /^\d+$/.test(answer) ? listed[Number(answer) - 1] : answer;
    if (username === undefined || !isLoginName(username)) continue;
    if (!emails.includes(username)) return username;
    const {email, api_key} = await connection.call(endpoints.devFetchApiKey, {username});
    return {email, key: new Secret(api_key)};
  }
}

/**
 * Returns the users of a development server who are in this organization. An API failure means that the server is not a
 * development server. A server with several organizations lists the users of all, also where such a login is off.
 */
async function developerEmails({connection, server}: LoginContext): Promise<string[]> {
  if (server.authentication_methods?.dev === false) return [];
  const organization = realmUrl(server);
  try {
    const {direct_admins, direct_users} = await connection.call(endpoints.devListUsers, {});
    return [...direct_admins, ...direct_users]
      .filter((user) => (realmUrl(user) ?? organization) === organization)
      .map(({email}) => email);
  } catch (error) {
    if (isApiFailure(error)) return [];
    throw error;
  }
}

/** Lists the logins in the browser with the numbers that choose them. */
function printBrowserMethods({io, server}: LoginContext): void {
  const methods = browserMethods(server);
  if (methods.length === 0) return;
  printNotice(io, 'Type a number to log in with the browser:');
  for (const [at, {display_name}] of methods.entries()) printNotice(io, `  ${at + 1}  ${display_name}`);
}

function methodByNumber({server}: LoginContext, answer: string): BrowserMethod | undefined {
  return /^\s*\d{1,2}\s*$/.test(answer) ? browserMethods(server)[Number(answer) - 1] : undefined;
}

/** Returns the method that `--sso` names; asks which one if it names none and there are several. */
export async function chosenMethod(context: LoginContext, name: string): Promise<BrowserMethod> {
  const {connection, server, prompt} = context;
  const methods = browserMethods(server);
  const [only, ...others] = methods;
  if (only === undefined) throw new ConfigError(`${connection.site} offers no login with the browser.`);
  if (name === '' && others.length === 0) return only;
  if (name !== '') {
    const wanted = name.toLowerCase();
    const found = methods.find((each) => [each.name, each.display_name].some((text) => text.toLowerCase() === wanted));
    if (found !== undefined) return found;
    const names = methods.map(({display_name}) => display_name).join(', ');
    throw new UsageError(`${connection.site} offers no login with “${name}”, but with: ${names}.`);
  }
  printBrowserMethods(context);
  for (;;) {
    const method = methodByNumber(context, await prompt.ask('Number: '));
    if (method !== undefined) return method;
  }
}

/**
 * Opens the browser and asks for the address that it is sent to. An API key or a zuliprc is accepted too, for browsers that do
 * not show the address.
 */
export async function askInBrowser(context: LoginContext, method: BrowserMethod): Promise<Zuliprc> {
  const {connection, io, prompt, server} = context;
  const login = startBrowserLogin(connection.site, server, method);
  const isOpened = await openBrowser(login.address, io);
  printNotice(
    io,
    isOpened
      ? `Log in with ${method.display_name} in the browser. If it did not open, use this address on any machine:`
      : `Log in with ${method.display_name}: open this address in a browser, on this machine or any other:`,
  );
  printNotice(io, `\n  ${login.address}\n\n${browserSteps}`);
  printNotice(io, `Or paste the API key or zuliprc from ${connection.site}/#settings/account-and-privacy.`);
  for (;;) {
    const answer = await prompt.askHidden('Address (not shown): ');
    if (answer.trim() === '') continue;
    try {
      const pasted = parsePastedZuliprc(answer, io);
      if (pasted !== undefined) return pasted;
      if (!isApiKey(answer)) return zuliprcOf(context, login.finish(answer));
      return zuliprcOf(context, {email: await askForEmail(context), key: new Secret(answer.trim())});
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      printNotice(io, error.message);
    }
  }
}

async function askForEmail({email, prompt}: LoginContext): Promise<string> {
  let answer = email ?? '';
  while (!isLoginName(answer)) answer = (await prompt.ask('E-mail: ')).trim();
  return answer;
}

/** Opens the address, and returns whether a browser was found. One that draws in the terminal would hide the prompt. */
async function openBrowser(address: string, {env, outputIsTty}: CliIo): Promise<boolean> {
  const outcome = await openUrl(address, {
    environment: terminalEnvironment(env, outputIsTty),
    env,
    platform: process.platform,
    launch: launchProgram,
    copy: async () => ({kind: 'shown', why: 'no_way'}),
  });
  return outcome.kind === 'opened';
}
