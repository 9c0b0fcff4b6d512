import {uploadPath} from './file-chip.ts';
import {entityText} from './html-entities.ts';
import {tagEnd} from './html-text.ts';
import {emoticonNames} from './inline-symbols.ts';
import {type ImageFacts, type LinkPreview, type MessageFacts, topicFactKey} from './message-facts.ts';
import {userMention} from './message-names.ts';
import {parseNarrowLink} from './narrow-link.ts';

/** Limits on what one message can add to the memory and the disk of its readers. */
const maxEntries = 100;
const maxPreviews = 5;
const maxUrlLength = 2000;
const maxTextLength = 300;

/**
 * Reads the facts from the server's rendering of a message. Only a few tags and attributes matter; the rest is skipped.
 * Takes time linear in the length, never throws, and returns what it found when the HTML is malformed.
 */
export function readRenderedFacts(html: string, source: string): MessageFacts {
  const reader = new FactReader(source);
  let at = 0;
  for (;;) {
    const open = html.indexOf('<', at);
    reader.text(html.slice(at, open < 0 ? html.length : open));
    const end = open < 0 ? -1 : tagEnd(html, open + 1);
    if (end < 0) return hasEmoticonEmoji(html, source) ? {...reader.facts(), emoticons: true} : reader.facts();
    reader.tag(html.slice(open + 1, end));
    at = end + 1;
  }
}

/** Returns whether the rendering has the emoji of an emoticon, which the source does not name. */
function hasEmoticonEmoji(html: string, source: string): boolean {
  return emoticonNames(source).some((name) => html.includes(`>:${name}:</span>`) && !source.includes(`:${name}:`));
}

/** An element whose text is being read, until the end tag of its name. */
interface OpenElement {
  readonly name: string;
  readonly classes: ReadonlySet<string>;
  readonly attributes: ReadonlyMap<string, string>;
  text: string;
}

/** A path of the server's proxy: a checksum, and the address in hexadecimal. */
const proxyPath = /^\/external_content\/[\da-f]{1,128}\/[\da-f]{1,2000}$/;

