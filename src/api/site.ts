import {cannotConnectFailure, invalidCallFailure} from '#wire/failure.ts';

export const apiPrefix = '/api/v1';

/** The URL of an organization, parsed once. */
export class Site {
  /** The URL without credentials, query, fragment or trailing slash. */
  readonly url: string;
  readonly origin: string;
  readonly host: string;
  readonly #hostname: string;
  readonly #prefix: string;

  constructor(address: string) {
    const url = parseSiteUrl(address);
    this.#prefix = url.pathname.replace(/\/+$/, '');
    this.origin = url.origin;
    this.host = url.host;
    this.#hostname = url.hostname;
    this.url = this.origin + this.#prefix;
  }

  /** Returns the request path of an encoded API path. It does not pass through `URL`, which would resolve `..`. */
  apiPath(path: string): string {
    return this.#prefix + apiPrefix + path;
  }

  /** Returns the URL of a file, given as a path on the server or as a whole URL. */
  webUrl(address: string): URL | undefined {
    const path = address.startsWith('/') && !address.startsWith('//');
    const needsPrefix = path && this.#prefix !== '' && !address.startsWith(`${this.#prefix}/`);
    const url = URL.parse(needsPrefix ? this.#prefix + address : address, `${this.origin}/`);
    return url?.protocol === 'https:' || url?.protocol === 'http:' ? url : undefined;
  }

  /** Returns whether credentials may be sent to a URL: the same origin, or the same host upgraded to TLS. */
  isOwnOrigin(url: URL): boolean {
    if (url.origin === this.origin) return true;
    return url.hostname === this.#hostname && this.origin.startsWith('http:') && url.protocol === 'https:';
  }
}

function parseSiteUrl(address: string): URL {
  const url = URL.parse(address.trim());
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:') || url.hostname === '') {
    // The text may contain a password, so it is not shown.
    throw cannotConnectFailure('The server address must look like https://chat.example.com.');
  }
  if (url.username !== '' || url.password !== '') {
    throw cannotConnectFailure('The server address must not contain a user name or password.');
  }
  return url;
}

/** Normalizes a path: `/messages`, `messages` and `/api/v1/messages` → `/messages`. A query is not allowed. */
export function rawPath(endpoint: string, typed: string): string {
  const slashed = typed.startsWith('/') ? typed : `/${typed}`;
  const path = slashed.startsWith(`${apiPrefix}/`) ? slashed.slice(apiPrefix.length) : slashed;
  const isPlain = /^[\w\-.~!$&'()*+,;=:@%/]+$/.test(path);
  const hasDotSegment = path.split('/').some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment));
  if (!isPlain || hasDotSegment || path.startsWith('//')) {
    throw invalidCallFailure(endpoint, 'The path must look like /users/me, with special characters percent-encoded.');
  }
  return path;
}
