import type {IncomingMessage} from 'node:http';
import {isIP} from 'node:net';
import type {ServerContext} from '#server/context.ts';

/**
 * Returns the network of a request's client, which rate limits apply to. A proxy adds the address that it was called
 * from to the end of X-Forwarded-For; the addresses before it are the client's own claim.
 */
export function clientNetwork(request: IncomingMessage, trustsProxy: boolean): string {
  const header = trustsProxy ? request.headers['x-forwarded-for'] : undefined;
  const last = String(header ?? '')
    .split(',')
    .at(-1)
    ?.trim();
  const address = last !== undefined && isIP(last) !== 0 ? last : (request.socket.remoteAddress ?? '');
  return networkOfAddress(address);
}

/**
 * Returns whether a form was sent by a page of this server. Browsers say where a form is from; other clients send no
 * `Origin`, and have no credentials that another site could use.
 */
export function isSameOrigin(
  {url}: Pick<ServerContext, 'url'>,
  headers: Readonly<Record<string, string | string[] | undefined>>,
): boolean {
  const {origin, host} = headers;
  const site = headers['sec-fetch-site'] ?? 'same-origin';
  if (site !== 'same-origin') return false;
  if (origin === undefined) return true;
  return origin === new URL(url).origin || origin === `http://${host}` || origin === `https://${host}`;
}

/** The path and query of a request line. Cheaper to parse than a URL, which matters because every request does it. */
export interface RequestTarget {
  readonly path: string;
  readonly query: URLSearchParams;
}

/** Where web apps send requests with a cookie instead of a key. */
export const browserPrefix = '/json/';

const noQuery = new URLSearchParams();

/** Returns undefined for targets other than a path, such as `*` or the URL of another host. */
export function parseRequestTarget(url: string | undefined): RequestTarget | undefined {
  if (url === undefined || !url.startsWith('/')) return undefined;
  const mark = url.indexOf('?');
  if (mark < 0) return {path: url, query: noQuery};
  return {path: url.slice(0, mark), query: new URLSearchParams(url.slice(mark + 1))};
}

/** Returns whether only this machine can reach a server that listens on this host. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

/**
 * Returns a function that tells whether a Host header names this server: by one of `names`, as localhost or by an
 * address. A page of another site that lets its own name resolve to this machine, so that the browser lets it read the
 * responses, sends another name.
 */
export function hostCheck(names: readonly string[]): (header: string | undefined) => boolean {
  const known = new Set(['localhost', ...names.map((name) => name.toLowerCase())]);
  return (header) => {
    // Browsers always send it.
    if (header === undefined) return true;
    const name = /^(?:\[([^\]]*)\]|([^:]*))(?::\d*)?$/.exec(header.toLowerCase());
    const host = name?.[1] ?? name?.[2] ?? '';
    return known.has(host) || host.endsWith('.localhost') || isIP(host) !== 0;
  };
}

/** Returns the network that a rate limit applies to: an IPv4 address, or the /64 that an IPv6 household has. */
export function networkOfAddress(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address;
  const [head = '', tail] = address.split('::');
  const [first, last] = [head, tail ?? ''].map((text) => text.split(':').filter(Boolean));
  const zeros = tail === undefined ? 0 : 8 - (first?.length ?? 0) - (last?.length ?? 0);
  return [...(first ?? []), ...Array.from({length: Math.max(0, zeros)}, () => '0'), ...(last ?? [])]
    .slice(0, 4)
    .join(':');
}
