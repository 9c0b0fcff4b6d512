import {describe, expect, test} from 'vitest';
import type {Reply} from '#test/support/api-client.ts';
import {endpoints} from '#wire/endpoints.ts';
import {
  expectValid,
  type OperationsFixture,
  operationsFixture,
  responseFields,
  sendDirect,
  sendToChannel,
} from './operations-fixture.ts';

async function history(at: OperationsFixture, id: number, params: object = {}): Promise<Reply[]> {
  const reply = await at.as(at.meg).get(`/messages/${id}/history`, {...params});
  expect(responseFields(expectValid(endpoints.getMessageHistory, reply))).toEqual(['message_history']);
  return reply.message_history;
}

describe('10. get a message’s edit history', () => {
  test('a message that was never edited has one version', async () => {
    const at = await operationsFixture();
    const id = await sendToChannel(at.as(at.meg), at.general, 'lunch', 'Hello *you*');
    expect(await history(at, id)).toEqual([
      {
        topic: 'lunch',
        content: 'Hello *you*',
        rendered_content: '<p>Hello <em>you</em></p>',
        timestamp: at.clock.seconds(),
        user_id: at.meg.id,
      },
    ]);
  });

  test('versions are listed oldest first, with the new values and only the changed old ones', async () => {
    const at = await operationsFixture();
    const other = at.server.people.channel('other', [at.meg, at.owner]);
    const id = await sendToChannel(at.as(at.meg), at.general, 'one', 'first');
    const begun = at.clock.seconds();
    at.clock.advance(10_000);
    await at.as(at.meg).patch(`/messages/${id}`, {content: 'second'});
    at.clock.advance(10_000);
    await at.as(at.owner).patch(`/messages/${id}`, {topic: 'two'});
    at.clock.advance(10_000);
    await at.as(at.owner).patch(`/messages/${id}`, {stream_id: other});
    const shots = await history(at, id);
    expect(shots).toEqual([
      {
        topic: 'one',
        content: 'first',
        rendered_content: '<p>first</p>',
        timestamp: begun,
        user_id: at.meg.id,
      },
      {
        topic: 'one',
        content: 'second',
        rendered_content: '<p>second</p>',
        timestamp: begun + 10,
        user_id: at.meg.id,
        prev_content: 'first',
        prev_rendered_content: '<p>first</p>',
        content_html_diff: expect.stringContaining('<'),
      },
      {
        topic: 'two',
        content: 'second',
        rendered_content: '<p>second</p>',
        timestamp: begun + 20,
        user_id: at.owner.id,
        prev_topic: 'one',
      },
      {
        topic: 'two',
        content: 'second',
        rendered_content: '<p>second</p>',
        timestamp: begun + 30,
        user_id: at.owner.id,
        prev_stream: at.general,
        stream: other,
      },
    ]);
  });

  test('an edit of content and topic is one version', async () => {
    const at = await operationsFixture();
    const id = await sendToChannel(at.as(at.meg), at.general, 'one', 'first');
    await at.as(at.meg).patch(`/messages/${id}`, {content: 'second', topic: 'two'});
    const [, edit, ...more] = await history(at, id);
    expect(edit).toMatchObject({prev_content: 'first', prev_topic: 'one', content: 'second', topic: 'two'});
    expect(more).toEqual([]);
  });

  test('the empty topic has its display name unless allow_empty_topic_name is set', async () => {
    const at = await operationsFixture();
    const id = await sendToChannel(at.as(at.meg), at.general, '', 'first');
    await at.as(at.owner).patch(`/messages/${id}`, {topic: 'named'});
    const names = (shots: Reply[]) => [shots[0]?.topic, shots[1]?.prev_topic];
    expect(names(await history(at, id))).toEqual(['general chat', 'general chat']);
    expect(names(await history(at, id, {allow_empty_topic_name: false}))).toEqual([
      'general chat',
      'general chat',
    ]);
    expect(names(await history(at, id, {allow_empty_topic_name: true}))).toEqual(['', '']);
  });

  test('the topic of a direct message is empty', async () => {
    const at = await operationsFixture();
    const id = await sendDirect(at.as(at.meg), [at.otto.id]);
    expect(await history(at, id)).toMatchObject([{topic: '', content: 'Psst'}]);
  });

  test('an unknown message and one the requester may not read are BAD_REQUEST', async () => {
    const at = await operationsFixture();
    const secret = at.server.people.channel('secret', [at.otto], {invite_only: 1});
    const ids = [
      9999,
      await sendToChannel(at.as(at.otto), secret),
      await sendDirect(at.as(at.otto), [at.guest.id]),
    ];
    for (const id of ids) {
      await at.as(at.meg).refused('GET', `/messages/${id}/history`, {}, {code: 'BAD_REQUEST'});
    }
    await at.as(at.outsider).get(`/messages/${await sendToChannel(at.as(at.meg), at.general)}/history`);
  });

  test('the organization can hide content edits or the whole history', async () => {
    const at = await operationsFixture();
    const id = await sendToChannel(at.as(at.meg), at.general, 'one', 'first');
    await at.as(at.meg).patch(`/messages/${id}`, {content: 'second'});
    await at.as(at.meg).patch(`/messages/${id}`, {topic: 'two'});
    at.server.people.setting('message_edit_history_visibility_policy', 'moves');
    const shots = await history(at, id);
    expect(JSON.stringify(shots)).not.toContain('first');
    expect(shots).toMatchObject([{topic: 'one'}, {topic: 'two', prev_topic: 'one'}]);
    at.server.people.setting('message_edit_history_visibility_policy', 'none');
    await at.as(at.meg).refused('GET', `/messages/${id}/history`, {}, {code: 'BAD_REQUEST'});
  });

  test('unsupported parameters are listed', async () => {
    const at = await operationsFixture();
    const id = await sendToChannel(at.as(at.meg), at.general);
    const reply = await at.as(at.meg).get(`/messages/${id}/history`, {wibble: '1'});
    expect(reply.ignored_parameters_unsupported).toEqual(['wibble']);
  });
});
