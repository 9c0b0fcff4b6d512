import {topicKey} from '#state/model/conversation.ts';
import type {AccountState} from '#state/state.ts';

/** Whitespace of both Python and JavaScript, since servers are written in either. */
const trailingSpace = /[\s\u001c-\u001f\u0085\ufeff]+$/u;
const leadingSpace = /^[\s\u001c-\u001f\u0085\ufeff]+/u;
const contentEllipsis = '\n[message truncated]';
const topicEllipsis = '...';
/** The limits of servers that name none. */
const defaultMaxContent = 10_000;
const defaultMaxTopic = 60;

type Limits = Pick<AccountState, 'server' | 'realm'>;

/** Returns a message as servers store it: trimmed, and truncated when too long. Equal results mean the same message. */
export function normalizedContent(text: string, {server}: Limits): string {
  return truncate(
    text.replace(trailingSpace, '').replace(/^\n+/, ''),
    server.maxMessageLength ?? defaultMaxContent,
    contentEllipsis,
  );
}

/** Returns a draft as servers store it: unlike messages, drafts lose leading blanks too. */
export function normalizedDraftContent(text: string, limits: Limits): string {
  return normalizedContent(text.replace(leadingSpace, ''), limits);
}

/** Returns whether a server would store nothing of the text. */
export function isBlank(text: string): boolean {
  return text.replace(trailingSpace, '') === '';
}

/** Returns a key that is equal for equal topics as servers store them: all spellings of "no topic" are one. */
export function normalizedTopicKey(text: string, {server, realm}: Limits): string {
  const topic = text.trim();
  const isNone = topic === '' || topic === '(no topic)' || topic === realm.emptyTopicDisplayName;
  return isNone ? '' : topicKey(truncate(topic, server.maxTopicLength ?? defaultMaxTopic, topicEllipsis));
}

/** Returns a topic as servers cut it. It may be half typed, so it is not trimmed. */
export function truncatedTopic(text: string, {server}: Pick<Limits, 'server'>): string {
  return truncate(text, server.maxTopicLength ?? defaultMaxTopic, topicEllipsis);
}

/** Truncates after `length` code points. */
function truncate(text: string, length: number, ellipsis: string): string {
  // A string never has fewer UTF-16 units than code points.
  if (text.length <= length) return text;
  const points = Array.from(text);
  return points.length <= length ? text : points.slice(0, length - ellipsis.length).join('') + ellipsis;
}
