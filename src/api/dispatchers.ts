import type {SecureContextOptions} from 'node:tls';
import type {Dispatcher} from 'undici';
import {errorText} from '#std/error-text.ts';
import {shortPrintableLine} from '#std/printable.ts';
import {cannotConnectFailure} from '#wire/failure.ts';
import type {ConnectionOptions} from './connection-options.ts';
import type {makeDispatcher, TlsOptions} from './make-dispatcher.ts';
import type {OpenSocket} from './open-socket.ts';
import type {Site} from './site.ts';

export interface ProxyOptions {
  readonly http?: string | undefined;
  readonly https?: string | undefined;
  readonly no?: string | undefined;
}

/**
 * The HTTP dispatchers of a connection. The account's TLS settings (authorities, client certificate, `insecure`) apply only
 * to its own server; a file on another host is fetched with the defaults.
 */
export class Dispatchers {
  readonly #site: Site;
  readonly #tls: TlsOptions;
  readonly #proxies: ProxyOptions;
  readonly #connectMs: number;
  readonly #openSocket: OpenSocket | undefined;
  #dispatchers = new Map<string, Dispatcher>();
  #closed = false;

  constructor(site: Site, options: Pick<ConnectionOptions, 'tls' | 'proxies' | 'openSocket'>, connectMs: number) {
    const {tls = {}, proxies = {}, openSocket} = options;
    this.#site = site;
    this.#tls = tls;
    this.#proxies = proxies;
    this.#connectMs = connectMs;
    this.#openSocket = openSocket;
    checkCertificates(tls);
    this.#proxyFor(new URL(site.origin));
  }

  get closed(): boolean {
    return this.#closed;
  }

  dispatcherFor(url: URL, make: typeof makeDispatcher): Dispatcher {
    const isOwn = this.#site.isOwnOrigin(url);
    const proxy = this.#proxyFor(url);
    const key = `${isOwn} ${proxy}`;
    const known = this.#dispatchers.get(key);
    if (known !== undefined) return known;
    const dispatcher = make({
      proxy,
      noProxy: this.#proxies.no,
      tls: isOwn ? this.#tls : {systemCa: this.#tls.systemCa},
      connectMs: this.#connectMs,
      openSocket: this.#openSocket,
    });
    this.#dispatchers.set(key, dispatcher);
    return dispatcher;
  }

  /** Returns the host of the proxy for a URL, without a password. It ignores the exceptions. */
  proxyHostFor(url: URL): string | undefined {
    const proxy = this.#proxyFor(url);
    return proxy === undefined ? undefined : new URL(proxy).host;
  }

  #proxyFor(url: URL): string | undefined {
    const {http, https} = this.#proxies;
    const proxy = (url.protocol === 'https:' ? https : http) || undefined;
    if (proxy === undefined || isThisMachine(url.hostname)) return undefined;
    checkProxy(proxy);
    return proxy;
  }

  /** Stops using the open sockets: requests in progress finish on them, new ones open their own. */
  resetSockets(): void {
    const old = this.#dispatchers;
    this.#dispatchers = new Map();
    for (const dispatcher of old.values()) dispatcher.close().catch(() => {});
  }

  async close(): Promise<void> {
    this.#closed = true;
    const old = this.#dispatchers;
    this.#dispatchers = new Map();
    await Promise.all([...old.values()].map((dispatcher) => dispatcher.destroy()));
  }
}

/** Returns whether a host is this machine, which a proxy cannot reach. */
function isThisMachine(hostname: string): boolean {
  return /^(?:localhost|(?:.*\.)localhost|127(?:\.\d+){3}|\[::1\])\.?$/.test(hostname);
}

/** Checks the files before the first request, so that a wrong file is reported clearly, not as a failed handshake. */
function checkCertificates({ca, systemCa, clientCert, clientKey}: TlsOptions): void {
  if (ca !== undefined) checkSetting('cert_bundle', () => checkContext({ca: certificates(ca)}));
  if (systemCa !== undefined) checkSetting('SSL_CERT_FILE', () => checkContext({ca: certificates(systemCa)}));
  if (clientCert === undefined && clientKey !== undefined) {
    throw cannotConnectFailure('client_cert_key is set, but client_cert is not.');
  }
  if (clientCert === undefined) return;
  checkSetting('client_cert or client_cert_key', () => checkContext({cert: clientCert, key: clientKey ?? clientCert}));
}

/** Creates a TLS context. Loading TLS takes 20 ms, which an account without TLS or certificates does not need to wait for. */
function checkContext(options: SecureContextOptions): void {
  process.getBuiltinModule('node:tls').createSecureContext(options);
}

/** Rejects a text without certificates; Node would accept it and then trust nothing. */
function certificates(pem: string): string {
  if (!pem.includes('-----BEGIN ')) throw new Error('it contains no certificate in PEM format');
  return pem;
}

function checkSetting(setting: string, make: () => void): void {
  try {
    make();
  } catch (error) {
    const reason = shortPrintableLine(errorText(error));
    throw cannotConnectFailure(`The file named by ${setting} cannot be used: ${reason}.`);
  }
}

/** Checks a proxy's URL. The error does not contain it, because it may contain a password. */
function checkProxy(address: string): void {
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw cannotConnectFailure(
      'The proxy URL must look like http://proxy.example.com:3128; other kinds of proxy are not supported.',
    );
  }
}
