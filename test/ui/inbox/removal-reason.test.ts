import {expect, test} from 'vitest';
import {topicConversation} from '#state/model/conversation.ts';
import {backend, triageFixture} from '#test/app/inbox/triage-fixture.ts';

type Fixture = ReturnType<typeof triageFixture>;

/** Deletes messages on the server. */
function deleteMessages({session, app}: Fixture, ...message_ids: number[]): void {
  session.cache.apply({type: 'delete_message', id: 1, message_type: 'stream', message_ids});
  app.frames.paintNow();
}

function removeChannel({session, app}: Fixture, channelId: number): void {
  session.cache.apply({type: 'stream', id: 1, op: 'delete', stream_ids: [channelId]});
  app.frames.paintNow();
}

function archiveChannel({session, app}: Fixture, stream_id: number): void {
  const change = {property: 'is_archived', value: true} as const;
  session.cache.apply({type: 'stream', id: 1, op: 'update', stream_id, name: '', ...change});
  app.frames.paintNow();
}

function forbidSending({session, app}: Fixture, stream_id: number): void {
  const nobody = {direct_members: [], direct_subgroups: []};
  const change = {property: 'can_send_message_group', value: nobody} as const;
  session.cache.apply({type: 'stream', id: 1, op: 'update', stream_id, name: '', ...change});
  app.frames.paintNow();
}

const cursorLine = (fixture: Fixture) => fixture.pane().find((line) => line.startsWith('▌')) ?? '';

test('removal reason: a row whose messages were deleted under the cursor says so, and so does a late key', () => {
  const fixture = triageFixture();
  fixture.press('j', 'j');
  expect(fixture.at()).toBe('#backend › logs');
  deleteMessages(fixture, 7);
  expect(cursorLine(fixture)).toContain('logs deleted');
  fixture.press('e');
  expect(fixture.toast()).toBe('The unread messages were deleted.');
});

test('removal reason: a row whose channel was lost says so, its preview offers no composer, and a reply is refused', () => {
  const fixture = triageFixture();
  fixture.load(topicConversation(backend, 'freeze'));
  removeChannel(fixture, backend);
  expect(cursorLine(fixture)).toContain('freeze no access');
  expect(fixture.pane().join('\n')).not.toContain('r writes');
  expect(fixture.pane().join('\n')).toContain('You no longer have access to #backend.');
  fixture.press('r');
  expect(fixture.app.screen.focus).toBe('main');
  expect(fixture.toast()).toBe('You no longer have access to #backend.');
});

test('removal reason: a row that is no longer unread counts neither in the tabs nor in its group', () => {
  const fixture = triageFixture();
  fixture.press('j');
  fixture.readElsewhere(3);
  expect(fixture.pane().some((line) => /DIRECT {2}0/.test(line))).toBe(true);
});

test('removal reason: a reply in an archived channel is refused before the composer opens', () => {
  const fixture = triageFixture();
  archiveChannel(fixture, backend);
  fixture.press('r');
  expect(fixture.app.screen.focus).toBe('main');
  expect(fixture.toast()).toBe('#backend is archived: you cannot post there.');
});

test('removal reason: a reply where the user may not send is refused before the composer opens', () => {
  const fixture = triageFixture();
  forbidSending(fixture, backend);
  fixture.press('r');
  expect(fixture.app.screen.focus).toBe('main');
  expect(fixture.toast()).toBe('You do not have permission to write in #backend.');
});

test('removal reason: with nothing unread the inbox is empty in every tab', () => {
  const fixture = triageFixture();
  fixture.press('3');
  fixture.readElsewhere(1, 2, 3, 4, 5, 6, 7, 8);
  fixture.press('2');
  expect(fixture.pane().join('\n')).toContain('Nothing unread.');
});
