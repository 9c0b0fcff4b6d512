import {createHash} from 'node:crypto';
import {localDay, zonedTime} from '#cli/local-time.ts';
import {escapeHtml} from '#content/html-text.ts';
import {countedNoun} from '#wording/counted-noun.ts';
import type {ExportedMessage} from './export-messages.ts';
import {sanitizeHtml} from './sanitize-html.ts';
import {
  type ExportedConversation,
  imageSource,
  linkTarget,
  type PageContext,
  type PageFormat,
  reactionsByEmoji,
  widgetTexts,
} from './write-pages.ts';

const css = `
:root{color-scheme:light dark;--line:#d5d8dd;--soft:#5c6370;--tint:#f3f4f6;--link:#0b57d0}
@media(prefers-color-scheme:dark){:root{--line:#3a3f47;--soft:#a3abb8;--tint:#23272e;--link:#8ab4f8}body{background:#16191d;color:#e6e8eb}}
*{box-sizing:border-box}
body{font:16px/1.5 system-ui,sans-serif;max-width:50rem;margin:0 auto;padding:1rem;overflow-wrap:break-word}
a{color:var(--link)}
h1{font-size:1.4rem;line-height:1.25;margin:.5rem 0}
.day{font-size:.9rem;color:var(--soft);border-bottom:1px solid var(--line);margin:1.5rem 0 .5rem;font-weight:600}
article{padding:.4rem 0;unicode-bidi:isolate}
article:target{background:var(--tint)}
article header,.foot,nav,.note{color:var(--soft);font-size:.85rem}
article header b{font-size:1rem;color:CanvasText;margin-inline-end:.4rem}
article header a{color:inherit;text-decoration:none}
.text>:first-child{margin-top:.1rem}.text>:last-child{margin-bottom:.1rem}
img{max-width:100%;max-height:24rem;height:auto;vertical-align:top}
pre{background:var(--tint);padding:.6rem;overflow-x:auto;overflow-wrap:normal}
code{background:var(--tint);font-size:.92em}
blockquote{margin:.4rem 0;padding-inline-start:.8rem;border-inline-start:3px solid var(--line)}
table{border-collapse:collapse;display:block;overflow-x:auto}td,th{border:1px solid var(--line);padding:.2rem .5rem}
.mention{background:var(--tint);border-radius:.2rem;padding:0 .2rem}
details{margin:.3rem 0}summary>p{display:inline}
ul.list{list-style:none;padding:0}ul.list li{padding:.35rem 0;border-bottom:1px solid var(--line)}
@media print{body{max-width:none;padding:0}article{break-inside:avoid-page}nav{display:none}details::details-content{content-visibility:visible;block-size:auto}}
`;

/** Only the style sheet above is applied, only saved images are loaded, and nothing runs. */
function contentPolicy(): string {
  const hash = createHash('sha256').update(css).digest('base64');
  return `default-src 'none'; style-src 'sha256-${hash}'; img-src 'self' file:; base-uri 'none'; form-action 'none'`;
}

/** Pages for a browser: one for each conversation, or several for a long one, without scripts or anything remote. */
export const htmlFormat: PageFormat = {
  name: 'html',
  pageStart: (conversation, page) =>
    `${head(pageTitle(conversation, page))}<nav><a href="../index.html">All conversations</a>${pageNav(conversation, page)}</nav>
<h1><bdi>${escapeHtml(conversation.title)}</bdi></h1>
<main>
`,
  message: messageHtml,
  pageEnd: (conversation, page) => `</main>
<nav><a href="../index.html">All conversations</a>${pageNav(conversation, page)}</nav>
</body></html>
`,
  index: (conversations) => {
    const messages = conversations.reduce((sum, {count}) => sum + count, 0);
    const counts = `${countedNoun(conversations.length, 'conversation')}, ${countedNoun(messages, 'message')}`;
    return `${head('Exported conversations')}<h1>Exported conversations</h1>
<p class="note">${counts}</p>
<ul class="list">
${conversations.map(indexRow).join('')}</ul>
</body></html>
`;
  },
};

function head(title: string): string {
  return `<!doctype html>
<html><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${contentPolicy()}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(title)}</title>
<style>${css}</style></head>
<body>
`;
}

