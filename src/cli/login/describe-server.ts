import type {Connection} from '#api/connection.ts';
import {shortPrintableLine} from '#api/failure-text.ts';
import {type CliIo, printNotice} from '#cli/io.ts';
import {isLocalHost} from '#config/site.ts';
import {endpoints} from '#wire/endpoints.ts';
import {minimumLevel, releases} from '#wire/levels.ts';
import type {ServerSettings} from '#wire/objects/server-settings.ts';
import {featureLevel, serverVersion} from '#wire/objects/version.ts';

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
