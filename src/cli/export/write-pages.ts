import {appendFileSync, mkdirSync, rmSync, writeFileSync} from 'node:fs';
import {emojiText} from '#content/emoji-text.ts';
import {fileKind} from '#content/file-chip.ts';
import {parseNarrowLink} from '#content/narrow-link.ts';
import {safeUrl} from '#content/safe-url.ts';
import {topicConversationKey} from '#state/model/conversation.ts';
import {countedNoun} from '#wording/counted-noun.ts';
import type {ExportFolder} from './export-folder.ts';
import type {ExportedMessage} from './export-messages.ts';
import {safeFileName, uploadPathOf} from './save-files.ts';

export interface ExportedConversation {
  readonly title: string;
  readonly kind: ExportedMessage['conversation']['kind'];
  readonly count: number;
  readonly firstTime: string;
  readonly lastTime: string;
  /** The names of its pages. */
  readonly pages: readonly string[];
}

/** What a format needs to know about the other messages. */
export interface PageContext {
  readonly organizationUrl: string;
  pageOf(messageId: number): string | undefined;
  /** Returns the first page of a topic. */
  topicPage(channelId: number, topic: string): string | undefined;
}

/** How pages are written: one page has a part of a conversation. */
export interface PageFormat {
  /** The folder of the pages, and the ending of their names. */
  readonly name: 'html' | 'md';
  pageStart(conversation: ExportedConversation, page: number): string;
  /** `previous` is the message above on the page. */
  message(message: ExportedMessage, previous: ExportedMessage | undefined, context: PageContext): string;
  pageEnd(conversation: ExportedConversation, page: number): string;
  index(conversations: readonly ExportedConversation[]): string;
}

/** The number of messages on one page: browsers show a longer one slowly. */
const pageSize = 1000;
/** The characters that wait in memory for all pages together. */
const maxBuffered = 4_000_000;

/**
 * Writes the pages of all saved messages anew. The messages are read twice, first to know where each is, so that they can
 * link to each other; in memory are only their ids. The index comes last.
 */
export async function writePages(
  folder: ExportFolder,
  format: PageFormat,
  organizationUrl: string,
): Promise<readonly ExportedConversation[]> {
  const {conversations, pages} = await readCatalog(folder, format);
  rmSync(folder.fileAt(format.name), {recursive: true, force: true});
  mkdirSync(folder.fileAt(format.name), {mode: 0o700});
  const context: PageContext = {
    organizationUrl,
    pageOf: (id) => pages.get(id),
    topicPage: (channelId, topic) => conversations.get(topicConversationKey(channelId, topic))?.pages[0],
  };
  const buffer = pageBuffer(folder, format.name);
  const written = new Map<string, {count: number; previous: ExportedMessage | undefined}>();
  for await (const message of folder.messages()) {
    const conversation = conversations.get(message.conversationKey);
    if (conversation === undefined) continue;
    const {count, previous} = written.get(message.conversationKey) ?? {count: 0, previous: undefined};
    const page = Math.floor(count / pageSize);
    const isFirst = count % pageSize === 0;
    const isLast = count === conversation.count - 1 || count % pageSize === pageSize - 1;
    const start = isFirst ? format.pageStart(conversation, page) : '';
    const text = format.message(message, isFirst ? undefined : previous, context);
    buffer.add(conversation.pages[page] ?? '', start + text + (isLast ? format.pageEnd(conversation, page) : ''));
    written.set(message.conversationKey, {count: count + 1, previous: forComparison(message)});
  }
  buffer.flush();
  const sorted = [...conversations.values()].toSorted(
    (a, b) => a.kind.localeCompare(b.kind) * -1 || a.title.localeCompare(b.title),
  );
  writeFileSync(folder.fileAt(`index.${format.name}`), format.index(sorted), {mode: 0o600});
  return sorted;
}

/** Keeps no large texts of the last message of each conversation. */
function forComparison(message: ExportedMessage): ExportedMessage {
  return {...message, content: '', text: '', html: '', history: null, files: [], links: []};
}

async function readCatalog(folder: ExportFolder, {name}: PageFormat) {
  const conversations = new Map<string, ExportedConversation & {count: number; pages: string[]}>();
  const pages = new Map<number, string>();
  for await (const {id, time, conversationKey: key, conversation} of folder.messages()) {
    const {kind, title} = conversation;
    const known = conversations.get(key) ?? {kind, title, count: 0, firstTime: time, lastTime: time, pages: []};
    const page = Math.floor(known.count / pageSize);
    // Made from the first title, and so the same for all pages.
    known.pages[page] ??= safeFileName(known.title, key, `${page === 0 ? '' : `-${page + 1}`}.${name}`);
    pages.set(id, known.pages[page] ?? '');
    conversations.set(key, {...known, count: known.count + 1, lastTime: time});
  }
  return {conversations, pages};
}

/** Collects texts for many files and appends them in few writes. */
function pageBuffer(folder: ExportFolder, name: string) {
  let texts = new Map<string, string[]>();
  let size = 0;
  const flush = () => {
    for (const [page, parts] of texts) appendFileSync(folder.fileAt(name, page), parts.join(''), {mode: 0o600});
    texts = new Map();
    size = 0;
  };
  const add = (page: string, text: string) => {
    const parts = texts.get(page) ?? [];
    parts.push(text);
    texts.set(page, parts);
    size += text.length;
    if (size > maxBuffered) flush();
  };
  return {add, flush};
}

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
  const id = operand('near') ?? operand('with');
  const channelId = operand('channel');
  const topic = operand('topic');
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
