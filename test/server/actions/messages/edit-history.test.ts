import {expect, test} from 'vitest';
import {SystemGroup} from '#server/organization/permission-rules.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import {messagesFixture, sendToChannel} from './messages-fixture.ts';

test('edit history: a message that was never edited has one version', async () => {
  const {asMeg, meg, general} = await messagesFixture();
  const id = await sendToChannel(asMeg, general);
  const {message_history} = await asMeg.get(`/messages/${id}/history`);
  expect(message_history).toEqual([
    {
      topic: 'lunch',
      content: 'Hello',
      rendered_content: '<p>Hello</p>',
      timestamp: expect.any(Number),
      user_id: meg.id,
    },
  ]);
});

test('edit history: versions are listed oldest first, each with only the fields that its edit changed', async () => {
  const clock = new ManualClock();
  const {server, asMeg, asOtto, meg, otto, general} = await messagesFixture({clock});
  const other = server.people.channel('other', [meg, otto]);
  const start = clock.seconds();
  const id = await sendToChannel(asMeg, general, 'One');
  clock.advance(1000);
  await asMeg.patch(`/messages/${id}`, {content: 'Two'});
  clock.advance(1000);
  await asOtto.patch(`/messages/${id}`, {topic: ''});
  clock.advance(1000);
  await asMeg.patch(`/messages/${id}`, {content: 'Three', topic: 'tea'});
  clock.advance(1000);
  await asOtto.patch(`/messages/${id}`, {stream_id: other});
  const {message_history} = await asMeg.get(`/messages/${id}/history`);
  const diff = expect.any(String);
  const html = (text: string) => `<p>${text}</p>`;
  expect(message_history).toEqual([
    {topic: 'lunch', content: 'One', rendered_content: html('One'), timestamp: start, user_id: meg.id},
    {
      topic: 'lunch',
      content: 'Two',
      rendered_content: html('Two'),
      timestamp: start + 1,
      user_id: meg.id,
      prev_content: 'One',
      prev_rendered_content: html('One'),
      content_html_diff: diff,
    },
    {
      topic: 'general chat',
      content: 'Two',
      rendered_content: html('Two'),
      timestamp: start + 2,
      user_id: otto.id,
      prev_topic: 'lunch',
    },
    {
      topic: 'tea',
      content: 'Three',
      rendered_content: html('Three'),
      timestamp: start + 3,
      user_id: meg.id,
      prev_topic: 'general chat',
      prev_content: 'Two',
      prev_rendered_content: html('Two'),
      content_html_diff: diff,
    },
    {
      topic: 'tea',
      content: 'Three',
      rendered_content: html('Three'),
      timestamp: start + 4,
      user_id: otto.id,
      prev_stream: general,
      stream: other,
    },
  ]);
  const raw = await asMeg.get(`/messages/${id}/history`, {allow_empty_topic_name: true});
  expect(raw.message_history[2].topic).toBe('');
  expect(raw.message_history[3].prev_topic).toBe('');
});

test('edit history: the organization can limit the history to moves or disable it', async () => {
  const {server, asMeg, meg, general} = await messagesFixture();
  const id = await sendToChannel(asMeg, general, 'One');
  await asMeg.patch(`/messages/${id}`, {content: 'Two'});
  await asMeg.patch(`/messages/${id}`, {content: 'Three', topic: 'tea'});
  const desk = server.people.channel('desk', [meg]);
  await asMeg.patch(`/messages/${id}`, {stream_id: desk});
  server.people.setting('message_edit_history_visibility_policy', 'moves');
  const {message_history} = await asMeg.get(`/messages/${id}/history`);
  expect(message_history).toHaveLength(3);
  expect(message_history[2]).toMatchObject({prev_stream: general, stream: desk});
  expect(message_history[0]).toMatchObject({topic: 'lunch', content: 'Three'});
  expect(message_history[1]).toMatchObject({topic: 'tea', content: 'Three', prev_topic: 'lunch'});
  expect(message_history[1]).not.toHaveProperty('prev_content');
  expect(message_history[1]).not.toHaveProperty('content_html_diff');
  server.people.setting('message_edit_history_visibility_policy', 'none');
  for (const any of [id, 99_999]) {
    const {msg} = await asMeg.refused('GET', `/messages/${any}/history`, {}, {code: 'BAD_REQUEST'});
    expect(msg).toBe('Message edit history is disabled in this organization');
  }
});

test('edit history: unknown and unreadable messages are refused', async () => {
  const {server, asMeg, asNina, meg} = await messagesFixture();
  const secret = server.people.channel('secret', [meg], {invite_only: 1});
  const id = await sendToChannel(asMeg, secret);
  await asNina.refused('GET', `/messages/${id}/history`, {}, {code: 'BAD_REQUEST'});
  await asNina.refused('GET', '/messages/99999/history', {}, {code: 'BAD_REQUEST'});
});

test('edit history: the topics of a message in a hidden channel are left out, also those it had there in between', async () => {
  const {server, asMeg, meg, general, asNina} = await messagesFixture();
  server.people.setting('can_move_messages_between_channels_group', SystemGroup.members);
  const hidden = server.people.channel('hidden', [meg], {invite_only: 1});
  const id = await sendToChannel(asMeg, hidden, 'Soup', 'xfirst');
  await asMeg.patch(`/messages/${id}`, {topic: 'xsecond'});
  await asMeg.patch(`/messages/${id}`, {content: 'Soups'});
  await asMeg.patch(`/messages/${id}`, {stream_id: general, topic: 'open', send_notification_to_new_thread: false});
  await asMeg.patch(`/messages/${id}`, {topic: 'wide', send_notification_to_new_thread: false});
  const topicsSeen = async (client: typeof asMeg) => {
    const replies = [await client.get(`/messages/${id}/history`), await client.get(`/messages/${id}`)];
    return replies.map((reply) =>
      ['xfirst', 'xsecond', 'open'].filter((topic) => JSON.stringify(reply).includes(topic)),
    );
  };
  expect(await topicsSeen(asMeg)).toEqual([
    ['xfirst', 'xsecond', 'open'],
    ['xfirst', 'xsecond', 'open'],
  ]);
  expect(await topicsSeen(asNina)).toEqual([['open'], ['open']]);
});

test('edit history: limited to moves, the text before an edit is in no form of it, also as saved HTML', async () => {
  const {server, asMeg, general} = await messagesFixture();
  const id = await sendToChannel(asMeg, general, 'Secret');
  await asMeg.patch(`/messages/${id}`, {content: 'Three', topic: 'tea'});
  // As an import saves it.
  const html = `json_set(edit_history, '$[0].prev_rendered_content', '<p>Secret</p>')`;
  server.context.db.run(`UPDATE message SET edit_history = ${html} WHERE id = ?`, id);
  const texts = async () =>
    JSON.stringify([await asMeg.get(`/messages/${id}`), await asMeg.get(`/messages/${id}/history`)]);
  expect(await texts()).toContain('Secret');
  server.people.setting('message_edit_history_visibility_policy', 'moves');
  expect(await texts()).not.toContain('Secret');
});
