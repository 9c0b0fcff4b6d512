import {printable, printableLine} from '#std/printable.ts';
import {openFences, unusedFence} from './fence.ts';
import type {CompiledLinkifier} from './linkifier.ts';
import {reverseLinkify} from './linkifier-validation.ts';

export interface QuotedMessage {
  readonly senderId: number;
  readonly senderName: string;
  /** To the message. */
  readonly link: string;
  /** Markdown source. */
  readonly content: string;
}

/** What the composer starts with when a message is quoted. */
export function quoteMarkdown(message: QuotedMessage): string {
  return `${introduction(message)}:\n${fenced(message.content)}`;
}

/** The same for another conversation; `place` is a link to where it was said, such as `#**design>logo**`. */
export function forwardMarkdown(message: QuotedMessage, place?: string): string {
  return `${introduction(message)}${place === undefined ? '' : ` in ${printableLine(place)}`}:\n${fenced(message.content)}`;
}

function introduction({senderId, senderName, link}: QuotedMessage): string {
  // Always with the id, so that it still says who it was when someone else takes that name.
  const sender = mentionMarkdown({id: senderId, fullName: senderName}, true, true);
  return `${sender} [said](${printableLine(link)})`;
}

/** The fence is longer than any in the content, so that the content cannot end it. */
function fenced(source: string): string {
  const content = withClosedFences(printable(source));
  const fence = unusedFence(content);
  return `${fence}quote\n${content}\n${fence}`;
}

/** Code that was never closed would take the end of the quote for a part of itself. */
function withClosedFences(content: string): string {
  return [content, ...openFences(content.split('\n')).reverse()].join('\n');
}

/** Names that mean everybody; a person who has one is only mentioned with their id. */
const wildcards = new Set(['all', 'everyone', 'channel', 'stream', 'topic']);

/** `@**Name**`, with `|id` when others have that name too; silent ones notify nobody. */
export function mentionMarkdown(
  user: {readonly id: number; readonly fullName: string},
  isAmbiguous: boolean,
  silent: boolean,
): string {
  const name = printable(user.fullName).replaceAll('\n', ' ');
  const needsId = isAmbiguous || wildcards.has(name.toLowerCase()) || /\|\d*$/.test(name);
  return `@${silent ? '_' : ''}**${name}${needsId ? `|${user.id}` : ''}**`;
}

/** `@*design team*`. */
export function groupMentionMarkdown(name: string, silent: boolean): string {
  return `@${silent ? '_' : ''}*${printableLine(name)}*`;
}

/** Nobody's short form stands for more. */
const longestUrl = 2000;

/**
 * What the composer inserts for pasted text: the short form when it is one URL that a linkifier makes of that form, else the
 * text itself, lines and tabs included, without anything a terminal would obey.
 */
export function pastedMarkdown(text: string, linkifiers: readonly CompiledLinkifier[]): string {
  const safe = printable(text);
  const url = safe.trim();
  if (url.length > longestUrl || !/^[a-z][a-z0-9+.-]*:\S+$/i.test(url)) return safe;
  const short = reverseLinkify(url, linkifiers);
  return short === undefined ? safe : printable(short);
}
