import {ConfigError} from './config-error.ts';

/** Ends of a pasted address that are not part of where the organization lives. */
const strayEnds = /\/+$|\/api(?:\/v\d+)?$|\/(?:accounts\/)?login$/i;

/**
 * The address of an organization from what people type or paste: a bare host, an address from the browser, one with
 * `/api` at its end. Gives `scheme://host[:port][/path]` without a slash at the end, and leaves its own results alone.
 */
export function normaliseSite(text: string): string {
  const trimmed = text.trim();
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(trimmed)?.[1];
  const url = parse(scheme === undefined ? `https://${trimmed}` : trimmed);
  if (url === undefined || url.hostname === '') throw new ConfigError(notAnAddress(trimmed));
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new ConfigError(notAnAddress(trimmed));
  if (url.username !== '' || url.password !== '') {
    throw new ConfigError(
      'The address of a server holds no name or password: leave out what stands before the “@”.',
    );
  }
  if (scheme !== undefined || !isLocalHost(url.hostname)) return withoutEnds(url);
  // Parsed again: a port that is https's own would have been dropped.
  return withoutEnds(parse(`http://${trimmed}`) ?? url);
}

function withoutEnds(url: URL): string {
  let path = url.pathname;
  for (let before = ''; before !== path; ) {
    before = path;
    path = path.replace(strayEnds, '');
  }
  return url.origin + path;
}

/** Traffic to it does not leave this machine. */
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
  // What stands before an “@” may be a password.
  const place = text.replace(/^.*@/s, '…@');
  const shown = place.length > 80 ? `${place.slice(0, 80)}…` : place;
  return `“${shown.replaceAll(/\p{Cc}/gu, '�')}” is not the address of a server, such as chat.example.com.`;
}
