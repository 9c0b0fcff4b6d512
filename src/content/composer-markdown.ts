/** The Markdown that the composer inserts: quotes, forwarded messages, mentions, pasted text. */

import {lineWithoutControls, withoutControls} from '#std/printable.ts';
import {openFences, unusedFence} from './fence.ts';
import type {CompiledLinkifier} from './linkifier.ts';
import {reverseLinkify} from './linkifier-validation.ts';

export interface QuotedMessage {
  readonly senderId: number;
  readonly senderName: string;
  /** The link to the quoted message. */
  readonly link: string;
  /** Markdown source. */
  readonly content: string;
}

/** Returns the text that the composer starts with when the user quotes a message. */
export function quoteMarkdown(message: QuotedMessage): string {
  return `${introduction(message)}:\n${fenced(message.content)}`;
}

/** Returns the quote for a message that is forwarded; `origin` links to its conversation, such as `#**design>logo**`. */
export function forwardMarkdown(message: QuotedMessage, origin?: string): string {
  return `${introduction(message)}${origin === undefined ? '' : ` in ${lineWithoutControls(origin)}`}:\n${fenced(message.content)}`;
}

function introduction({senderId, senderName, link}: QuotedMessage): string {
  // The id is always included: the mention still names the right user when another user takes that name later.
  const sender = mentionMarkdown({id: senderId, fullName: senderName}, true, true);
  return `${sender} [said](${lineWithoutControls(link)})`;
}

/** Returns the content in a quote fence that is longer than any fence in the content, so the content cannot close it. */
function fenced(source: string): string {
  const content = withClosedFences(withoutControls(source));
  const fence = unusedFence(content);
  return `${fence}quote\n${content}\n${fence}`;
}

/** Closes the fences that the content leaves open; otherwise the end of the quote would become part of the open block. */
function withClosedFences(content: string): string {
  return [content, ...openFences(content.split('\n')).reverse()].join('\n');
}

/** Names of wildcard mentions; a user who has such a name can only be mentioned with their id. */
const wildcards = new Set(['all', 'everyone', 'channel', 'stream', 'topic']);

/** Returns `@**Name**`, with `|id` when the name alone is ambiguous. A silent mention notifies no one. */
export function mentionMarkdown(
  user: {readonly id: number; readonly fullName: string},
  isAmbiguous: boolean,
  silent: boolean,
): string {
  const name = withoutControls(user.fullName).replaceAll('\n', ' ');
  const needsId = isAmbiguous || wildcards.has(name.toLowerCase()) || /\|\d*$/.test(name);
  return `@${silent ? '_' : ''}**${name}${needsId ? `|${user.id}` : ''}**`;
}

/** Returns a mention of a group such as `@*design team*`. */
export function groupMentionMarkdown(name: string, silent: boolean): string {
  return `@${silent ? '_' : ''}*${lineWithoutControls(name)}*`;
}

/** No linkifier's short form expands to a longer URL. */
const maxUrlLength = 2000;

/** Returns the short form (`#123`) of a text that is one URL which a linkifier would create. */
export function shortFormOf(text: string, linkifiers: readonly CompiledLinkifier[]): string | undefined {
  const url = withoutControls(text).trim();
  if (url.length > maxUrlLength || !/^[a-z][a-z0-9+.-]*:\S+$/i.test(url)) return undefined;
  const short = reverseLinkify(url, linkifiers);
  return short === undefined ? undefined : withoutControls(short);
}
