import {createRequire} from 'node:module';
import {emojiImageUrl} from '#content/emoji-text.ts';
import {uploadPath} from '#content/file-chip.ts';
import {groupTitle} from '#content/group-title.ts';
import {channelSlug, encodeNarrowOperand} from '#content/narrow-link.ts';
import type {ParseContext} from '#content/parse-context.ts';
import type {ChannelLinkToken, EmojiToken, InlineToken, LinkToken} from '#content/tokens.ts';
import {once} from '#std/once.ts';
import {escapeAttribute, escapeLiteral, escapeText} from './escape-html.ts';

/** Returns inline tokens as HTML, without the links in `skip`, which a preview replaces. */
export function inlineHtml(
  tokens: readonly InlineToken[],
  context: HtmlRenderContext,
  skip?: ReadonlySet<LinkToken>,
): string {
  let html = '';
  for (const token of tokens) html += tokenHtml(token, context, skip);
  return html;
}

function tokenHtml(token: InlineToken, context: HtmlRenderContext, skip: ReadonlySet<LinkToken> | undefined): string {
  switch (token.type) {
    case 'text':
      return escapeText(token.text);
    case 'entity':
      return token.raw;
    case 'line_break':
      return '<br>\n';
    case 'strong':
      return `<strong>${inlineHtml(token.children, context)}</strong>`;
    case 'emphasis':
      return `<em>${inlineHtml(token.children, context)}</em>`;
    case 'strike':
      return `<del>${inlineHtml(token.children, context)}</del>`;
    case 'code_span':
      return `<code>${escapeLiteral(token.text)}</code>`;
    case 'math':
      return renderTex(token.tex, false) ?? `<span class="tex-error">$$${escapeText(token.tex)}$$</span>`;
    case 'link':
      if (skip?.has(token)) return '';
      return `<a href="${escapeAttribute(token.href)}"${titleAttribute(token.title)}>${inlineHtml(token.children, context)}</a>`;
    case 'user_mention':
      return mentionHtml('user-mention', `data-user-id="${token.userId}"`, token.name, token.silent);
    case 'group_mention':
      return mentionHtml(
        'user-group-mention',
        `data-user-group-id="${token.groupId}"`,
        groupTitle(token.name),
        token.silent,
      );
    case 'wildcard_mention':
      return token.scope === 'topic'
        ? mentionHtml('topic-mention', '', token.name, token.silent)
        : mentionHtml('user-mention channel-wildcard-mention', 'data-user-id="*"', token.name, token.silent);
    case 'channel_link':
      return channelLinkHtml(token, context);
    case 'time':
      return `<time datetime="${escapeAttribute(token.datetime)}">${escapeLiteral(token.text)}</time>`;
    case 'emoji':
      return emojiHtml(token);
    case 'image':
      return imageHtml(token.href, token.alt, context);
    case 'audio':
      return audioHtml(token.href, token.alt, context);
  }
}

/** The server's HTML writer leaves out a value that equals the attribute's name. */
function titleAttribute(title: string | undefined): string {
  if (title === undefined) return '';
  return title === 'title' ? ' title' : ` title="${escapeAttribute(title)}"`;
}

function mentionHtml(className: string, data: string, name: string, silent: boolean): string {
  const attributes = `class="${className}${silent ? ' silent' : ''}"${data === '' ? '' : ` ${data}`}`;
  return `<span ${attributes}>${silent ? '' : '@'}${escapeLiteral(name)}</span>`;
}

function channelLinkHtml(token: ChannelLinkToken, context: HtmlRenderContext): string {
  const base = `/#narrow/channel/${channelSlug(token.channelId, token.channel)}`;
  const name = escapeLiteral(token.channel);
  const id = `data-stream-id="${token.channelId}"`;
  if (token.topic === undefined) return `<a class="stream" ${id} href="${escapeAttribute(base)}">#${name}</a>`;
  const path = `${base}/topic/${encodeNarrowOperand(token.topic)}`;
  const shown = token.shownTopic === undefined ? escapeLiteral(token.topic) : inlineHtml(token.shownTopic, context);
  const topic = token.topic === '' ? `<em>${shown}</em>` : shown;
  if (token.messageId !== undefined) {
    const href = escapeAttribute(`${path}/near/${token.messageId}`);
    return `<a class="message-link" href="${href}">#${name} &gt; ${topic} @ 💬</a>`;
  }
  const anchor = context.topicAnchor?.(token.channelId, token.topic);
  const href = escapeAttribute(anchor === undefined ? path : `${path}/with/${anchor}`);
  return `<a class="stream-topic" ${id} href="${href}">#${name} &gt; ${topic}</a>`;
}

