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
import type {ServerSettings} from '#wire/objects/server-settings.ts';
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

const mostAttempts = 3;

/** What every API key looks like. */
export function isApiKey(text: string): boolean {
  return /^[A-Za-z0-9]{32}$/.test(text.trim());
}

export function parsePastedZuliprc(text: string, {home}: CliIo): Zuliprc | undefined {
  return hasIniSection(text, 'api') ? parseZuliprc(text, 'what you pasted', home) : undefined;
}

/** E-mail and password, or a key, or a whole zuliprc, in whatever order they are pasted. */
export async function askForCredentials(asking: LoginContext): Promise<Zuliprc> {
  const {connection, io, prompt, server, tls} = asking;
  const found = (credentials: Credentials): Zuliprc => ({
    site: connection.site,
    tls,
    keyCommand: undefined,
    ...credentials,
  });
  if (!acceptsPasswords(server)) printNotice(io, whereTheKeyIs(connection.site));
  const picked = asking.email === undefined ? await developer(asking) : undefined;
  if (picked !== undefined && typeof picked !== 'string') return found(picked);
  let email = asking.email ?? picked;
  let key: string | undefined;
  while (email === undefined) {
    const answer = await prompt.ask('E-mail (or paste a zuliprc): ');
    const pasted = tolerant(io, () => parsePastedZuliprc(answer, io));
    if (pasted !== undefined) return pasted;
    if (isApiKey(answer)) key = answer.trim();
    else if (isLoginName(answer.trim())) email = answer.trim();
    else printNotice(io, 'That is not an e-mail address.');
  }
  if (key !== undefined) return found({email, key: new Secret(key)});
  for (let attempt = 1; ; attempt++) {
    const answer = await prompt.askHidden(
      acceptsPasswords(server) ? 'Password or API key (not shown): ' : 'API key (not shown): ',
    );
    const pasted = tolerant(io, () => parsePastedZuliprc(answer, io));
    if (pasted !== undefined) return pasted;
    if (answer.trim() === '') continue;
    try {
      return found(await credentialsFrom(answer, email, asking));
    } catch (error) {
      if (
        !(error instanceof LoginFailure) ||
        error.code !== 'AUTHENTICATION_FAILED' ||
        attempt >= mostAttempts
      )
        throw error;
      printNotice(io, error.message);
    }
  }
}

/** A bad paste costs a line and another try. */
function tolerant<T>(io: CliIo, body: () => T): T | undefined {
  try {
    return body();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    printNotice(io, error.message);
    return undefined;
  }
}

/** A password can look like a key, so what looks like one is tried as both. */
async function credentialsFrom(answer: string, email: string, asking: LoginContext): Promise<Credentials> {
  const key = answer.trim();
  if (isApiKey(key) && (await isAccepted(email, key, asking))) return {email, key: new Secret(key)};
  if (!acceptsPasswords(asking.server)) {
    throw new PlainFailure(
      `${asking.connection.site} does not accept this key for ${email}.`,
      exitCodes.login,
    );
  }
  return keyForPassword(asking.connection, email, answer);
}

async function isAccepted(
  email: string,
  apiKey: string,
  {connection, tls, io}: LoginContext,
): Promise<boolean> {
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

export async function keyForPassword(
  connection: Connection,
  email: string,
  password: string,
): Promise<Credentials> {
  try {
    const answer = await connection.call(endpoints.fetchApiKey, {username: email, password});
    return {email: answer.email, key: new Secret(answer.api_key)};
  } catch (error) {
    if (error instanceof LoginFailure && error.code === 'PASSWORD_AUTH_DISABLED') {
      throw new PlainFailure(whereTheKeyIs(connection.site), exitCodes.login);
    }
    throw error;
  }
}

function whereTheKeyIs(site: string): string {
  return (
    `This organization does not take passwords here. Copy your API key from ${site}/#settings/account-and-privacy ` +
    'and paste that, or the zuliprc from there.'
  );
}

const mostShown = 20;

/** On a development server anybody can be picked: credentials, an e-mail that was typed instead, or nothing elsewhere. */
async function developer({connection, io, prompt}: LoginContext): Promise<Credentials | string | undefined> {
  const emails = await developers(connection);
  if (emails.length === 0) return undefined;
  const shown = emails.slice(0, mostShown);
  printNotice(io, 'This server lets you be anybody:');
  for (const [index, email] of shown.entries())
    printNotice(io, `  ${String(index + 1).padStart(2)}  ${shortPrintableLine(email)}`);
  if (emails.length > shown.length) printNotice(io, `  and ${emails.length - shown.length} more, by e-mail`);
  for (;;) {
    const answer = (await prompt.ask('Number or e-mail: ')).trim();
    const username = /^\d+$/.test(answer) ? shown[Number(answer) - 1] : answer;
    if (username === undefined || !isLoginName(username)) continue;
    if (!emails.includes(username)) return username;
    const {email, api_key} = await connection.call(endpoints.devFetchApiKey, {username});
    return {email, key: new Secret(api_key)};
  }
}

/** Anything but a list means that this is no development server. */
async function developers(connection: Connection): Promise<string[]> {
  try {
    const {direct_admins, direct_users} = await connection.call(endpoints.devListUsers, {});
    return [...direct_admins, ...direct_users].map(({email}) => email);
  } catch (error) {
    if (isApiFailure(error)) return [];
    throw error;
  }
}
