import {PermanentFailure} from './failure.ts';
import {apiPrefix, type Site} from './site.ts';

const redirects = new Set([301, 302, 303, 307, 308]);
/** More redirects are treated as a loop. */
export const maxRedirects = 5;

/** Returns the target of a redirect; undefined when the response is not a redirect or the target is invalid. */
export function redirectTarget(
  status: number,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  from: URL,
): URL | undefined {
  const {location} = headers;
  if (!redirects.has(status) || typeof location !== 'string') return undefined;
  const target = URL.parse(location, from.href);
  if (target === null || (target.protocol !== 'https:' && target.protocol !== 'http:')) return undefined;
  // A redirect must not add credentials, and fragments are not sent.
  target.username = '';
  target.password = '';
  target.hash = '';
  return target;
}

function redirectText(site: Site, {origin, pathname}: URL): string {
  const at = pathname.indexOf(`${apiPrefix}/`);
  const rightUrl = at < 0 ? origin : origin + pathname.slice(0, at);
  if (rightUrl === site.url) return `this request to ${pathname}: its API is not at this address.`;
  if (at < 0) return `to a page of ${origin}: check the address, and for a proxy or a network login page.`;
  if (site.url.startsWith('https:') && origin.startsWith('http:')) {
    return `to ${rightUrl}. This is refused, because passwords and API keys would be sent unencrypted.`;
  }
  return `to ${rightUrl}: use this as the server's address.`;
}

/** Returns the failure for an API request that was redirected elsewhere; it names the right URL, unless that is not encrypted. */
export function movedFailure(endpoint: string, site: Site, target: URL): PermanentFailure {
  return new PermanentFailure(`${site.host} redirects ${redirectText(site, target)}`, {
    endpoint,
    carriedOut: 'no',
    code: 'CANNOT_CONNECT',
  });
}

export function redirectLoopFailure(endpoint: string, site: Site): PermanentFailure {
  return new PermanentFailure(`${site.host} redirects in a loop.`, {
    endpoint,
    carriedOut: 'no',
    code: 'CANNOT_CONNECT',
  });
}
