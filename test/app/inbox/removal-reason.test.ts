import {expect, test} from 'vitest';
import {topicConversation} from '#state/model/conversation.ts';
import {backend, triageFixture} from './triage-fixture.ts';

type Stage = ReturnType<typeof triageFixture>;

/** Somebody deletes these messages. */
function deleted({session, app}: Stage, ...message_ids: number[]): void {
  session.cache.apply({type: 'delete_message', id: 1, message_type: 'stream', message_ids});
  app.frames.paintNow();
}

function lost({session, app}: Stage, channelId: number): void {
  session.cache.apply({type: 'stream', id: 1, op: 'delete', stream_ids: [channelId]});
  app.frames.paintNow();
}

function archived({session, app}: Stage, stream_id: number): void {
  const change = {property: 'is_archived', value: true} as const;
  session.cache.apply({type: 'stream', id: 1, op: 'update', stream_id, name: '', ...change});
  app.frames.paintNow();
}

function closedToAll({session, app}: Stage, stream_id: number): void {
  const nobody = {direct_members: [], direct_subgroups: []};
  const change = {property: 'can_send_message_group', value: nobody} as const;
  session.cache.apply({type: 'stream', id: 1, op: 'update', stream_id, name: '', ...change});
  app.frames.paintNow();
}

const row = (stage: Stage) => stage.pane().find((line) => line.startsWith('▌')) ?? '';

test('a row whose messages were deleted under the cursor says so, and so does the key that comes too late', () => {
  const stage = triageFixture();
  stage.press('j', 'j');
  expect(stage.at()).toBe('#backend › logs');
  deleted(stage, 7);
  expect(row(stage)).toContain('logs deleted');
  stage.press('e');
  expect(stage.toast()).toBe('It was deleted: nothing of it is left to read.');
});

test('a row whose channel was lost says so, its preview invites nobody to write, and a reply is refused', () => {
  const stage = triageFixture();
  stage.load(topicConversation(backend, 'freeze'));
  lost(stage, backend);
  expect(row(stage)).toContain('freeze no longer yours');
  expect(stage.pane().join('\n')).not.toContain('r writes');
  expect(stage.pane().join('\n')).toContain('You no longer have access to this channel.');
  stage.press('r');
  expect(stage.app.screen.focus).toBe('main');
  expect(stage.toast()).toBe('There is no such channel, or you may not see it.');
});

test('what is no longer unread counts neither in the tabs nor in the title of its group', () => {
  const stage = triageFixture();
  stage.press('j');
  stage.readElsewhere(3);
  expect(stage.pane().some((line) => /DIRECT {2}0/.test(line))).toBe(true);
});

test('in an archived channel a reply is refused before anything is written', () => {
  const stage = triageFixture();
  archived(stage, backend);
  stage.press('r');
  expect(stage.app.screen.focus).toBe('main');
  expect(stage.toast()).toBe('#backend is archived: nobody can write there.');
});

test('where only others may write, a reply is refused before anything is written', () => {
  const stage = triageFixture();
  closedToAll(stage, backend);
  stage.press('r');
  expect(stage.app.screen.focus).toBe('main');
  expect(stage.toast()).toBe('You do not have permission to write in #backend.');
});

test('nothing unread at all is the end, whatever part of it one looks at', () => {
  const stage = triageFixture();
  stage.press('3');
  stage.readElsewhere(1, 2, 3, 4, 5, 6, 7, 8);
  stage.press('2');
  expect(stage.pane().join('\n')).toContain('Nothing unread, as far as is known here.');
});
