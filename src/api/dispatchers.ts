import {createSecureContext} from 'node:tls';
import type {Dispatcher} from 'undici';
import {shortPrintableLine} from './failure-text.ts';
import type {makeDispatcher, TlsOptions} from './make-dispatcher.ts';
import {cannotConnectFailure, type Site} from './site.ts';

export interface ProxyOptions {
  readonly http?: string | undefined;
  readonly https?: string | undefined;
  readonly no?: string | undefined;
}

/**
 * Where requests go out. What the account says about TLS (its authorities, its certificate, `insecure`) is for its own
 * server; a file that lies elsewhere is fetched like any page of the web.
 */
export class Dispatchers {
  readonly #site: Site;
  readonly #tls: TlsOptions;
  readonly #proxies: ProxyOptions;
  readonly #connectMs: number;
  #made = new Map<string, Dispatcher>();
  #closed = false;

  constructor(site: Site, tls: TlsOptions, proxies: ProxyOptions, connectMs: number) {
    this.#site = site;
    this.#tls = tls;
    this.#proxies = proxies;
    this.#connectMs = connectMs;
    checkCertificates(tls);
    for (const proxy of [proxies.http, proxies.https]) checkProxy(proxy);
  }

  get closed(): boolean {
    return this.#closed;
  }

  dispatcherFor(url: URL, make: typeof makeDispatcher): Dispatcher {
    const home = this.#site.isOwnOrigin(url);
    const direct = isThisMachine(url.hostname);
    const key = `${home} ${direct} ${url.protocol}`;
    const known = this.#made.get(key);
    if (known !== undefined) return known;
    const {http, https} = this.#proxies;
    const proxy = url.protocol === 'https:' ? https : http;
    const dispatcher = make({
      proxy: direct ? undefined : proxy,
      noProxy: this.#proxies.no,
      tls: home ? this.#tls : {},
      connectMs: this.#connectMs,
    });
    this.#made.set(key, dispatcher);
    return dispatcher;
  }

  /** Leaves the sockets that are open: what runs on them ends by itself, what comes next opens its own. */
  resetSockets(): void {
    const old = this.#made;
    this.#made = new Map();
    for (const dispatcher of old.values()) dispatcher.close().catch(() => {});
  }

  async close(): Promise<void> {
    this.#closed = true;
    const old = this.#made;
    this.#made = new Map();
    await Promise.all([...old.values()].map((dispatcher) => dispatcher.destroy()));
  }
}

/** No proxy can reach it: for the proxy it would be another machine. */
function isThisMachine(hostname: string): boolean {
  return /^(?:localhost|(?:.*\.)localhost|127(?:\.\d+){3}|\[::1\])\.?$/.test(hostname);
}

/** Before the first request, so that a wrong file is a sentence and not a failed handshake. */
function checkCertificates({ca, clientCert, clientKey}: TlsOptions): void {
  if (ca !== undefined) attempt('cert_bundle', () => createSecureContext({ca: certificates(ca)}));
  if (clientCert === undefined && clientKey !== undefined) {
    throw cannotConnectFailure('client_cert_key is set, but client_cert is not.');
  }
  if (clientCert === undefined) return;
  attempt('client_cert or client_cert_key', () =>
    createSecureContext({cert: clientCert, key: clientKey ?? clientCert}),
  );
}

/** A text without a single certificate would pass, and then nothing would be trusted. */
function certificates(pem: string): string {
  if (!pem.includes('-----BEGIN ')) throw new Error('it holds no certificate in PEM form');
  return pem;
}

function attempt(setting: string, make: () => void): void {
  try {
    make();
  } catch (error) {
    const reason = error instanceof Error ? shortPrintableLine(error.message) : 'unknown reason';
    throw cannotConnectFailure(`The file named by ${setting} cannot be used: ${reason}.`);
  }
}

/** Says nothing of the address itself: it may hold a password. */
function checkProxy(address: string | undefined): void {
  if (address === undefined || address === '') return;
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw cannotConnectFailure(
      'The address of the proxy has to look like http://proxy.example.com:3128; other kinds of proxy are not supported.',
    );
  }
}
