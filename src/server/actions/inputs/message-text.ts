import type {ActionContext} from '#server/context.ts';
import {badRequest} from '#server/http/errors.ts';
import {organization} from '#server/permissions/has-permission.ts';

export const maxContentLength = 10_000;
export const maxTopicLength = 60;
const contentEllipsis = '\n[message truncated]';
const topicEllipsis = '...';

/** Returns a mention that notifies nobody. */
export function silentMention({full_name, id}: {readonly full_name: string; readonly id: number}): string {
  return `@_**${full_name}|${id}**`;
}

/** Returns a message's text as stored. A text that is too long is cut, not refused. */
export function cleanContent(input: string): string {
  const content = input.trimEnd().replace(/^\n+/, '');
  if (content === '') throw badRequest('Message must not be empty');
  if (content.includes('\0')) throw badRequest('Message must not contain null bytes');
  return truncateText(content, maxContentLength, contentEllipsis);
}

/** Returns a topic's name as stored; both spellings of "no topic" become the empty topic. */
export function cleanTopic(act: Pick<ActionContext, 'server'>, input: string): string {
  const topic = input.trim();
  if (forbiddenInNames.test(topic)) {
    const position = Array.from(topic).findIndex((character) => forbiddenInNames.test(character)) + 1;
    throw badRequest(`Invalid character in topic, at position ${position}!`);
  }
  return truncateText(storedTopicName(act, topic), maxTopicLength, topicEllipsis);
}

/** Returns the empty topic for the names by which older clients know it. */
export function storedTopicName(act: Pick<ActionContext, 'server'>, topic: string): string {
  return topic === '(no topic)' || topic === organization(act).empty_topic_display_name ? '' : topic;
}

/** Cuts the text to at most `length` code points, ellipsis included. */
export function truncateText(text: string, length: number, ellipsis: string): string {
  // UTF-16 units are never fewer than code points.
  if (text.length <= length) return text;
  const points = Array.from(text);
  if (points.length <= length) return text;
  return points.slice(0, length - ellipsis.length).join('') + ellipsis;
}

/**
 * Characters that no name may contain: controls, lone surrogates, noncharacters, and the marks that change the direction
 * of the text around a name, with which it could look like another one. Zulip's servers allow these marks.
 */
export const forbiddenInNames = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}\u202a-\u202e\u2066-\u2069]/u;

export function checkNameCharacters(name: string, what: string): void {
  const position = Array.from(name).findIndex((character) => forbiddenInNames.test(character));
  if (position >= 0) throw badRequest(`Invalid character in ${what}, at position ${position + 1}.`);
}
