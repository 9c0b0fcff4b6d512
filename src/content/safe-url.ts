import type {ParseContext} from './parse-context.ts';

/** Schemes a browser may be sent to without running anything, and those of programs people work with. */
const allowedSchemes = new Set(
  (
    'http https ftp mid bitcoin geo im irc ircs magnet mailto matrix mms news nntp openpgp4fpr sip sms smsto ssh ' +
    'tel urn webcal wtai xmpp hansoft obsidian zotero asanadesktop'
  ).split(' '),
);

const schemePattern = /^([a-z][a-z0-9+.-]*):/i;

/** The URL as it may stand in a link, or undefined when its scheme is not one we open. */
export function safeUrl(typed: string, allowFileLinks = false): string | undefined {
  // Browsers drop these characters inside a URL, so `java\nscript:` must be judged without them.
  const url = typed.replace(/[\u0000-\u001f\u007f]/g, '').replaceAll(' ', '%20');
  const scheme = schemePattern.exec(url)?.[1];
  if (scheme !== undefined) {
    const lower = scheme.toLowerCase();
    if (!allowedSchemes.has(lower) && !(allowFileLinks && lower === 'file')) return undefined;
    return lower + url.slice(scheme.length);
  }
  if (url.startsWith('/') && !url.startsWith('//')) return url;
  if (url.startsWith('#') && url.length > 1) return url;
  const path = url.replace(/[?#].*$/s, '');
  if (path.includes('@') && !url.startsWith('//')) return `mailto:${url}`;
  return `http://${url}`;
}

/** Links into our own realm open in the app, so they lose its address. */
export function localUrl(url: string, context: ParseContext): string {
  if (context.realmUrl === undefined) return url;
  const prefix = `${context.realmUrl}/`;
  if (!url.startsWith(prefix)) return url;
  const rest = url.slice(prefix.length);
  return rest.startsWith('#') || rest.startsWith('user_uploads/') ? rest : url;
}

/** Both steps: what a link with this typed target points to. */
export function linkTarget(typed: string, context: ParseContext): string | undefined {
  const url = safeUrl(typed, context.allowFileLinks);
  return url === undefined ? undefined : localUrl(url, context);
}