function pageTitle({title, pages}: ExportedConversation, page: number): string {
  return pages.length === 1 ? title : `${title} (${page + 1} of ${pages.length})`;
}

function pageNav({pages}: ExportedConversation, page: number): string {
  const link = (at: number, text: string) => {
    const name = pages[at];
    return name === undefined ? '' : ` · <a href="${encodeURIComponent(name)}">${text}</a>`;
  };
  return `${link(page - 1, 'Earlier messages')}${link(page + 1, 'Later messages')}`;
}

function indexRow({title, count, firstTime, lastTime, pages}: ExportedConversation): string {
  const [first = ''] = pages;
  const days = [...new Set([firstTime, lastTime].map((time) => localDay(new Date(time))))].join(' to ');
  return `<li><a href="html/${encodeURIComponent(first)}"><bdi>${escapeHtml(title)}</bdi></a>
<div class="note">${countedNoun(count, 'message')}, ${days}</div></li>
`;
}

function messageHtml(message: ExportedMessage, previous: ExportedMessage | undefined, context: PageContext): string {
  const day = localDay(new Date(message.time));
  const isNewDay = previous === undefined || localDay(new Date(previous.time)) !== day;
  const edited = message.editedAt === null ? '' : ' · edited';
  return `${isNewDay ? `<h2 class="day">${day}</h2>\n` : ''}<article id="m${message.id}">
<header><b><bdi>${escapeHtml(message.senderName)}</bdi></b><a href="#m${message.id}">${timeHtml(message.time)}</a>${edited}</header>
<div class="text" dir="auto">${contentHtml(message, context)}</div>
${reactionsHtml(message)}${problemsHtml(message)}${historyHtml(message, context)}</article>
`;
}

function timeHtml(time: string): string {
  return `<time datetime="${escapeHtml(time)}">${zonedTime(new Date(time))}</time>`;
}

function contentHtml(message: ExportedMessage, context: PageContext): string {
  if (message.widget !== null) return widgetHtml(message.widget);
  const html = sanitized(message.html, message, context);
  if (html === '' && message.content !== '') return `<pre>${escapeHtml(message.content)}</pre>`;
  return message.isMe ? html.replace('<p>/me ', () => `<p><i>${escapeHtml(message.senderName)}</i> `) : html;
}

function sanitized(html: string, message: ExportedMessage, context: PageContext): string {
  return sanitizeHtml(html, {
    link: (address) => linkTarget(address, message, context),
    image: (address) => imageSource(address, message, context),
  });
}

function widgetHtml(widget: NonNullable<ExportedMessage['widget']>): string {
  const {title, items} = widgetTexts(widget, escapeHtml);
  const mark = (done: boolean | undefined) => (done === undefined ? '' : done ? '☑ ' : '☐ ');
  return `<p><b>${title}</b></p><ul>${items.map(({done, text}) => `<li>${mark(done)}${text}</li>`).join('')}</ul>`;
}

function reactionsHtml(message: ExportedMessage): string {
  const reactions = [...reactionsByEmoji(message)].map(
    ([emoji, names]) => `${escapeHtml(emoji)} ${names.map((name) => `<bdi>${escapeHtml(name)}</bdi>`).join(', ')}`,
  );
  return reactions.length === 0 ? '' : `<div class="foot">${reactions.join(' · ')}</div>\n`;
}

function problemsHtml({files}: ExportedMessage): string {
  return files
    .filter(({problem}) => problem !== null)
    .map(({name, problem}) => `<div class="foot">${escapeHtml(`${name} was not saved: ${problem}.`)}</div>\n`)
    .join('');
}

function historyHtml(message: ExportedMessage, context: PageContext): string {
  const earlier = (message.history ?? []).slice(0, -1);
  if (earlier.length === 0) return '';
  const versions = earlier.map(
    ({time, html}) =>
      `<div class="foot">${timeHtml(time)}</div><blockquote dir="auto">${sanitized(html, message, context)}</blockquote>`,
  );
  return `<details class="foot"><summary>${countedNoun(earlier.length, 'earlier version')}</summary>${versions.join('')}</details>\n`;
}
