import {uploadPath} from '#content/file-chip.ts';
import type {InlineToken, LinkToken, ListItem, MessageToken, ParagraphToken} from '#content/tokens.ts';
import {escapeAttribute} from './escape-html.ts';
import {type HtmlRenderContext, imageData, loaderImage} from './inline-html.ts';

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

type LinkPosition = {kind: 'paragraph'; token: ParagraphToken} | {kind: 'item'; item: ListItem} | {kind: 'other'};
type PositionedLink = {link: LinkToken; position: LinkPosition};

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
  for (const positioned of links) {
    const {href} = positioned.link;
    if (previewedUrls.has(href)) continue;
    previewedUrls.add(href);
    addPreview(plan, positioned, context);
  }
  return plan;
}

/** Yields the links outside quotes, breadth first. */
function* linksOf(tokens: readonly MessageToken[]): Generator<PositionedLink> {
  let level: {tokens: readonly (MessageToken | InlineToken)[]; position: LinkPosition}[] = [
    {tokens, position: {kind: 'other'}},
  ];
  while (level.length > 0) {
    const next: typeof level = [];
    for (const {tokens: siblings, position} of level) {
      for (const token of siblings) {
        if (token.type === 'link') yield {link: token, position};
        else for (const each of childrenOf(token, position)) next.push(each);
      }
    }
    level = next;
  }
}

function childrenOf(
  token: MessageToken | InlineToken,
  position: LinkPosition,
): {tokens: readonly (MessageToken | InlineToken)[]; position: LinkPosition}[] {
  const other: LinkPosition = {kind: 'other'};
  switch (token.type) {
    case 'paragraph':
      return [{tokens: token.children, position: {kind: 'paragraph', token}}];
    case 'tight_text':
      return [{tokens: token.children, position}];
    case 'heading':
    case 'strong':
    case 'emphasis':
    case 'strike':
      return [{tokens: token.children, position: other}];
    case 'spoiler':
      return [token.header, token.children].map((tokens) => ({tokens, position: other}));
    case 'list':
      return token.items.map((item) => ({tokens: item.children, position: {kind: 'item', item}}));
    case 'table':
      return [token.header, ...token.rows].flat().map((tokens) => ({tokens, position: other}));
    default:
      return [];
  }
}

function addPreview(plan: PreviewPlan, {link, position}: PositionedLink, context: HtmlRenderContext): void {
  const [first] = link.children;
  const text = first?.type === 'text' ? first.text : '';
  const isBareUrl = text === '' || text === link.href;
  const title = isBareUrl ? undefined : text;
  const preview = previewOf(link.href, title, context);
  if (preview === undefined) return;
  if (preview.isImage) plan.hasImage = true;
  if (position.kind === 'other') {
    plan.atEnd.push(preview.html);
    return;
  }
  const holder = position.kind === 'paragraph' ? position.token : position.item;
  const before = plan.after.get(holder);
  if (before === undefined) plan.after.set(holder, [preview.html]);
  else before.push(preview.html);
  if (!isBareUrl || !preview.replacesLink) return;
  if (position.kind === 'paragraph' && position.token.children.length === 1)
    plan.replacedParagraphs.add(position.token);
  if (position.kind === 'item' && isAlone(position.item, link)) plan.replacedLinks.add(link);
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
    const html = previewBox('message_inline_image message_inline_video', href, title, undefined, video);
    return {html, isImage: false, replacesLink: true};
  }
  if (upload !== undefined) return uploadPreview(href, upload, title, context);
  const url = httpUrl(href);
  if (url === undefined) return undefined;
  if (imageFile.test(url.pathname) && url.hostname !== 'pasteboard.co') {
    const source = imageSource(href, url);
    const image = imageTag(context.proxyUrl?.(source) ?? source);
    return {
      html: previewBox('message_inline_image', href, title, undefined, image),
      isImage: true,
      replacesLink: true,
    };
  }
  const video = youtubeId(url);
  if (video === undefined) return undefined;
  const still = `https://i.ytimg.com/vi/${video}/mqdefault.jpg`;
  const image = imageTag(context.proxyUrl?.(still) ?? still);
  const html = previewBox('youtube-video message_inline_image', href, undefined, video, image);
  return {html, isImage: true, replacesLink: false};
}

function uploadPreview(
  href: string,
  path: string,
  title: string | undefined,
  context: HtmlRenderContext,
): Preview | undefined {
  const image = context.uploadedImage?.(path);
  if (image === undefined) return undefined;
  const loading = image.src === undefined ? ' class="image-loading-placeholder"' : '';
  const tag = `<img${loading}${imageData(image)} src="${escapeAttribute(image.src ?? loaderImage)}">`;
  return {
    html: previewBox('message_inline_image', href, title, undefined, tag),
    isImage: true,
    replacesLink: true,
  };
}

function imageTag(src: string): string {
  return `<img src="${escapeAttribute(src)}">`;
}

function previewBox(
  className: string,
  href: string,
  title: string | undefined,
  id: string | undefined,
  inner: string,
): string {
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
