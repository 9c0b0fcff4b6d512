import {PermanentFailure} from './failure.ts';
import {apiPrefix, type Site} from './site.ts';

const redirects = new Set([301, 302, 303, 307, 308]);
/** No honest server needs more. */
export const maxRedirects = 5;

/** Where an answer sends the client on to; undefined when it does not, or when it leads nowhere. */
export function redirectTarget(
  status: number,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  from: URL,
): URL | undefined {
  const {location} = headers;
  if (!redirects.has(status) || typeof location !== 'string') return undefined;
  const target = URL.parse(location, from.href);
  if (target === null || (target.protocol !== 'https:' && target.protocol !== 'http:')) return undefined;
  // Neither is ours to send on.
  target.username = '';
  target.password = '';
  target.hash = '';
  return target;
}

/** Says which address would have been right. */
export function movedFailure(endpoint: string, site: Site, target: URL): PermanentFailure {
  const at = target.pathname.indexOf(`${apiPrefix}/`);
  const right = at < 0 ? target.origin : target.origin + target.pathname.slice(0, at);
  const text =
    right === site.url
      ? `${site.host} sends this request on to ${target.pathname}: it does not offer its API here.`
      : `${site.host} wants to be reached at ${right}: use this as the address of the server.`;
  return new PermanentFailure(text, {endpoint, carriedOut: 'no', code: 'CANNOT_CONNECT'});
}

export function redirectLoopFailure(endpoint: string, site: Site): PermanentFailure {
  return new PermanentFailure(`${site.host} sends this request in circles.`, {
    endpoint,
    carriedOut: 'no',
    code: 'CANNOT_CONNECT',
  });
}
