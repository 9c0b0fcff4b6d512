import {initialState} from '#state/initial-state.ts';
import {withMessages} from '#state/messages/loaded-messages.ts';
import {directKey, topicConversation, topicKey} from '#state/model/conversation.ts';
import type {AccountState} from '#state/state.ts';
import {SortedMap, SortedSet} from '#std/sorted-map.ts';
import * as eg from '#test/support/state-builders.ts';
import {completionAt} from '#ui/completion-menu/completion-at.ts';
import type {Completion, CompletionContext} from '#ui/search/completion.ts';

/** 2026-05-12 10:00 UTC, a Tuesday. */
export const nowMs = Date.UTC(2026, 4, 12, 10);

/** The conversation of most examples: channel 1, topic `launch`. */
export const here = topicConversation(1, 'launch');

const [self, ann, anna, bo, twin, otherTwin, gone, robot, muted] = [10, 11, 12, 13, 14, 15, 16, 17, 18];

export const ids = {self, ann, anna, bo, twin, otherTwin, gone, robot, muted} as const;

function topics(...names: readonly string[]) {
  return {
    byKey: SortedMap.from(names.map((name, index) => [topicKey(name), {name, maxId: 100 + index}] as const)),
    complete: true,
  };
}

/** An organization with similar names, odd channel names and a few messages. */
export function completionState(slices: Partial<AccountState> = {}): AccountState {
  return eg.state({
    users: eg.users(
      eg.user({fullName: 'Me Myself'}),
      eg.user({id: ann, fullName: 'Ann Lee'}),
      eg.user({id: anna, fullName: 'Anna Bell'}),
      eg.user({id: bo, fullName: 'Bo Andersson'}),
      eg.user({id: twin, fullName: 'Sam Twin'}),
      eg.user({id: otherTwin, fullName: 'Sam Twin'}),
      eg.user({id: gone, fullName: 'Andy Gone', isActive: false}),
      eg.user({id: robot, fullName: 'Andbot', isBot: true}),
      eg.user({id: muted, fullName: 'Anders Muted'}),
    ),
    mutedUsers: SortedMap.from([[muted, {id: muted, timestamp: 0}]]),
    groups: eg.byId(
      eg.group({id: 1, name: 'android team', description: 'phones'}),
      eg.group({id: 2, name: 'role:members', isSystemGroup: true}),
      eg.group({id: 3, name: 'and old', isDeactivated: true}),
    ),
    channels: eg.byId(
      eg.channel({id: 1, name: 'design', description: 'how it looks'}),
      eg.channel({id: 2, name: 'dev > tools'}),
      eg.channel({id: 3, name: 'secret plans', isPrivate: true}),
      eg.channel({id: 4, name: 'desserts'}),
      eg.channel({id: 5, name: 'demolished', isArchived: true}),
    ),
    subscriptions: eg.subscribed(eg.subscription({channelId: 1}), eg.subscription({channelId: 3})),
    subscribers: SortedMap.from([
      [1, {ids: SortedSet.from([self, bo, robot]), complete: true}],
      [3, {ids: SortedSet.from([self, bo]), complete: true}],
    ]),
    topics: SortedMap.from([
      [1, topics('logo', 'Lunch', 'launch', '✔ old logo')],
      [2, topics('linters')],
    ]),
    directs: SortedMap.from([[directKey([anna]), {userIds: [anna], maxId: 50}]]),
    messages: withMessages(initialState.messages, [
      eg.message({id: 90, channelId: 1, topic: 'launch', senderId: bo, content: 'the countdown begins'}),
      eg.direct({id: 50, userIds: [anna], senderId: anna, content: 'hello you'}),
    ]),
    maxMessageId: 110,
    ...slices,
  });
}

/** Returns the completions for a message with the cursor at the `|`. */
export function offered(
  written: string,
  context: Partial<CompletionContext> = {},
  state: AccountState = completionState(),
): Completion | undefined {
  const cursor = written.indexOf('|');
  const text = written.slice(0, cursor) + written.slice(cursor + 1);
  return completionAt(state, {
    text,
    cursor,
    conversation: here,
    field: 'message',
    nowMs,
    zone: 'UTC',
    ...context,
  });
}

export function labels(completion: Completion | undefined): readonly string[] {
  return completion?.options.map(({label}) => label) ?? [];
}

/** Returns the text after accepting the first option, or the named one; the cursor is a `|` again. */
export function accepted(written: string, label?: string, context: Partial<CompletionContext> = {}): string {
  const completion = offered(written, context);
  const option = completion?.options.find((one) => label === undefined || one.label === label);
  if (completion === undefined || option === undefined) return written;
  const text = written.replace('|', '');
  const {insert, caret = insert.length} = option;
  const inserted = `${insert.slice(0, caret)}|${insert.slice(caret)}`;
  return text.slice(0, completion.start) + inserted + text.slice(completion.end);
}
