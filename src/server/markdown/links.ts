import {uploadPath} from '#content/file-chip.ts';
import type {InlineToken, LinkToken, ListItem, MessageToken, ParagraphToken} from '#content/tokens.ts';
import {escapeAttribute} from './escape-html.ts';
import {type HtmlRenderContext, imageData, loaderImage} from './inline-html.ts';

/** The mentions, links and uploads in a message. */
export type MessageReferences = ReturnType<typeof collectReferences>;

/** Returns the mentions, links and uploads of a message. Silent mentions are left out, because they do not notify. */
export function collectReferences(tokens: readonly MessageToken[]) {
  const references = {
    mentions: {
      userIds: new Set<number>(),
      groupIds: new Set<number>(),
      channelWildcard: false,
      topicWildcard: false,
    },
    hasLink: false,
    hasInlineImage: false,
    hasAttachment: false,
    /** Paths under `/user_uploads/`: each once, and once more for each inline image. */
    uploads: [] as string[],
  };
  visit(tokens, references);
  references.hasAttachment = references.uploads.length > 0;
  return references;
}

function childLists(token: MessageToken | InlineToken): readonly (readonly (MessageToken | InlineToken)[])[] {
  if ('children' in token) return 'header' in token ? [token.header, token.children] : [token.children];
  if (token.type === 'list') return token.items.map(({children}) => children);
  return token.type === 'table' ? [token.header, ...token.rows].flat() : [];
}

function visit(tokens: readonly (MessageToken | InlineToken)[], references: MessageReferences): void {
  for (const token of tokens) {
    note(token, references);
    for (const list of childLists(token)) visit(list, references);
  }
}

function note(token: MessageToken | InlineToken, references: MessageReferences): void {
  const {mentions} = references;
  switch (token.type) {
    case 'user_mention':
      if (!token.silent) mentions.userIds.add(token.userId);
      break;
    case 'group_mention':
      if (!token.silent) mentions.groupIds.add(token.groupId);
      break;
    case 'wildcard_mention':
      if (token.silent) break;
      if (token.scope === 'channel') mentions.channelWildcard = true;
      else mentions.topicWildcard = true;
      break;
    case 'link':
      references.hasLink = true;
      addUpload(token.href, references);
      break;
    case 'channel_link':
      references.hasLink = true;
      break;
    case 'image':
    case 'audio':
      addUpload(token.href, references);
      if (token.type === 'image') addInlineImage(token.href, references);
      break;
  }
}

function addUpload(href: string, references: MessageReferences): void {
  const path = uploadPath(href);
  if (path !== undefined && !references.uploads.includes(path)) references.uploads.push(path);
}

function addInlineImage(href: string, references: MessageReferences): void {
  references.hasInlineImage = true;
  const path = uploadPath(href);
  if (path !== undefined) references.uploads.push(path);
}

/**
 * The previews of a message's links and their positions: after a paragraph, at the end of a list item, or at the end.
 */
export type PreviewPlan = {
  after: Map<ParagraphToken | ListItem, string[]>;
  atEnd: string[];
  /** The paragraphs and links that are only the URL of an image: the preview replaces them. */
  replacedParagraphs: Set<ParagraphToken>;
  replacedLinks: Set<LinkToken>;
  hasImage: boolean;
};

const maxPreviews = 24;
const imageFile = /\.(?:bmp|gif|jpe|jpeg|jpg|png|webp)$/i;
const videoFile = /\.(?:mov|mp4|webm)$/i;

/** The paragraph or list item that a link's preview follows; undefined for the end of the message. */
type Holder = ParagraphToken | ListItem | undefined;
type HeldTokens = {tokens: readonly (MessageToken | InlineToken)[]; holder: Holder};

/** Decides which links of a message get a preview, and where; none when it has more than 24 different links. */
export function planPreviews(tokens: readonly MessageToken[], context: HtmlRenderContext): PreviewPlan {
  const plan: PreviewPlan = {
    after: new Map(),
    atEnd: [],
    replacedParagraphs: new Set(),
    replacedLinks: new Set(),
    hasImage: false,
  };
  if (context.previewImages === false) return plan;
  const links = [...linksOf(tokens)];
  if (links.length === 0 || new Set(links.map(({link}) => link.href)).size > maxPreviews) return plan;
  const previewedUrls = new Set<string>();
  for (const {link, holder} of links) {
    if (previewedUrls.has(link.href)) continue;
    previewedUrls.add(link.href);
    addPreview(plan, link, holder, context);
  }
  return plan;
}

/** Yields the links outside quotes, breadth first. */
function* linksOf(tokens: readonly MessageToken[]): Generator<{link: LinkToken; holder: Holder}> {
  for (let level: HeldTokens[] = [{tokens, holder: undefined}]; level.length > 0; ) {
    const next: HeldTokens[] = [];
    for (const {tokens: siblings, holder} of level) {
      for (const token of siblings) {
        if (token.type === 'link') yield {link: token, holder};
        else if (token.type === 'list')
          next.push(...token.items.map((item) => ({tokens: item.children, holder: item})));
        else if (token.type !== 'quote') {
          const own = token.type === 'paragraph' ? token : token.type === 'tight_text' ? holder : undefined;
          next.push(...childLists(token).map((list) => ({tokens: list, holder: own})));
        }
      }
    }
    level = next;
  }
}

