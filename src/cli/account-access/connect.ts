import {Connection} from '#api/connection.ts';
import type {ConnectionOptions} from '#api/connection-options.ts';
import type {CliIo} from '#cli/io.ts';
import {version} from '#cli/version.ts';
import type {Account} from '#config/load-account.ts';
import type {Env} from '#config/paths.ts';
import {readSmallFile} from '#config/private-files.ts';
import {readSettings} from '#config/settings.ts';
import {isLocalHost} from '#config/site.ts';
import type {TlsFiles} from '#config/zuliprc.ts';

/** Returns a connection for this account. Reads its API key, which may run its key_command. */
export async function connect(
  account: Pick<Account, 'site' | 'email' | 'key' | 'tls'>,
  io: Pick<CliIo, 'env' | 'paths' | 'clock' | 'restriction'>,
): Promise<Connection> {
  const credentials = {email: account.email, apiKey: await account.key()};
  // It is read when it matters, so that a change of the setting has effect at once.
  const mayUseOtherHosts = () => readSettings(io.paths.config, io.env).settings.filesFromOtherHosts;
  const options = {...connectionOptions(account.site, account.tls, io), credentials};
  // Over SSH, requests to other hosts would come from the network of the server.
  if (io.restriction !== undefined) return new Connection({...options, openSocket: io.restriction.openSocket});
  return new Connection({...options, mayUseOtherHosts});
}

/** Returns a connection without a login. */
export function connectAnonymously(site: string, tls: TlsFiles, io: Pick<CliIo, 'env' | 'clock'>): Connection {
  return new Connection(connectionOptions(site, tls, io));
}

/** Returns the connection options without credentials: the account's certificates and the environment's proxies. */
function connectionOptions(site: string, tls: TlsFiles, {env, clock}: Pick<CliIo, 'env' | 'clock'>): ConnectionOptions {
  const ca = tls.certBundle === undefined ? undefined : readSmallFile(tls.certBundle, maxPemBytes);
  const isSecure = new URL(site).protocol === 'https:';
  const systemCa = isSecure && env.SSL_CERT_FILE ? readSmallFile(env.SSL_CERT_FILE, maxPemBytes) : undefined;
  const clientCert = tls.clientCert === undefined ? undefined : readSmallFile(tls.clientCert, maxPemBytes);
  const clientKey = tls.clientCertKey === undefined ? clientCert : readSmallFile(tls.clientCertKey, maxPemBytes);
  return {
    site,
    tls: {ca, systemCa, clientCert, clientKey, insecure: tls.insecure},
    proxies: isLocalHost(new URL(site).hostname) ? {} : proxiesOf(env),
    userAgent: `Parley/${version()}`,
    clock,
  };
}

/** 8 MiB: the certificate bundle of a whole system is some hundred kilobytes. */
const maxPemBytes = 8 * 1024 * 1024;

function proxiesOf(env: Env) {
  const value = (...names: string[]) => env[variableOf(env, ...names) ?? ''];
  return {http: value('http_proxy', 'all_proxy'), https: value('https_proxy', 'all_proxy'), no: value('no_proxy')};
}

/** Returns the first variable that is set; of both spellings, lower case comes first. */
function variableOf(env: Env, ...names: string[]): string | undefined {
  return names.flatMap((name) => [name, name.toUpperCase()]).find((name) => env[name]);
}

/** Returns the variable with the proxy for this site. It ignores `no_proxy`. */
export function proxyVariable(site: string, env: Env): string | undefined {
  const {protocol, hostname} = new URL(site);
  if (isLocalHost(hostname)) return undefined;
  return variableOf(env, `${protocol.slice(0, -1)}_proxy`, 'all_proxy');
}