class FactReader {
  readonly #source: string;
  readonly #users = new Map<string, number>();
  /** Also several ids of one name, in the order of the mentions. */
  readonly #mentions: {readonly name: string; readonly id: number}[] = [];
  readonly #notified = new Set<number>();
  readonly #tables = {
    groups: new Map<string, number>(),
    channels: new Map<string, number>(),
    topics: new Map<string, number>(),
    images: new Map<string, ImageFacts>(),
    proxies: new Map<string, string>(),
    links: new Map<string, string>(),
  };
  readonly #previews: LinkPreview[] = [];
  #element: OpenElement | undefined;
  /** How many `div` are open in the preview of a linked page; 0 outside. */
  #previewDepth = 0;

  constructor(source: string) {
    this.#source = source;
  }

  text(raw: string): void {
    const element = this.#element;
    if (element !== undefined && element.text.length <= maxUrlLength) element.text += decodeEntities(raw);
  }

  tag(tag: string): void {
    const name = /^\/?(?:a|div|img|span)\b/i.exec(tag)?.[0].toLowerCase();
    if (name === undefined) return;
    if (name === 'img') this.#image(attributesOf(tag));
    else if (name.startsWith('/')) this.#close(name.slice(1));
    // Formulas have thousands of spans, whose attributes do not matter.
    else if (name === 'a' || name === 'div' || (name === 'span' && tag.includes('mention'))) {
      this.#open(name, attributesOf(tag));
    }
  }

  #open(name: string, attributes: ReadonlyMap<string, string>): void {
    const classes = new Set((attributes.get('class') ?? '').split(/\s+/));
    if (name === 'div') {
      if (this.#previewDepth > 0 || classes.has('message_embed')) this.#previewDepth += 1;
      if (!classes.has('message_embed_description')) return;
    }
    this.#element = {name, classes, attributes, text: ''};
  }

  #close(name: string): void {
    const element = this.#element;
    if (name === 'div' && this.#previewDepth > 0) this.#previewDepth -= 1;
    if (element?.name !== name) return;
    this.#element = undefined;
    if (name === 'span') this.#mention(element);
    else if (name === 'div') this.#description(element.text);
    else this.#link(element);
  }

  #mention({classes, attributes, text}: OpenElement): void {
    const isSilent = classes.has('silent');
    const name = text.slice(isSilent || !text.startsWith('@') ? 0 : 1);
    const userId = idOf(attributes.get('data-user-id'));
    const groupId = idOf(attributes.get('data-user-group-id'));
    if (classes.has('user-mention') && userId !== undefined) {
      add(this.#users, name.toLowerCase(), userId);
      const isNew = this.#mentions.every((one) => one.id !== userId);
      if (isNew && this.#mentions.length < maxEntries) this.#mentions.push({name: name.toLowerCase(), id: userId});
      if (!isSilent) this.#notified.add(userId);
    } else if (classes.has('user-group-mention') && groupId !== undefined) add(this.#tables.groups, name, groupId);
  }

  #link({classes, attributes, text}: OpenElement): void {
    const href = attributes.get('href') ?? '';
    if (this.#previewDepth > 0) {
      if (classes.has('message_embed_image') || text.trim() === '' || this.#previews.length >= maxPreviews) return;
      this.#previews.push({url: href.slice(0, maxUrlLength), title: text.trim().slice(0, maxTextLength)});
    } else if (classes.has('stream')) this.#channel(text.slice(1), idOf(attributes.get('data-stream-id')));
    else if (classes.has('stream-topic') || classes.has('message-link')) this.#topic(href, text);
    else if (classes.size <= 1 && isLinkifierText(text, href, this.#source)) add(this.#tables.links, text, href);
  }

  #channel(name: string, id: number | undefined): void {
    if (id !== undefined) add(this.#tables.channels, name, id);
  }

  /** Reads `#channel > topic`. The link says where the channel's name ends: both may contain ` > `. */
  #topic(href: string, text: string): void {
    const terms = parseNarrowLink(href) ?? [];
    const operand = (operator: string) => terms.find((term) => term.operator === operator)?.operand;
    const channelId = operand('channel');
    const topic = operand('topic');
    const anchor = operand('with');
    if (typeof channelId !== 'number' || typeof topic !== 'string') return;
    const beforeTopic = topic === '' ? -1 : text.lastIndexOf(` > ${topic}`);
    const end = beforeTopic < 0 ? text.indexOf(' > ') : beforeTopic;
    if (end > 0) this.#channel(text.slice(1, end), channelId);
    if (typeof anchor === 'number') add(this.#tables.topics, topicFactKey(channelId, topic), anchor);
  }

  #image(attributes: ReadonlyMap<string, string>): void {
    const [, width, height] = /^(\d{1,6})x(\d{1,6})$/.exec(attributes.get('data-original-dimensions') ?? '') ?? [];
    const href = attributes.get('data-original-src') ?? this.#element?.attributes.get('href') ?? '';
    const path = uploadPath(href);
    const source = attributes.get('src') ?? '';
    if (path === undefined && proxyPath.test(source)) add(this.#tables.proxies, href, source);
    if (path === undefined || width === undefined || height === undefined) return;
    const contentType = attributes.get('data-original-content-type')?.slice(0, maxTextLength);
    add(this.#tables.images, path, {
      width: Number(width),
      height: Number(height),
      ...(contentType !== undefined && {contentType}),
    });
  }

  #description(text: string): void {
    const last = this.#previews.at(-1);
    if (this.#previewDepth === 0 || last === undefined || last.description !== undefined) return;
    this.#previews[this.#previews.length - 1] = {...last, description: text.trim().slice(0, maxTextLength)};
  }

  facts(): MessageFacts {
    const silentUserIds = [...new Set(this.#users.values())].filter((id) => !this.#notified.has(id));
    const users = new Map([...this.#users, ...usersByTypedId(this.#mentions, this.#source)]);
    const tables = Object.entries<ReadonlyMap<string, unknown>>({users, ...this.#tables});
    const records = tables.flatMap(([name, map]) => (map.size === 0 ? [] : [[name, Object.fromEntries(map)]]));
    return {
      isRendered: true,
      ...Object.fromEntries(records),
      ...(silentUserIds.length > 0 && {silentUserIds}),
      ...(this.#previews.length > 0 && {previews: this.#previews}),
    };
  }
}

/**
 * Returns the ids of mentioned users by `name|id` as in the source. An id there may be of another server, from which the
 * message was imported: the rendering has the right ones. Several of one name are then in the same order.
 */
function usersByTypedId(mentions: readonly {name: string; id: number}[], source: string): Map<string, number> {
  const typed = [...new Set(Array.from(source.matchAll(userMention), ({groups}) => groups?.name?.toLowerCase() ?? ''))];
  const withId = typed.slice(0, maxEntries).flatMap((key) => {
    const [, name, id] = /^(.*)\|(\d{1,15})$/s.exec(key) ?? [];
    return name === undefined ? [] : [{key, name, id: Number(id)}];
  });
  const users = new Map<string, number>();
  const isSame = (one: {name: string; id: number}, {name, id}: {name: string; id: number}) =>
    one.id === id && (name === '' || one.name === name);
  for (const one of withId) if (mentions.some((mention) => isSame(mention, one))) users.set(one.key, one.id);
  for (const {key, name} of withId) {
    const taken = new Set(users.values());
    const next = mentions.find((mention) => mention.name === name && !taken.has(mention.id));
    if (next !== undefined && !users.has(key)) users.set(key, next.id);
  }
  return users;
}

/**
 * Returns whether a link was made by a linkifier: its text is in the source, and neither is its own address nor has one
 * beside it.
 */
function isLinkifierText(text: string, href: string, source: string): boolean {
  if (text.trim() === '' || href === text || href.endsWith(`//${text}`) || /^mailto:/i.test(href)) return false;
  return !source.includes(href) && !source.includes(`[${text}]`) && source.includes(text);
}

function add<T>(map: Map<string, T>, key: string, value: T): void {
  if (map.size < maxEntries && key !== '' && key.length <= maxUrlLength && !map.has(key)) map.set(key, value);
}

function idOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** Bounded, because a longer run of letters would be read again from each of them. */
const attribute = /([a-z][a-z-]{0,40})="([^"]*)"/gi;

function attributesOf(tag: string): ReadonlyMap<string, string> {
  const attributes = new Map<string, string>();
  for (const [, name = '', value = ''] of tag.matchAll(attribute)) {
    attributes.set(name.toLowerCase(), decodeEntities(value));
  }
  return attributes;
}

function decodeEntities(text: string): string {
  return text.includes('&') ? text.replaceAll(/&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,12}\d{0,2});/gi, entityText) : text;
}
