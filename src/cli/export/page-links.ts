import {emojiText} from '#content/emoji-text.ts';
import {fileKind} from '#content/file-chip.ts';
import {parseNarrowLink} from '#content/narrow-link.ts';
import {safeUrl} from '#content/safe-url.ts';
import type {ExportedMessage} from './exported-message.ts';
import {uploadPathOf} from './save-files.ts';
import type {PageContext} from './write-pages.ts';

/** Images that browsers show; drawings (SVG) are not saved under their own type. */
const shownImages = /\.(?:png|jpe?g|gif|webp|avif|bmp)$/i;

/** Returns where a link of a message leads: to a saved file, to another message of the export, or to its address. */
export function linkTarget(address: string, message: ExportedMessage, context: PageContext): string | undefined {
  const {organizationUrl} = context;
  const file = savedFile(address, message, organizationUrl);
  if (file !== undefined) return `../files/${encodeURIComponent(file)}`;
  const url = safeUrl(address);
  if (url === undefined) return undefined;
  const absolute = URL.parse(url, `${organizationUrl.replace(/\/$/, '')}/`);
  if (absolute === null) return undefined;
  const id = absolute.origin === URL.parse(organizationUrl)?.origin ? messageIn(absolute.hash) : undefined;
  const page = id === undefined ? undefined : context.pageOf(id);
  return page === undefined ? absolute.href : `${encodeURIComponent(page)}#m${id}`;
}

/** Returns the address of a saved image that a page shows. */
export function imageSource(address: string, message: ExportedMessage, context: PageContext): string | undefined {
  const file = savedFile(address, message, context.organizationUrl);
  const isShown = file !== undefined && fileKind(file) === 'image' && shownImages.test(file);
  return isShown ? `../files/${encodeURIComponent(file)}` : undefined;
}

function savedFile(address: string, {files}: ExportedMessage, organizationUrl: string): string | undefined {
  const path = uploadPathOf(address, organizationUrl);
  return path === undefined ? undefined : (files.find((each) => each.path === path)?.file ?? undefined);
}

function messageIn(hash: string): number | undefined {
  const terms = parseNarrowLink(hash) ?? [];
  const target = terms.find(({operator}) => operator === 'near' || operator === 'with');
  return typeof target?.operand === 'number' ? target.operand : undefined;
}

/** Returns the reactions by emoji, with the names of those who added it. */
export function reactionsByEmoji({reactions}: ExportedMessage): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, string[]>();
  for (const {emojiName: name, emojiCode: code, reactionType, userName} of reactions) {
    const kind = reactionType === 'unicode_emoji' ? 'unicode' : 'custom';
    const text = emojiText(kind === 'unicode' ? {kind, name, code} : {kind, name}, {ascii: false});
    names.set(text, [...(names.get(text) ?? []), userName]);
  }
  return names;
}
