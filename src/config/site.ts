import {ConfigError} from './private-files.ts';

/** Parts at the end of a pasted address that do not belong to the organization's address. */
const extraPathEnds = /\/+$|\/api(?:\/v\d+)?$|\/(?:accounts\/)?login$/i;

/**
 * Returns the address of an organization, `scheme://host[:port][/path]` without a slash at its end, from the text that
 * a user typed or pasted: a host, an address from the browser, or one that ends in `/api`. The function is idempotent.
 */
export function normaliseSite(text: string): string {
  const trimmed = text.trim();
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(trimmed)?.[1];
  const url = parse(scheme === undefined ? `https://${trimmed}` : trimmed);
  if (url === undefined || url.hostname === '') throw new ConfigError(notAnAddress(trimmed));
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new ConfigError(notAnAddress(trimmed));
  if (url.username !== '' || url.password !== '') {
    throw new ConfigError('Leave out the name and password before the “@”: the address of a server has neither.');
  }
  if (scheme !== undefined || !isLocalHost(url.hostname)) return withoutEnds(url);
  // Parsed again, because parsing as https dropped the port 443.
  return withoutEnds(parse(`http://${trimmed}`) ?? url);
}

function withoutEnds(url: URL): string {
  let path = url.pathname;
  for (let before = ''; before !== path; ) {
    before = path;
    path = path.replace(extraPathEnds, '');
  }
  return url.origin + path;
}

/** Returns whether connections to the host stay on this machine. */
export function isLocalHost(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127(?:\.\d{1,3}){3}$/.test(hostname)
  );
}

function parse(text: string): URL | undefined {
  if (/[\s\\]/.test(text)) return undefined;
  return URL.canParse(text) ? new URL(text) : undefined;
}

function notAnAddress(text: string): string {
  // The part before an “@” may be a password.
  const safe = text.replace(/^.*@/s, '…@');
  const excerpt = safe.length > 80 ? `${safe.slice(0, 80)}…` : safe;
  return `“${excerpt.replaceAll(/\p{Cc}/gu, '�')}” is not the address of a server, such as chat.example.com.`;
}
