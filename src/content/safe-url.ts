import type {ParseContext} from './parse-context.ts';

/** Schemes that are safe to open: web, mail and other protocols, and some desktop programs. */
const allowedSchemes = new Set(
  (
    'http https ftp mid bitcoin geo im irc ircs magnet mailto matrix mms news nntp openpgp4fpr sip sms smsto ssh ' +
    'tel urn webcal wtai xmpp hansoft obsidian zotero asanadesktop'
  ).split(' '),
);

const schemePattern = /^([a-z][a-z0-9+.-]*):/i;

/** Returns the URL for a link, empty if its host is malformed, or undefined when its scheme is not allowed. */
export function safeUrl(typed: string, allowFileLinks = false): string | undefined {
  const url = completeUrl(typed, allowFileLinks);
  return url === undefined || hasPairedBrackets(url) ? url : '';
}

/** Returns whether brackets in the host of a URL are around an IPv6 address. */
function hasPairedBrackets(url: string): boolean {
  const [, host = ''] = /^[^/?#]*:\/\/([^/?#]*)/.exec(url) ?? [];
  return !/[[\]]/.test(host) || /^(?:[^[\]]*@)?\[[\da-f:.]+\](?::[^[\]]*)?$/i.test(host);
}

function completeUrl(typed: string, allowFileLinks: boolean): string | undefined {
  // Browsers ignore these characters inside a URL, so `java\nscript:` must be checked without them.
  const url = withoutEmptyParts(typed.replace(/[\u0000-\u001f\u007f]/g, '').replaceAll(' ', '%20'));
  const scheme = schemePattern.exec(url)?.[1];
  if (scheme !== undefined) {
    const lower = scheme.toLowerCase();
    if (!allowedSchemes.has(lower) && !(allowFileLinks && lower === 'file')) return undefined;
    return lower + url.slice(scheme.length);
  }
  if (/^\/(?!\/)/.test(url)) return url;
  if (url.startsWith('#') && url.length > 1) return url;
  if (url.startsWith('//')) return `http:${url}`;
  const path = url.replace(/[?#].*$/s, '');
  if (path.includes('@')) return `mailto:${url}`;
  return `http://${url}`;
}

/** Removes the `?` of an empty query and the `#` of an empty fragment, as the server does. */
function withoutEmptyParts(url: string): string {
  if (!/[?#]/.test(url)) return url;
  return url.replace(/^([^?#]*)\?(?=#|$)/, '$1').replace(/^([^#]*)#$/, '$1');
}

/** Makes links into the organization relative: Parley opens them itself. */
function localUrl(url: string, context: ParseContext): string {
  if (context.realmUrl === undefined) return url;
  const prefix = `${context.realmUrl}/`;
  if (!url.startsWith(prefix)) return url;
  const rest = url.slice(prefix.length);
  return rest.startsWith('#') || rest.startsWith('user_uploads/') ? rest : url;
}

/** Returns the target of a link as typed: safe, and relative when it leads into the organization. */
export function linkTarget(typed: string, context: ParseContext): string | undefined {
  const url = safeUrl(typed, context.allowFileLinks);
  return url === undefined ? undefined : localUrl(url, context);
}
