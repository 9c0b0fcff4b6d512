import {invalidCallFailure, PermanentFailure} from './failure.ts';

export const apiPrefix = '/api/v1';

/** The address of one organization, taken apart once. */
export class Site {
  /** Without credentials, query, fragment or trailing slash. */
  readonly url: string;
  readonly origin: string;
  readonly host: string;
  readonly #hostname: string;
  readonly #prefix: string;

  constructor(address: string) {
    const url = parsed(address);
    this.#prefix = url.pathname.replace(/\/+$/, '');
    this.origin = url.origin;
    this.host = url.host;
    this.#hostname = url.hostname;
    this.url = this.origin + this.#prefix;
  }

  /** `path` is already encoded and starts with a slash. Not made into a URL, which would take `..` for a step up. */
  apiPath(path: string): string {
    return this.#prefix + apiPrefix + path;
  }

  /** A file's address as servers write it: a path of theirs, or a whole URL. */
  webUrl(address: string): URL | undefined {
    const path = address.startsWith('/') && !address.startsWith('//');
    const under = path && this.#prefix !== '' && !address.startsWith(`${this.#prefix}/`);
    try {
      const url = new URL(under ? this.#prefix + address : address, `${this.origin}/`);
      return url.protocol === 'https:' || url.protocol === 'http:' ? url : undefined;
    } catch {
      return undefined;
    }
  }

  /** Whether credentials may go there: this origin, or the same host once it moves up to TLS. */
  isOwnOrigin(url: URL): boolean {
    if (url.origin === this.origin) return true;
    return url.hostname === this.#hostname && this.origin.startsWith('http:') && url.protocol === 'https:';
  }
}

function parsed(address: string): URL {
  let url: URL | undefined;
  try {
    url = new URL(address.trim());
  } catch {
    url = undefined;
  }
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:') || url.hostname === '') {
    // The text itself may hold a password, so it is not shown.
    throw cannotConnectFailure('The address of the server has to look like https://chat.example.com.');
  }
  if (url.username !== '' || url.password !== '') {
    throw cannotConnectFailure('The address of the server must not hold a user name or a password.');
  }
  return url;
}

/** What is wrong with how a connection was set up. */
export function cannotConnectFailure(sentence: string): PermanentFailure {
  return new PermanentFailure(sentence, {endpoint: 'connection', carriedOut: 'no', code: 'CANNOT_CONNECT'});
}

/** `/messages`, `messages` or `/api/v1/messages` → `/messages`; a query is not part of a path. */
export function rawPath(endpoint: string, written: string): string {
  const slashed = written.startsWith('/') ? written : `/${written}`;
  const path = slashed.startsWith(`${apiPrefix}/`) ? slashed.slice(apiPrefix.length) : slashed;
  const isPlain = /^[\w\-.~!$&'()*+,;=:@%/]+$/.test(path);
  const climbs = path.split('/').some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment));
  if (!isPlain || climbs || path.startsWith('//')) {
    throw invalidCallFailure(
      endpoint,
      'The path has to look like /users/me, with anything unusual percent-encoded.',
    );
  }
  return path;
}
