import type {Connection} from '#api/connection.ts';
import {shortPrintableLine} from '#api/failure-text.ts';
import {type CliIo, printNotice} from '#cli/io.ts';
import {isLocalHost} from '#config/site.ts';
import {endpoints} from '#wire/endpoints.ts';
import {minimumLevel, releases} from '#wire/levels.ts';
import type {ServerSettings} from '#wire/objects/server-settings.ts';
import {featureLevel, serverVersion} from '#wire/objects/version.ts';

/** Asks the server what it is, and tells the user. */
export async function describeServer(connection: Connection, io: CliIo): Promise<ServerSettings> {
  const settings = await connection.call(endpoints.getServerSettings, {});
  const name = settings.realm_name;
  const version = serverVersion(settings);
  printNotice(
    io,
    [name ?? connection.site, version === undefined ? '' : `version ${version}`]
      .filter(Boolean)
      .map(shortPrintableLine)
      .join(', '),
  );
  const level = featureLevel(settings);
  if (level < minimumLevel) printNotice(io, tooOld(level));
  if (name === undefined) {
    printNotice(
      io,
      'This address names no organization; if the server has several, use the address of yours.',
    );
  }
  if (connection.site.startsWith('http:') && !isLocalHost(new URL(connection.site).hostname)) {
    printNotice(
      io,
      'The connection is not encrypted: whoever is in between can read your password and messages.',
    );
  }
  connection.level = level;
  return settings;
}

function tooOld(level: number): string {
  const [oldest] = Object.entries(releases).find(([, first]) => first === minimumLevel) ?? [''];
  return `This server is older than ${oldest} (feature level ${level}, ${minimumLevel} is needed): much will not work.`;
}

/** Whether a name and a password can sign in here at all. */
export function acceptsPasswords({authentication_methods, email_auth_enabled}: ServerSettings): boolean {
  if (authentication_methods === undefined) return true;
  const {password, email, ldap} = authentication_methods;
  return (
    password === true ||
    email === true ||
    ldap === true ||
    (password === undefined && email_auth_enabled !== false)
  );
}
