import {emojiText} from '#content/emoji-text.ts';
import {fileKind} from '#content/file-chip.ts';
import {parseNarrowLink} from '#content/narrow-link.ts';
import {safeUrl} from '#content/safe-url.ts';
import {countedNoun} from '#ui/format/counted-noun.ts';
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
  const isOurs = absolute.origin === URL.parse(organizationUrl)?.origin;
  return (isOurs ? narrowTarget(absolute.hash, context) : undefined) ?? absolute.href;
}

/** Returns the page of the message or topic that a link into the organization names. */
function narrowTarget(hash: string, context: PageContext): string | undefined {
  const terms = parseNarrowLink(hash) ?? [];
  const operand = (operator: string) => terms.find((term) => term.operator === operator)?.operand;
  const [id, channelId, topic] = [operand('near') ?? operand('with'), operand('channel'), operand('topic')];
  const page = typeof id === 'number' ? context.pageOf(id) : undefined;
  if (page !== undefined) return `${encodeURIComponent(page)}#m${id}`;
  if (typeof channelId !== 'number' || typeof topic !== 'string') return undefined;
  const first = context.topicPage(channelId, topic);
  return first === undefined ? undefined : encodeURIComponent(first);
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

/** Returns the title and the items of a poll or a to-do list, for a page. `harmless` makes a text of a user harmless. */
export function widgetTexts(widget: NonNullable<ExportedMessage['widget']>, harmless: (text: string) => string) {
  if (widget.kind === 'todo') {
    const items = widget.tasks.map(({task, description, done}) => {
      return {done, text: harmless(description === '' ? task : `${task}: ${description}`)};
    });
    return {title: harmless(widget.title), items};
  }
  const items = widget.options.map(({text, voters}) => {
    const names = voters.length === 0 ? '' : ` (${voters.map(harmless).join(', ')})`;
    return {done: undefined, text: `${harmless(text)}: ${countedNoun(voters.length, 'vote')}${names}`};
  });
  return {title: harmless(widget.question || 'Poll'), items};
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
