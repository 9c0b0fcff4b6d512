import {localDay, zonedTime} from '#cli/local-time.ts';
import {printableLine, withoutControls} from '#std/printable.ts';
import {countedNoun} from '#wording/counted-noun.ts';
import type {ExportedMessage} from './export-messages.ts';
import {
  type ExportedConversation,
  linkTarget,
  type PageContext,
  type PageFormat,
  reactionsByEmoji,
  widgetTexts,
} from './write-pages.ts';

/** Markdown: the source of each message below a heading with its time and sender. */
export const markdownFormat: PageFormat = {
  name: 'md',
  pageStart: (conversation, page) => `# ${escaped(conversation.title)}\n\n${pageLinks(conversation, page)}`,
  message: messageMarkdown,
  pageEnd: pageLinks,
  index: (conversations) => `# Exported conversations\n\n${conversations.map(indexRow).join('')}`,
};

function pageLinks({pages}: ExportedConversation, page: number): string {
  const link = (at: number, text: string) => (pages[at] === undefined ? [] : [`[${text}](${linkPath(pages[at])})`]);
  const links = [...link(page - 1, 'Earlier messages'), ...link(page + 1, 'Later messages')];
  return links.length === 0 ? '' : `${links.join(' · ')}\n\n`;
}

function indexRow({title, count, firstTime, lastTime, pages}: ExportedConversation): string {
  const days = [...new Set([firstTime, lastTime].map((time) => localDay(new Date(time))))].join(' to ');
  return `- [${escaped(title)}](md/${linkPath(pages[0] ?? '')}): ${countedNoun(count, 'message')}, ${days}\n`;
}

function messageMarkdown(message: ExportedMessage, _previous: unknown, context: PageContext): string {
  const edited = message.editedAt === null ? '' : ' (edited)';
  const parts = [
    `<a id="m${message.id}"></a>\n\n## ${zonedTime(new Date(message.time))} ${escaped(message.senderName)}${edited}`,
    message.widget === null ? withLocalLinks(message, context) : widgetMarkdown(message.widget),
    ...reactionLines(message),
    ...message.files
      .filter(({problem}) => problem !== null)
      .map(({name, problem}) => escaped(`${name} was not saved: ${problem}.`)),
    ...(message.history ?? []).slice(0, -1).map(versionMarkdown),
  ];
  return `${parts.join('\n\n')}\n\n`;
}

/** Replaces the addresses of saved files and of messages of the export. */
function withLocalLinks(message: ExportedMessage, context: PageContext): string {
  const base = context.organizationUrl.replace(/\/$/, '');
  return withoutControls(message.content).replaceAll(
    /\]\(([^()\s]{1,2000})\)|https?:\/\/[^\s()<>\]]{1,2000}/g,
    (found, target) => {
      const address: string = target ?? found;
      const isOurs = address.startsWith(`${base}/`) || /^\/?(?:user_uploads\/|#narrow)/.test(address);
      const local = isOurs ? linkTarget(address, message, context) : undefined;
      if (local === undefined) return found;
      return target === undefined ? local : `](${local})`;
    },
  );
}

function widgetMarkdown(widget: NonNullable<ExportedMessage['widget']>): string {
  const {title, items} = widgetTexts(widget, escaped);
  const mark = (done: boolean | undefined) => (done === undefined ? '' : done ? '[x] ' : '[ ] ');
  return [`**${title}**\n`, ...items.map(({done, text}) => `- ${mark(done)}${text}`)].join('\n');
}

function reactionLines(message: ExportedMessage): readonly string[] {
  const reactions = [...reactionsByEmoji(message)].map(([emoji, names]) => `${emoji} ${names.map(escaped).join(', ')}`);
  return reactions.length === 0 ? [] : [`Reactions: ${reactions.join(' · ')}`];
}

function versionMarkdown({time, content}: {readonly time: string; readonly content: string}): string {
  const quoted = withoutControls(content)
    .split('\n')
    .map((line) => `> ${line}`);
  return [`Before (${zonedTime(new Date(time))}):\n`, ...quoted].join('\n');
}

/** Returns a name or title on one line, without meaning in Markdown or HTML. */
function escaped(text: string): string {
  return printableLine(text).replaceAll(/[\\`*_[\]<>|~]|^#+(?=\s)/g, '\\$&');
}

function linkPath(name: string): string {
  return encodeURIComponent(name);
}
