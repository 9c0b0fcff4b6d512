import {Connection, type ConnectionOptions} from '#api/connection.ts';
import type {CliIo} from '#cli/io.ts';
import {version} from '#cli/version.ts';
import type {Account} from '#config/load-account.ts';
import type {Env} from '#config/paths.ts';
import {readSmallFile} from '#config/private-files.ts';
import {isLocalHost} from '#config/site.ts';
import type {TlsFiles} from '#config/zuliprc.ts';

/** A connection as this account. Asks for its key, which may run its key_command. */
export async function connect(
  account: Pick<Account, 'site' | 'email' | 'key' | 'tls'>,
  io: Pick<CliIo, 'env' | 'clock'>,
): Promise<Connection> {
  const credentials = {email: account.email, apiKey: await account.key()};
  return new Connection({...connectionOptions(account.site, account.tls, io), credentials});
}

/** A connection as nobody. */
export function connectAnonymously(
  site: string,
  tls: TlsFiles,
  io: Pick<CliIo, 'env' | 'clock'>,
): Connection {
  return new Connection(connectionOptions(site, tls, io));
}

/** Everything but who: the certificates that the account names, the proxies that the environment names. */
export function connectionOptions(
  site: string,
  tls: TlsFiles,
  {env, clock}: Pick<CliIo, 'env' | 'clock'>,
): ConnectionOptions {
  const ca = tls.certBundle === undefined ? undefined : readSmallFile(tls.certBundle, mostPem);
  const clientCert = tls.clientCert === undefined ? undefined : readSmallFile(tls.clientCert, mostPem);
  const clientKey = tls.clientCertKey === undefined ? clientCert : readSmallFile(tls.clientCertKey, mostPem);
  return {
    site,
    tls: {ca, clientCert, clientKey, insecure: tls.insecure},
    proxies: isLocalHost(new URL(site).hostname) ? {} : proxiesOf(env),
    userAgent: `Parley/${version}`,
    clock,
  };
}

/** The bundle of a whole system is some hundred kilobytes. */
const mostPem = 8 * 1024 * 1024;

function proxiesOf(env: Env) {
  const either = (name: string) => env[variableOf(name, env)] || undefined;
  return {http: either('http_proxy'), https: either('https_proxy'), no: either('no_proxy')};
}

function variableOf(name: string, env: Env): string {
  return env[name] ? name : name.toUpperCase();
}

/** The variable that names a proxy for this site, unless `no_proxy` makes an exception. */
export function proxyVariable(site: string, env: Env): string | undefined {
  const {protocol, hostname} = new URL(site);
  const variable = variableOf(`${protocol.slice(0, -1)}_proxy`, env);
  return env[variable] && !isLocalHost(hostname) ? variable : undefined;
}
