import {codeLanguageName} from '#content/code-language.ts';
import {type TopicLink, topicLinks} from '#content/linkifier.ts';
import {isPlainMessage, parseMessage} from '#content/parse-message.ts';
import {plainText} from '#content/plain-text.ts';
import type {
  Alignment,
  CodeBlockToken,
  InlineToken,
  ListItem,
  MathBlockToken,
  MessageToken,
  TableToken,
} from '#content/tokens.ts';
import {codeHtml} from './code-html.ts';
import {escapeAttribute, escapeLiteral, escapeText} from './escape-html.ts';
import {type HtmlRenderContext, inlineHtml, renderTex} from './inline-html.ts';
import {collectReferences, type MessageReferences, type PreviewPlan, planPreviews} from './links.ts';

export type RenderedMarkdown = MessageReferences & {
  html: string;
  hasImage: boolean;
  /** The visible text, which is searched for alert words. */
  alertText: string;
};

/** Returns a message as HTML together with its mentions, links and uploads. */
export function renderMarkdown(source: string, context: HtmlRenderContext = {}): RenderedMarkdown {
  if (isPlainMessage(source, context)) {
    return {...collectReferences([]), html: `<p>${escapeText(source)}</p>`, hasImage: false, alertText: source};
  }
  const tokens = parseMessage(source, context);
  const references = collectReferences(tokens);
  const plan = references.hasLink ? planPreviews(tokens, context) : undefined;
  const html = messageHtml(tokens, context, plan);
  const hasImage = references.hasInlineImage || plan?.hasImage === true;
  return {...references, html, hasImage, alertText: plainText(tokens)};
}

/** Returns the links in a topic's name, as in the `topic_links` of messages. */
export function renderTopicLinks(topic: string, context: HtmlRenderContext = {}): TopicLink[] {
  return topicLinks(topic, context.linkifiers ?? []);
}

function messageHtml(
  tokens: readonly MessageToken[],
  context: HtmlRenderContext,
  plan: PreviewPlan | undefined,
): string {
  return (blocks(tokens) + (plan?.atEnd.join('') ?? '')).trim();

  function blocks(list: readonly MessageToken[]): string {
    return list.map(block).join('');
  }

  /** Returns a block as HTML, followed by a newline. */
  function block(token: MessageToken): string {
    switch (token.type) {
      case 'paragraph': {
        // Previews have no newline after them.
        const previews = plan?.after.get(token)?.join('') ?? '';
        return plan?.replacedParagraphs.has(token) ? previews : `<p>${inline(token.children)}</p>\n${previews}`;
      }
      case 'tight_text':
        return inline(token.children);
      case 'heading':
        return `<h${token.level}>${inline(token.children)}</h${token.level}>\n`;
      case 'rule':
        return '<hr>\n';
      case 'code_block':
        return codeBlock(token);
      case 'math_block':
        return mathBlock(token);
      case 'quote':
        return `<blockquote>\n${blocks(token.children)}</blockquote>\n`;
      case 'spoiler': {
        const header = `<div class="spoiler-header">\n${blocks(token.header)}</div>`;
        const content = `<div class="spoiler-content" aria-hidden="true">\n${blocks(token.children)}`;
        const end = token.endsQuote ? '<p></div></div><br>\n</p>' : '</div></div>';
        return `<div class="spoiler-block">${header}${content}${end}\n`;
      }
      case 'list': {
        const start = token.ordered && token.start !== 1 ? ` start="${token.start}"` : '';
        const tag = token.ordered ? 'ol' : 'ul';
        return `<${tag}${start}>\n${token.items.map(item).join('')}</${tag}>\n`;
      }
      case 'table':
        return `${table(token)}\n`;
    }
  }

  function item(token: ListItem): string {
    const [first, ...rest] = token.children;
    const previews = plan?.after.get(token)?.join('') ?? '';
    if (first === undefined) return '<li></li>\n';
    if (first.type !== 'tight_text') return `<li>\n${blocks(token.children)}${previews}</li>\n`;
    return `<li>${inline(first.children)}${blocks(rest)}${previews}</li>\n`;
  }

  function table(token: TableToken): string {
    const row = (cells: readonly InlineToken[][], tag: 'th' | 'td') => {
      const html = cells.map((cell, i) => `<${tag}${alignStyle(token.align[i])}>${inline(cell)}</${tag}>\n`);
      return `<tr>\n${html.join('')}</tr>\n`;
    };
    const empty = `<tr>\n${'<td></td>\n'.repeat(token.align.length)}</tr>\n`;
    const body = token.rows.map((cells) => row(cells, 'td')).join('') || empty;
    return `<table>\n<thead>\n${row(token.header, 'th')}</thead>\n<tbody>\n${body}</tbody>\n</table>`;
  }

  function inline(list: readonly InlineToken[]): string {
    return inlineHtml(list, context, plan?.replacedLinks);
  }
}

function alignStyle(align: Alignment): string {
  return align === undefined ? '' : ` style="text-align: ${align};"`;
}

function codeBlock({language, text, isIndented, endsQuote}: CodeBlockToken): string {
  const name = language === undefined ? undefined : codeLanguageName(language);
  const attribute = name === undefined ? '' : ` data-code-language="${escapeAttribute(name)}"`;
  const html = `<div class="codehilite"${attribute}><pre><span></span><code>${codeHtml(name, text)}</code></pre></div>`;
  if (endsQuote) return `<p>${html}<br>\n</p>\n`;
  if (isIndented) return `${html}\n\n`;
  return `${html}\n`;
}

function mathBlock({tex, endsQuote}: MathBlockToken): string {
  const formulas = tex
    .split('\n\n')
    .map((part) => renderTex(part, true) ?? `<span class="tex-error">${escapeLiteral(part)}</span>`);
  return `<p>${formulas.join('\n\n')}${endsQuote ? '<br>\n' : ''}</p>\n`;
}