function addPreview(plan: PreviewPlan, link: LinkToken, holder: Holder, context: HtmlRenderContext): void {
  const [first] = link.children;
  const text = first?.type === 'text' ? first.text : '';
  const isBareUrl = text === '' || text === link.href;
  const title = isBareUrl ? undefined : text;
  const preview = previewOf(link.href, title, context);
  if (preview === undefined) return;
  if (preview.isImage) plan.hasImage = true;
  if (holder === undefined) {
    plan.atEnd.push(preview.html);
    return;
  }
  plan.after.set(holder, [...(plan.after.get(holder) ?? []), preview.html]);
  if (!isBareUrl || !preview.replacesLink) return;
  if (!('type' in holder)) {
    if (isAlone(holder, link)) plan.replacedLinks.add(link);
  } else if (holder.children.length === 1) plan.replacedParagraphs.add(holder);
}

/** Returns whether no text stands at the start of an item or after the link. */
function isAlone(item: ListItem, link: LinkToken): boolean {
  const [first] = item.children;
  if (first?.type !== 'tight_text' || first.children[0]?.type === 'text') return false;
  const at = first.children.indexOf(link);
  return at >= 0 && first.children[at + 1]?.type !== 'text';
}

type Preview = {html: string; isImage: boolean; replacesLink: boolean};

function previewOf(href: string, title: string | undefined, context: HtmlRenderContext): Preview | undefined {
  const upload = uploadPath(href);
  if (videoFile.test(href)) {
    const src = upload ?? context.proxyUrl?.(href) ?? href;
    const video = `<video preload="metadata" src="${escapeAttribute(src)}"></video>`;
    const html = previewBox('message_inline_image message_inline_video', href, title, video);
    return {html, isImage: false, replacesLink: true};
  }
  if (upload !== undefined) {
    const image = context.uploadedImage?.(upload);
    if (image === undefined) return undefined;
    const loading = image.src === undefined ? ' class="image-loading-placeholder"' : '';
    const tag = `<img${loading}${imageData(image)} src="${escapeAttribute(image.src ?? loaderImage)}">`;
    return {html: previewBox('message_inline_image', href, title, tag), isImage: true, replacesLink: true};
  }
  const url = httpUrl(href);
  if (url === undefined) return undefined;
  if (imageFile.test(url.pathname) && url.hostname !== 'pasteboard.co') {
    const source = imageSource(href, url);
    const image = imageTag(context.proxyUrl?.(source) ?? source);
    return {html: previewBox('message_inline_image', href, title, image), isImage: true, replacesLink: true};
  }
  const video = youtubeId(url);
  if (video === undefined) return undefined;
  const still = `https://i.ytimg.com/vi/${video}/mqdefault.jpg`;
  const image = imageTag(context.proxyUrl?.(still) ?? still);
  const html = previewBox('youtube-video message_inline_image', href, undefined, image, video);
  return {html, isImage: true, replacesLink: false};
}

function imageTag(src: string): string {
  return `<img src="${escapeAttribute(src)}">`;
}

function previewBox(className: string, href: string, title: string | undefined, inner: string, id?: string): string {
  const data = id === undefined ? '' : `data-id="${escapeAttribute(id)}" `;
  const titled = title === undefined ? '' : ` title="${escapeAttribute(title)}"`;
  return `<div class="${className}"><a ${data}href="${escapeAttribute(href)}"${titled}>${inner}</a></div>`;
}

function httpUrl(href: string): URL | undefined {
  if (!/^https?:/.test(href)) return undefined;
  return URL.parse(href) ?? undefined;
}

/** Returns the URL of the image itself for known pages that show an image. */
function imageSource(href: string, url: URL): string {
  if (url.hostname === 'github.com' || url.hostname.endsWith('.github.com')) {
    const [, owner, repository, view, ...path] = url.pathname.split('/');
    if (view === 'blob') return `https://raw.githubusercontent.com/${[owner, repository, ...path].join('/')}`;
  }
  if (url.hostname.endsWith('.wikipedia.org') && url.pathname.startsWith('/wiki/File:')) {
    return href.replace('/wiki/File:', '/wiki/Special:FilePath/File:');
  }
  return url.hostname === 'linx.li' ? `https://linx.li/s${url.pathname}` : href;
}

const youtubeHosts = new Set([
  'm.youtube.com',
  'www.youtube.com',
  'www.youtube-nocookie.com',
  'youtube.com',
  'youtube-nocookie.com',
]);

function youtubeId(url: URL): string | undefined {
  let id: string | undefined;
  if (youtubeHosts.has(url.hostname)) {
    if (/^\/watch(?:_popup)?$/.test(url.pathname))
      id = url.searchParams.get('v')?.split(/[<>]/)[0]; // Zulip reads `&lt;` as the start of another parameter.
    else if (url.pathname === '/watch_videos') id = url.searchParams.get('video_ids')?.split(',')[0];
    else id = /^\/(?:embed|shorts|v)\/([^/]*)/.exec(url.pathname)?.[1];
  } else if (url.hostname === 'youtu.be') {
    id = url.pathname.slice(1);
  }
  return id !== undefined && /^[\w-]+$/.test(id) ? id : undefined;
}
