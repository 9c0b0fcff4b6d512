import type {Connection} from '#api/connection.ts';
import {isApiFailure, LoginFailure} from '#api/failure.ts';
import {connect} from '#cli/account-access/connect.ts';
import {exitCodes, PlainFailure} from '#cli/failures.ts';
import type {CliIo} from '#cli/io.ts';
import {checkCommandFile} from '#config/check-command-file.ts';
import {ConfigError} from '#config/config-error.ts';
import {hasIniSection} from '#config/ini.ts';
import {expandPath} from '#config/paths.ts';
import {readSmallFile} from '#config/private-files.ts';
import {parseZuliprc, type TlsFiles, type Zuliprc} from '#config/zuliprc.ts';
import {Secret} from '#std/secret.ts';
import {endpoints} from '#wire/endpoints.ts';
import type {ServerSettings} from '#wire/objects/server-settings.ts';
import {acceptsPasswords} from './describe-server.ts';

/** A server to log in to. */
export interface LoginServer {
  readonly connection: Connection;
  readonly io: CliIo;
  readonly server: ServerSettings;
  readonly tls: TlsFiles;
}

export interface Credentials {
  readonly email: string;
  readonly key: Secret;
}

export function zuliprcOf({connection, tls}: LoginServer, credentials: Credentials): Zuliprc {
  return {site: connection.site, tls, keyCommand: undefined, ...credentials};
}

/** Returns whether the text has the form of an API key. */
export function isApiKey(text: string): boolean {
  return /^[A-Za-z0-9]{32}$/.test(text.trim());
}

export function parsePastedZuliprc(text: string, {home}: CliIo): Zuliprc | undefined {
  return hasIniSection(text, 'api') ? withKey(parseZuliprc(text, 'the pasted text', home)) : undefined;
}

export function readZuliprc(path: string, {cwd, home}: CliIo): Zuliprc {
  const file = expandPath(path, cwd, home);
  const zuliprc = parseZuliprc(readSmallFile(file), file, home);
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

export function apiKeyInstructions(site: string): string {
  return (
    `This organization does not accept passwords here. Copy your API key from ${site}/#settings/account-and-privacy ` +
    'and paste it, or paste the zuliprc from that page.'
  );
}
