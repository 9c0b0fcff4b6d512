import type {Connection} from '#api/connection.ts';
import {isApiFailure, LoginFailure} from '#api/failure.ts';
import {shortPrintableLine} from '#api/failure-text.ts';
import {connect} from '#cli/account-access/connect.ts';
import {exitCodes} from '#cli/exit-codes.ts';
import {PlainFailure} from '#cli/failures.ts';
import {type CliIo, printNotice} from '#cli/io.ts';
import {ConfigError} from '#config/config-error.ts';
import {hasIniSection} from '#config/ini.ts';
import {isLoginName, parseZuliprc, type TlsFiles, type Zuliprc} from '#config/zuliprc.ts';
import {Secret} from '#std/secret.ts';
import {endpoints} from '#wire/endpoints.ts';
import {realmUrl, type ServerSettings} from '#wire/objects/server-settings.ts';
import {acceptsPasswords} from './describe-server.ts';
import type {Prompt} from './prompt.ts';

export interface LoginContext {
  readonly connection: Connection;
  readonly io: CliIo;
  readonly prompt: Prompt;
  readonly email: string | undefined;
  readonly server: ServerSettings;
  readonly tls: TlsFiles;
}

interface Credentials {
  readonly email: string;
  readonly key: Secret;
}

const maxAttempts = 3;

/** Returns whether the text has the form of an API key. */
export function isApiKey(text: string): boolean {
  return /^[A-Za-z0-9]{32}$/.test(text.trim());
}

export function parsePastedZuliprc(text: string, {home}: CliIo): Zuliprc | undefined {
  return hasIniSection(text, 'api') ? withKey(parseZuliprc(text, 'the pasted text', home)) : undefined;
}

/** Throws for a zuliprc without a key: commands run only from files of the user, not from text of unknown origin. */
export function withKey(zuliprc: Zuliprc): Zuliprc {
  if (zuliprc.key !== undefined) return zuliprc;
  throw new ConfigError(
    'A key_command is only run from a file: save the zuliprc, run chmod 600 on it, and use “parley login --zuliprc FILE”.',
  );
}

/** Prompts for credentials: e-mail and password, an API key, or a whole zuliprc, in whatever order they are pasted. */
export async function askForCredentials(context: LoginContext): Promise<Zuliprc> {
  const {connection, io, prompt, server, tls} = context;
  const toZuliprc = (credentials: Credentials): Zuliprc => ({
    site: connection.site,
    tls,
    keyCommand: undefined,
    ...credentials,
  });
  if (!acceptsPasswords(server)) printNotice(io, apiKeyInstructions(connection.site));
  const picked = context.email === undefined ? await pickDeveloper(context) : undefined;
  if (picked !== undefined && typeof picked !== 'string') return toZuliprc(picked);
  let email = context.email ?? picked;
  let key: string | undefined;
  while (email === undefined) {
    const answer = await prompt.ask('E-mail (or paste a zuliprc): ');
    const pasted = parseOrPrintError(io, () => parsePastedZuliprc(answer, io));
    if (pasted !== undefined) return pasted;
    if (isApiKey(answer)) key = answer.trim();
    else if (isLoginName(answer.trim())) email = answer.trim();
    else printNotice(io, 'That is not an e-mail address.');
  }
  if (key !== undefined) return toZuliprc({email, key: new Secret(key)});
  for (let attempt = 1; ; attempt++) {
    const answer = await prompt.askHidden(
      acceptsPasswords(server) ? 'Password or API key (not shown): ' : 'API key (not shown): ',
    );
    const pasted = parseOrPrintError(io, () => parsePastedZuliprc(answer, io));
    if (pasted !== undefined) return pasted;
    if (answer.trim() === '') continue;
    try {
      return toZuliprc(await credentialsFrom(answer, email, context));
    } catch (error) {
      if (!(error instanceof LoginFailure) || error.code !== 'AUTHENTICATION_FAILED' || attempt >= maxAttempts)
        throw error;
      printNotice(io, error.message);
    }
  }
}

/** Prints the error of an invalid paste, so that the user can try again. */
function parseOrPrintError<T>(io: CliIo, body: () => T): T | undefined {
  try {
    return body();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    printNotice(io, error.message);
    return undefined;
  }
}

/** Turns the answer into an API key. A password can look like a key, so such an answer is tried as both. */
async function credentialsFrom(answer: string, email: string, context: LoginContext): Promise<Credentials> {
  const key = answer.trim();
  if (isApiKey(key) && (await isAccepted(email, key, context))) return {email, key: new Secret(key)};
  if (!acceptsPasswords(context.server)) {
    throw new PlainFailure(
      `${context.connection.site} rejects this API key for ${email}. Check the address and the key.`,
      exitCodes.login,
    );
  }
  return keyForPassword(context.connection, email, answer);
}

async function isAccepted(email: string, apiKey: string, {connection, tls, io}: LoginContext): Promise<boolean> {
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
