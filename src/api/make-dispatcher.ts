import {Agent, type buildConnector, type Dispatcher, EnvHttpProxyAgent, Pool} from 'undici';

export interface TlsOptions {
  /** PEM text of the authorities to trust instead of the usual ones. */
  readonly ca?: string | undefined;
  readonly clientCert?: string | undefined;
  readonly clientKey?: string | undefined;
  readonly insecure?: boolean | undefined;
}

export interface DispatcherOptions {
  readonly proxy: string | undefined;
  readonly noProxy: string | undefined;
  readonly tls: TlsOptions;
  readonly connectMs: number;
}

/** Sockets idle no longer than servers commonly keep theirs, so that a request seldom meets one that just closed. */
const keepAliveMs = 20_000;
/** One long poll, a page of requests at once, and no storm. */
const mostSockets = 12;

/** The only importer of the HTTP library, which takes a tenth of a second to load: imported with the first request. */
export function makeDispatcher({proxy, noProxy, tls, connectMs}: DispatcherOptions): Dispatcher {
  const connect: buildConnector.BuildOptions = {
    timeout: connectMs,
    allowH2: false,
    rejectUnauthorized: tls.insecure !== true,
    ...(tls.ca !== undefined && {ca: tls.ca}),
    ...(tls.clientCert !== undefined && {cert: tls.clientCert, key: tls.clientKey ?? tls.clientCert}),
  };
  const shared = {
    allowH2: false,
    connections: mostSockets,
    keepAliveTimeout: keepAliveMs,
    pipelining: 1,
    connectTimeout: connectMs,
  };
  if (proxy === undefined || proxy === '') return new Agent({...shared, connect});
  return new EnvHttpProxyAgent({
    ...shared,
    connect,
    requestTls: connect,
    proxyTls: {timeout: connectMs, allowH2: false},
    // A proxy that takes a connection and then says nothing counts as not connecting.
    clientFactory: (origin, options) => new Pool(origin, {...options, headersTimeout: connectMs}),
    // All three are given: absent ones would be read from the environment, which is not ours to read here.
    httpProxy: proxy,
    httpsProxy: proxy,
    noProxy: noProxy ?? '',
  });
}
