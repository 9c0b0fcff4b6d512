import {userName} from '#state/selectors/names/names.ts';
import {composed} from '#std/composed-text.ts';
import type {Frame} from '#ui/core/frame.ts';
import {dueText} from '#wording/moment-text.ts';
import {isSnoozed, type Snooze, type SnoozeUntil} from './snooze.ts';

/** Returns the snoozed conversations in the order of their return. */
export function snoozesByDueTime({account, screen, minute}: Frame): readonly Snooze[] {
  const {conversations} = account.unreads;
  return [...screen.inbox.snoozes.values()]
    .filter((entry) => conversations.has(entry.key) && isSnoozed(account, entry, minute))
    .sort((a, b) => dueAt(a) - dueAt(b));
}

function dueAt({until}: Snooze): number {
  return until.kind === 'time' ? until.at : Number.MAX_SAFE_INTEGER;
}

/** Returns when a conversation returns: `14:00`, `next message`, `when Maren writes`. */
export function returnWhenText(frame: Frame, {until}: Snooze): string {
  if (until.kind === 'time') return dueText(frame, until.at);
  if (until.kind === 'person') return composed`when ${userName(frame.account, until.userId)} writes`;
  return until.kind === 'message' ? 'next message' : 'at the end';
}

/** Returns `until 14:00`, `until the next message`, `until Maren writes`. */
export function untilText(frame: Frame, until: SnoozeUntil): string {
  if (until.kind === 'time') return `until ${dueText(frame, until.at)}`;
  if (until.kind === 'person') return composed`until ${userName(frame.account, until.userId)} writes`;
  return until.kind === 'message' ? 'until the next message' : 'until the rest is done';
}
