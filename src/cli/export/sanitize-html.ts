import {emojiText} from '#content/emoji-text.ts';
import {decodeEntities} from '#content/html-entities.ts';
import {escapeHtml, tagEnd} from '#content/html-text.ts';

/** Where links and images of a message lead in the export; undefined for those that are left out. */
interface HtmlTargets {
  link(address: string): string | undefined;
  /** Returns the address of a saved image. */
  image(address: string): string | undefined;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const textTags =
  'p h1 h2 h3 h4 h5 h6 strong b em i del s code pre blockquote ul ol li table thead tbody tr th td sup sub';
const mathTags =
  'math semantics mrow mi mo mn ms mtext mspace msup msub msubsup mfrac msqrt mroot mover munder munderover mtable mtr mtd ' +
  'mstyle mpadded mphantom menclose';
const emptyTags = words('br hr');
const allowedTags = words(`${textTags} ${mathTags} span div time`);
/** Elements whose content is not text for the reader. */
const droppedTags = words(
  'script style iframe object embed applet svg template noscript noembed noframes textarea title select xmp head ' +
    'annotation annotation-xml canvas',
);
/** In these, the first end tag ends the element, whatever is between. */
const rawTags = words('script style iframe noscript noembed noframes textarea title xmp');
const mathAttributes = words('display mathvariant stretchy displaystyle scriptlevel accent fence separator width');

const maxDepth = 100;

interface OpenElement {
  /** The name in the source, which its end tag has. */
  readonly name: string;
  /** The name in the output; empty when it is left out. */
  readonly tag: string;
  readonly href?: string | undefined;
}

/**
 * Returns HTML from a server as HTML that is safe in a page: nothing is copied but text, and all tags and attributes are
 * written anew from a list of allowed ones. Each element that is opened is closed. Takes time linear in the length.
 */
export function sanitizeHtml(source: string, targets: HtmlTargets): string {
  // Controls are not allowed in HTML; browsers treat some of them in surprising ways.
  const html = source.toWellFormed().replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g, '');
  const stack: OpenElement[] = [];
  let output = '';
  let at = 0;
  /** The text is HTML already; only what could begin or end a tag is escaped. */
  const text = (text: string) => {
    output += text.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  };

  const markup = () => {
    if (html.startsWith('<!--', at)) {
      const end = html.indexOf('-->', at + 4);
      at = end < 0 ? html.length : end + 3;
      return;
    }
    nameAt.lastIndex = at;
    const [start, slash, rawName = ''] = nameAt.exec(html) ?? [];
    if (start === undefined) {
      output += '&lt;';
      at += 1;
      return;
    }
    const end = tagEnd(html, at + start.length);
    if (end < 0) {
      // A tag without an end: the rest is text, so that it is not searched for an end again.
      text(html.slice(at));
      at = html.length;
      return;
    }
    const name = rawName.toLowerCase();
    const attributes = slash === '/' ? noAttributes : attributesOf(html.slice(at + start.length, end));
    at = end + 1;
    if (slash === '/') close(name);
    else open(name, attributes);
  };

  const open = (name: string, attributes: ReadonlyMap<string, string>) => {
    const classes = new Set((attributes.get('class') ?? '').split(/\s+/));
    if (emptyTags.has(name)) output += `<${name}>`;
    else if (name === 'img') image(attributes);
    else if (name === 'audio' || name === 'video') media(name, attributes);
    else if (name === 'span' && classes.has('emoji')) emoji(classes);
    else if (droppedTags.has(name) || classes.has('katex-html') || classes.has('message_embed_image')) skip(name);
    else if (name === 'a') link(attributes);
    else if (allowedTags.has(name)) push(name, outputTag(name, classes), tagAttributes(name, classes, attributes));
  };

  const push = (name: string, tag: string, attributes: string, href?: string) => {
    if (stack.length >= maxDepth) return;
    if (tag !== '') output += `<${tag}${attributes}>`;
    stack.push({name, tag, href});
  };

  const close = (name: string) => {
    const at = stack.findLastIndex((element) => element.name === name);
    if (at >= 0) closeTo(at);
  };

  const closeTo = (depth: number) => {
    while (stack.length > depth) {
      const tag = stack.pop()?.tag ?? '';
      if (tag !== '') output += `</${tag}>`;
    }
  };

  const link = (attributes: ReadonlyMap<string, string>) => {
    const address = attributes.get('href');
    const target = address === undefined ? undefined : targets.link(address);
    const isInside = stack.some(({href}) => href !== undefined);
    if (target === undefined || isInside) push('a', '', '', address);
    else push('a', 'a', linkAttributes(target), address);
  };

