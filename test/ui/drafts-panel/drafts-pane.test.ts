import {expect, test} from 'vitest';
import {initialState} from '#state/initial-state.ts';
import {topicConversation} from '#state/model/conversation.ts';
import type {LocalDraft} from '#state/model/draft.ts';
import {topicNarrow} from '#state/model/narrow.ts';
import type {AccountState} from '#state/state.ts';
import {egFrame, textOf} from '#test/support/frame-fixture.ts';
import {listPane} from '#test/support/part-lines.ts';
import * as eg from '#test/support/state-builders.ts';
import {closedComposer} from '#ui/composer/composer-state.ts';
import {type DraftsTab, messagesView} from '#ui/core/frame.ts';
import {draftsList} from '#ui/drafts-panel/panel-rows.ts';
import {screenLayout} from '#ui/screen-layout.ts';

const now = Date.UTC(2026, 0, 1, 12);

function draft(id: string, fields: Partial<LocalDraft> = {}): LocalDraft {
  const target = topicConversation(1, id);
  return {id, serverId: undefined, target, content: id, editedAt: now, base: undefined, status: 'dirty', ...fields};
}

/** The first lines of the entries of a tab, without their ages. */
function entries(tab: DraftsTab, account: Partial<AccountState>, parts: Parameters<typeof egFrame>[0] = {}) {
  const frame = egFrame({
    account: eg.state({
      connection: {phase: 'online'},
      users: eg.users(eg.user(), eg.user({id: 11, fullName: 'Bo'}), eg.user({id: 12, fullName: 'Cy', isActive: false})),
      channels: eg.byId(eg.channel({id: 1, name: 'web'}), eg.channel({id: 2, name: 'old', isArchived: true})),
      ...account,
    }),
    view: {kind: 'drafts', tab},
    now,
    ...parts,
  });
  const lines = textOf(listPane(draftsList)(frame, screenLayout(frame).main)).slice(2);
  return lines.flatMap((line) => (/^..\S/.test(line) ? [line.slice(2).replaceAll(/ {2,}/g, ' | ')] : []));
}

test('drafts pane: each draft says whether the server has it, whether it is open, and where it cannot go any more', () => {
  const composer = {...closedComposer, isOpen: true, draftId: 'open'};
  const both = {kind: 'direct', userIds: [11, 12]} as const;
  const localDrafts = [
    draft('nowhere', {target: {kind: 'none', topic: ''}}),
    draft('somewhere', {target: {kind: 'none', topic: 'tea'}}),
    draft('archived', {target: topicConversation(2, 'x')}),
    draft('left', {target: both}),
    draft('open'),
    draft('new'),
    draft('changed', {serverId: 7}),
    draft('synced', {serverId: 8, status: 'clean'}),
    draft('deleted', {status: 'deleted'}),
  ];
  const settings = (isSynced: boolean) => ({...initialState.settings, enableDraftsSynchronization: isSynced});
  const shown = (isSynced: boolean) =>
    entries('drafts', {localDrafts, settings: settings(isSynced)}, {screen: {composer}}).toReversed();
  expect(shown(true)).toEqual([
    'No destination yet | Enter picks one | now',
    'No destination yet › tea | Enter picks one | now',
    '#old › x | no longer exists: Enter picks another | now',
    'Bo, Cy | no longer exists: Enter picks another | now',
    '#web › open | open in the composer | now',
    '#web › new | not synced yet | now',
    '#web › changed | not synced yet | now',
    '#web › synced | now',
  ]);
  expect(shown(false).slice(5, 7)).toEqual([
    '#web › new | only on this machine | now',
    '#web › changed | only on this machine | now',
  ]);
  const closed = entries(
    'drafts',
    {localDrafts, settings: settings(true)},
    {screen: {composer: {...composer, isOpen: false}}},
  );
  expect(closed).toContain('#web › open | not synced yet | now');
});

test('drafts pane: the draft of the conversation before comes first, if it is one of this account', () => {
  const localDrafts = [draft('here', {editedAt: now - 1000}), draft('later')];
  const titles = (account: string) => {
    const back = [{account, view: messagesView(topicNarrow(1, 'here'))}];
    return entries('drafts', {localDrafts}, {screen: {back}}).map((line) => line.split(' | ')[0]);
  };
  expect(titles('acme')).toEqual(['#web › here', '#web › later']);
  expect(titles('beta')).toEqual(['#web › later', '#web › here']);
});

test('drafts pane: scheduled messages and reminders are listed by time, and those that failed say so', () => {
  const due = (hours: number, failed: boolean) => ({scheduledDeliveryTimestamp: now / 1000 + 3600 * hours, failed});
  const message = (id: number, topic: string) => ({id, conversation: topicConversation(1, topic), content: topic});
  const scheduled = eg.byId({...message(1, 'late'), ...due(9, false)}, {...message(2, 'soon'), ...due(1, true)});
  expect(entries('scheduled', {scheduled})).toEqual([
    '#web › soon | delivery failed | today, 1:00 PM',
    '#web › late | today, 9:00 PM',
  ]);
  const reminder = (id: number) => ({id, content: '', note: 'look', reminderTargetMessageId: 5});
  const reminders = eg.byId({...reminder(1), ...due(9, true)}, {...reminder(2), ...due(1, false)});
  expect(entries('reminders', {reminders})).toEqual([
    'A message | today, 1:00 PM',
    'A message | delivery failed | today, 9:00 PM',
  ]);
});
