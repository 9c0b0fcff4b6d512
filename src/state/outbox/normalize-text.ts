import {topicKey} from '#state/model/conversation.ts';
import type {AccountState} from '#state/state.ts';

/** White space of Python and of JavaScript together: servers are written in either. */
const trailingSpace = /[\s\u001c-\u001f\u0085\ufeff]+$/u;
const contentEllipsis = '\n[message truncated]';
const topicEllipsis = '...';
/** Of servers that do not say. */
const longestContent = 10_000;
const longestTopic = 60;

type Limits = Pick<AccountState, 'server' | 'realm'>;

/** A text as servers keep it: without space around it, cut when too long. Equal results, same text. */
export function normalizedContent(typed: string, {server}: Limits): string {
  return cut(
    typed.replace(trailingSpace, '').replace(/^\n+/, ''),
    server.maxMessageLength ?? longestContent,
    contentEllipsis,
  );
}

/** Nothing a server would keep. */
export function isBlank(typed: string): boolean {
  return typed.replace(trailingSpace, '') === '';
}

/** Equal results, same topic, as servers keep topics: all spellings of "no topic" are one. */
export function normalizedTopicKey(typed: string, {server, realm}: Limits): string {
  const topic = typed.trim();
  const isNone = topic === '' || topic === '(no topic)' || topic === realm.emptyTopicDisplayName;
  return isNone ? '' : topicKey(cut(topic, server.maxTopicLength ?? longestTopic, topicEllipsis));
}

/** A draft's topic may be half typed, so it is only cut. */
export function truncatedDraftTopic(typed: string, {server}: Limits): string {
  return cut(typed, server.maxTopicLength ?? longestTopic, topicEllipsis);
}

/** Cuts after so many code points. */
function cut(text: string, length: number, ellipsis: string): string {
  // UTF-16 units are never fewer than code points.
  if (text.length <= length) return text;
  const points = Array.from(text);
  return points.length <= length ? text : points.slice(0, length - ellipsis.length).join('') + ellipsis;
}
