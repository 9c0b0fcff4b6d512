import {expect, test} from 'vitest';
import {openNarrow} from '#app/navigation/navigation.ts';
import {channelNarrow} from '#state/model/narrow.ts';
import {messageFixture, untilApp} from '#test/app/message-actions/message-fixture.ts';
import {waitForState} from '#test/state/session-fixture.ts';
import {egRect, textOf} from '#test/support/frame-fixture.ts';
import {statusLines} from '#test/support/part-lines.ts';
import {emptyTimelineText} from '#ui/message-pane/lines/edge-lines.ts';
import {selectedMessage} from '#ui/message-pane/selected-message.ts';

/** Meg in the view of her channel, where only administrators may do what the setting names. */
async function restricted(setting: string, name: 'canSendMessageGroup' | 'canCreateTopicGroup') {
  const parts = await messageFixture();
  const {fixture, session, app} = parts;
  const {server, channelId} = fixture;
  const admins = [...session.cache.state.groups.values()].find(({name}) => name === 'role:administrators')?.id;
  const owner = server.as(server.people.owner());
  await owner.patch(`/streams/${channelId}`, {[setting]: {new: admins}});
  await waitForState(session, ({channels}) => channels.get(channelId)?.[name] === admins);
  openNarrow(app, channelNarrow(channelId));
  await untilApp(app, () => app.screen.view.kind === 'messages');
  return {...parts, owner};
}

test.each([
  ['can_send_message_group', 'canSendMessageGroup', 'You do not have permission to write in #general.'],
  [
    'can_create_topic_group',
    'canCreateTopicGroup',
    'You can post in existing topics of #general, but not start new ones.',
  ],
] as const)('new topic: where %s refuses, c says why and opens no composer', async (setting, name, reason) => {
  const {app, press, type} = await restricted(setting, name);
  press('c');
  expect(app.screen.toast?.text).toBe(reason);
  expect(app.screen.composer.isOpen).toBe(false);
  type('hello');
  expect(app.screen.composer.field.text).toBe('');
});

test('empty channel: where nobody but administrators may write, the view says so instead of naming a key', async () => {
  const {app, fixture} = await restricted('can_send_message_group', 'canSendMessageGroup');
  expect(emptyTimelineText(app.frame, channelNarrow(fixture.channelId)).keys).toEqual([
    'You do not have permission to write in #general.',
  ]);
});

test('reply: where nobody but administrators may write, r is not hinted, and says why', async () => {
  const {app, press, fixture, owner} = await restricted('can_send_message_group', 'canSendMessageGroup');
  await owner.post('/messages', {
    type: 'stream',
    to: fixture.channelId,
    topic: 'news',
    content: 'Released.',
  });
  await untilApp(app, () => selectedMessage(app)?.content === 'Released.');
  expect(textOf(statusLines(app.frame, egRect('120x1'))).join()).not.toContain('reply');
  press('r');
  expect(app.screen.toast?.text).toBe('You do not have permission to write in #general.');
});