function emojiHtml(token: EmojiToken): string {
  const shown = escapeAttribute(`:${token.name}:`);
  const title = escapeAttribute(token.name.replaceAll('_', ' '));
  if (token.kind === 'unicode') {
    const attributes = `aria-label="${title}" class="emoji emoji-${token.code}" role="img" title="${title}"`;
    return `<span ${attributes}>${shown}</span>`;
  }
  const source = emojiImageUrl(token) ?? '';
  return `<img alt="${shown}" class="emoji" src="${escapeAttribute(source)}" title="${title}">`;
}

function imageHtml(href: string, alt: string, context: HtmlRenderContext): string {
  const path = uploadPath(href) ?? href;
  const image = context.uploadedImage?.(path);
  const loading = image !== undefined && image.src === undefined ? ' image-loading-placeholder' : '';
  const data = image === undefined ? '' : imageData(image);
  const src = image === undefined ? path : (image.src ?? loaderImage);
  const attributes = `alt="${escapeAttribute(alt)}" class="inline-image${loading}"${data}`;
  return `<img ${attributes} data-original-src="${escapeAttribute(path)}" src="${escapeAttribute(src)}">`;
}

/** Returns the data attributes that clients need to lay out an image before it is loaded. */
export function imageData(image: UploadedImage): string {
  const animated = image.isAnimated === true ? ' data-animated="true"' : '';
  const type =
    image.contentType === undefined ? '' : ` data-original-content-type="${escapeAttribute(image.contentType)}"`;
  const size = ` data-original-dimensions="${image.width}x${image.height}"`;
  const transcoded =
    image.transcoded === undefined ? '' : ` data-transcoded-image="${escapeAttribute(image.transcoded)}"`;
  return animated + type + size + transcoded;
}

/** The image shown while an upload has no thumbnail yet. */
export const loaderImage = '/static/images/loading/loader-black.svg';

function audioHtml(href: string, alt: string, context: HtmlRenderContext): string {
  const local = uploadPath(href);
  const src = local ?? context.proxyUrl?.(href) ?? href;
  const original = local === undefined && src !== href ? ` data-original-url="${escapeAttribute(href)}"` : '';
  const title = alt.trim() === '' ? href : alt;
  return `<audio controls${original} preload="metadata" src="${escapeAttribute(src)}" title="${escapeAttribute(title)}"></audio>`;
}

type Katex = {renderToString: (tex: string, options: Record<string, unknown>) => string};

/**
 * Loads KaTeX on first use: it takes some 30 ms, and few messages contain a formula. The bundle contains it because of
 * `require`, which the sources do not have.
 */
const loadKatex = once((): Katex => {
  return typeof require === 'function' ? require('katex') : createRequire(import.meta.url)('katex');
});

/** Longer formulas are shown as source: rendering time can grow faster than their length. */
const maxLength = 2000;

/** Returns the HTML of a formula, or undefined when KaTeX cannot parse it. */
export function renderTex(tex: string, display: boolean): string | undefined {
  if (tex.length > maxLength) return undefined;
  try {
    return loadKatex().renderToString(tex, {displayMode: display, strict: false, maxExpand: 200});
  } catch {
    return undefined;
  }
}

export type UploadedImage = {
  /** The URL of the preview; undefined while there is no thumbnail yet. */
  src: string | undefined;
  width: number;
  height: number;
  contentType: string | undefined;
  isAnimated?: boolean;
  /** The name of a large thumbnail, for formats that browsers cannot show. */
  transcoded?: string;
};

/** The data that the HTML of a message depends on besides its text. */
export type HtmlRenderContext = ParseContext & {
  /** Whether links to images and videos get a preview below the paragraph. */
  previewImages?: boolean;
  /** Returns the uploaded image at a path (`/user_uploads/…`); undefined when there is none. */
  uploadedImage?: (path: string) => UploadedImage | undefined;
  /** Returns the URL of a proxy for another site's image, so that readers do not reveal themselves to that site. */
  proxyUrl?: (url: string) => string;
};