  /** Shows an image that was saved, and otherwise its description: a page loads nothing from the network. */
  const image = (attributes: ReadonlyMap<string, string>) => {
    const link = stack.findLast(({href}) => href !== undefined)?.href;
    const addresses = [attributes.get('data-original-src'), link, attributes.get('src')];
    const description = attributes.get('alt') ?? attributes.get('title') ?? '';
    for (const address of addresses) {
      const source = address === undefined ? undefined : targets.image(address);
      if (source === undefined) continue;
      output += `<img src="${escapeHtml(source)}" alt="${escapeHtml(description)}" loading="lazy">`;
      return;
    }
    const isEmoji = attributes.get('class') === 'emoji';
    labelledLink(isEmoji ? undefined : (addresses[0] ?? addresses[2]), description === '' ? '[image]' : description);
  };

  const media = (name: string, attributes: ReadonlyMap<string, string>) => {
    labelledLink(attributes.get('data-original-url') ?? attributes.get('src'), attributes.get('title') ?? `[${name}]`);
    skip(name);
  };

  const labelledLink = (address: string | undefined, label: string) => {
    const isInside = stack.some(({href}) => href !== undefined);
    const target = address === undefined || isInside ? undefined : targets.link(address);
    const text = escapeHtml(label);
    output += target === undefined ? text : `<a${linkAttributes(target)}>${text}</a>`;
  };

  /** Writes the characters of an emoji; the text inside its element is its name. */
  const emoji = (classes: ReadonlySet<string>) => {
    const code = [...classes].map((each) => /^emoji-([0-9a-f-]+)$/.exec(each)?.[1]).find((each) => each !== undefined);
    const [, inside = ''] = /^([^<]{0,100})/.exec(html.slice(at, at + 101)) ?? [];
    const name = decodeEntities(inside).replaceAll(':', '');
    output += escapeHtml(code === undefined ? `:${name}:` : emojiText({kind: 'unicode', name, code}, {ascii: false}));
    skip('span');
  };

  /** Leaves out everything until the end of the element that was just opened. */
  const skip = (name: string) => {
    const tags = new RegExp(`<(/?)${name}(?![a-z0-9-])`, 'gi');
    tags.lastIndex = at;
    for (let depth = 1; depth > 0; ) {
      const match = tags.exec(html);
      if (match === null) {
        at = html.length;
        return;
      }
      if (match[1] === '/') depth -= 1;
      else if (!rawTags.has(name)) depth += 1;
      at = tags.lastIndex;
    }
    const end = tagEnd(html, at);
    at = end < 0 ? html.length : end + 1;
  };
  while (at < html.length) {
    const open = html.indexOf('<', at);
    text(html.slice(at, open < 0 ? html.length : open));
    if (open < 0) break;
    at = open;
    markup();
  }
  closeTo(0);
  return output.replaceAll(/<summary>\s{0,10}<\/summary>/g, '<summary>Spoiler</summary>');
}

/** A tag; also the `!` and `?` of declarations, which no tag is called. */
const nameAt = /<(\/?)([a-z][a-z0-9-]{0,30}|[!?])/iy;
const noAttributes: ReadonlyMap<string, string> = new Map();
/** Names are bounded, because a longer run of letters would be read again from each of them. */
const attribute = /([^\s"'<>/=]{1,60})(?:\s{0,20}=\s{0,20}(?:"([^"]*)"|'([^']*)'|([^\s"'<>`]+)))?/g;

function attributesOf(text: string): ReadonlyMap<string, string> {
  const attributes = new Map<string, string>();
  for (const [, name = '', double, single, bare] of text.matchAll(attribute)) {
    const key = name.toLowerCase();
    if (!attributes.has(key)) attributes.set(key, decodeEntities(double ?? single ?? bare ?? ''));
  }
  return attributes;
}

function linkAttributes(target: string): string {
  return ` href="${escapeHtml(target)}" rel="noopener noreferrer"`;
}

/** Spoilers become elements that open without a script. */
function outputTag(name: string, classes: ReadonlySet<string>): string {
  if (classes.has('spoiler-block')) return 'details';
  return classes.has('spoiler-header') ? 'summary' : name;
}

function tagAttributes(name: string, classes: ReadonlySet<string>, attributes: ReadonlyMap<string, string>): string {
  if (name === 'span') {
    const isMention = ['user-mention', 'user-group-mention', 'topic-mention'].some((each) => classes.has(each));
    return isMention ? ' class="mention"' : '';
  }
  if (name === 'ol') return plainAttribute('start', attributes.get('start'), /^-?\d{1,9}$/);
  if (name === 'time') return plainAttribute('datetime', attributes.get('datetime'), /^[\w:.+-]{1,40}$/);
  if (name === 'td' || name === 'th') {
    const align = /text-align: ?(left|center|right)/.exec(attributes.get('style') ?? '')?.[1];
    return plainAttribute('align', align, /^\w+$/);
  }
  if (!name.startsWith('m')) return '';
  return [...attributes]
    .filter(([key]) => mathAttributes.has(key))
    .map(([key, value]) => plainAttribute(key, value, /^[\w.+-]{1,20}$/))
    .join('');
}

function plainAttribute(name: string, value: string | undefined, allowed: RegExp): string {
  return value !== undefined && allowed.test(value) ? ` ${name}="${value}"` : '';
}
