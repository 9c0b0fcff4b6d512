import type {buildConnector, Dispatcher} from 'undici';
// The index of undici also loads `fetch`, WebSocket, caches and mocks, which takes 50 ms.
import connect from 'undici/lib/api/api-connect.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import UndiciDispatcher from 'undici/lib/dispatcher/dispatcher.js';
import EnvHttpProxyAgent from 'undici/lib/dispatcher/env-http-proxy-agent.js';
import Pool from 'undici/lib/dispatcher/pool.js';
import {ProxyUnreachableError} from './diagnose-error.ts';
import type {OpenSocket} from './open-socket.ts';

export interface TlsOptions {
  /** The PEM text of the authorities to trust instead of the default ones. */
  readonly ca?: string | undefined;
  /** The PEM text of the authorities that this machine trusts instead of Node's, for every host. */
  readonly systemCa?: string | undefined;
  readonly clientCert?: string | undefined;
  readonly clientKey?: string | undefined;
  readonly insecure?: boolean | undefined;
}

interface DispatcherOptions {
  readonly proxy: string | undefined;
  readonly noProxy: string | undefined;
  readonly tls: TlsOptions;
  readonly connectMs: number;
  /** Opens all connections, without a proxy and without TLS. */
  readonly openSocket?: OpenSocket | undefined;
}

/** Shorter than the keep-alive of common servers, so that a request rarely meets a socket that was just closed. */
const keepAliveMs = 20_000;
/** Enough for one long poll and a page of parallel requests. */
const maxSockets = 12;

// Agents of proxies open tunnels with it; the index would set it.
UndiciDispatcher.prototype.connect = connect;

/** Creates an HTTP dispatcher. Only this file imports undici; the first request imports it. */
export function makeDispatcher({proxy, noProxy, tls, connectMs, openSocket}: DispatcherOptions): Dispatcher {
  const ca = tls.ca ?? tls.systemCa;
  const connectOptions: buildConnector.BuildOptions = {
    timeout: connectMs,
    allowH2: false,
    rejectUnauthorized: tls.insecure !== true,
    ...(ca !== undefined && {ca}),
    ...(tls.clientCert !== undefined && {cert: tls.clientCert, key: tls.clientKey ?? tls.clientCert}),
  };
  const shared = {
    allowH2: false,
    connections: maxSockets,
    keepAliveTimeout: keepAliveMs,
    pipelining: 1,
    connectTimeout: connectMs,
  };
  if (openSocket !== undefined) return new Agent({...shared, connect: connectorOf(openSocket)});
  if (proxy === undefined || proxy === '') return new Agent({...shared, connect: connectOptions});
  const proxyUrl = new URL(proxy).href;
  return new EnvHttpProxyAgent({
    ...shared,
    // Called for the proxy where it forwards HTTP, and for each origin.
    factory: (origin, options: Pool.Options) =>
      new Pool(origin, origin === proxyUrl ? {...options, connect: markErrors(options.connect)} : options),
    connect: connectOptions,
    requestTls: connectOptions,
    proxyTls: {timeout: connectMs, allowH2: false, ...(tls.systemCa !== undefined && {ca: tls.systemCa})},
    // A proxy that accepts a connection but does not respond counts as a failed connection.
    clientFactory: (origin, options: Pool.Options) =>
      new Pool(origin, {...options, connect: markErrors(options.connect), headersTimeout: connectMs}),
    // All three are set, because undici would read absent ones from the environment.
    httpProxy: proxy,
    httpsProxy: proxy,
    noProxy: noProxy ?? '',
  });
}

/** Returns the connector with which undici speaks plain HTTP also for the address of a server with TLS. */
function connectorOf(openSocket: OpenSocket): buildConnector.connector {
  return (_options, callback) =>
    void openSocket().then(
      (socket) => callback(null, socket),
      (error: Error) => callback(error, null),
    );
}

/** Returns the connector to the proxy with its errors marked: they are not the server's. */
function markErrors(connect: Pool.Options['connect']): buildConnector.connector {
  if (typeof connect !== 'function') throw new TypeError('undici passes a function');
  return (options, callback) =>
    connect(options, (...[error, socket]: Parameters<buildConnector.Callback>) =>
      error === null ? callback(null, socket) : callback(new ProxyUnreachableError(error), null),
    );
}
