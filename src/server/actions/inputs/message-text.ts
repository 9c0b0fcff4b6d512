import type {ActionContext} from '#server/context.ts';
import {badRequest} from '#server/http/errors.ts';
import {organization} from '#server/permissions/has-permission.ts';

export const maxContentLength = 10_000;
export const maxTopicLength = 60;
const contentEllipsis = '\n[message truncated]';
const topicEllipsis = '...';
const forbiddenInTopics = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/u;

/** A message's text as it is stored. Too long is cut, not refused. */
export function cleanContent(typed: string): string {
  const content = typed.trimEnd().replace(/^\n+/, '');
  if (content === '') throw badRequest('Message must not be empty');
  if (content.includes('\0')) throw badRequest('Message must not contain null bytes');
  return truncateText(content, maxContentLength, contentEllipsis);
}

/** A topic's name as it is stored; both spellings of "no topic" become the empty one. */
export function cleanTopic(act: Pick<ActionContext, 'world'>, typed: string): string {
  const topic = typed.trim();
  if (forbiddenInTopics.test(topic)) {
    const position = Array.from(topic).findIndex((character) => forbiddenInTopics.test(character)) + 1;
    throw badRequest(`Invalid character in topic, at position ${position}!`);
  }
  if (topic === '(no topic)' || topic === organization(act).empty_topic_display_name) return '';
  return truncateText(topic, maxTopicLength, topicEllipsis);
}

/** Cuts after so many code points. */
export function truncateText(text: string, length: number, ellipsis: string): string {
  // UTF-16 units are never fewer than code points.
  if (text.length <= length) return text;
  const points = Array.from(text);
  if (points.length <= length) return text;
  return points.slice(0, length - ellipsis.length).join('') + ellipsis;
}
