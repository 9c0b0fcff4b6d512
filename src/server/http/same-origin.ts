import type {ServerContext} from '#server/context.ts';

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
