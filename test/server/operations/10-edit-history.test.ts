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

async function getHistory(fixture: OperationsFixture, id: number, params: object = {}): Promise<Reply[]> {
  const reply = await fixture.as(fixture.meg).get(`/messages/${id}/history`, {...params});
  expect(responseFields(expectValid(endpoints.getMessageHistory, reply))).toEqual(['message_history']);
  return reply.message_history;
}

describe('10. get a message’s edit history', () => {
  test('a message that was never edited has one version', async () => {
    const fixture = await operationsFixture();
    const id = await sendToChannel(fixture.as(fixture.meg), fixture.general, 'lunch', 'Hello *you*');
    expect(await getHistory(fixture, id)).toEqual([
      {
        topic: 'lunch',
        content: 'Hello *you*',
        rendered_content: '<p>Hello <em>you</em></p>',
        timestamp: fixture.clock.seconds(),
        user_id: fixture.meg.id,
      },
    ]);
  });

  test('versions are listed oldest first, with the new values and only the changed old ones', async () => {
    const fixture = await operationsFixture();
    const other = fixture.server.people.channel('other', [fixture.meg, fixture.owner]);
    const id = await sendToChannel(fixture.as(fixture.meg), fixture.general, 'one', 'first');
    const begun = fixture.clock.seconds();
    fixture.clock.advance(10_000);
    await fixture.as(fixture.meg).patch(`/messages/${id}`, {content: 'second'});
    fixture.clock.advance(10_000);
    await fixture.as(fixture.owner).patch(`/messages/${id}`, {topic: 'two'});
    fixture.clock.advance(10_000);
    await fixture.as(fixture.owner).patch(`/messages/${id}`, {stream_id: other});
    const shots = await getHistory(fixture, id);
    expect(shots).toEqual([
      {
        topic: 'one',
        content: 'first',
        rendered_content: '<p>first</p>',
        timestamp: begun,
        user_id: fixture.meg.id,
      },
      {
        topic: 'one',
        content: 'second',
        rendered_content: '<p>second</p>',
        timestamp: begun + 10,
        user_id: fixture.meg.id,
        prev_content: 'first',
        prev_rendered_content: '<p>first</p>',
        content_html_diff: expect.stringContaining('<'),
      },
      {
        topic: 'two',
        content: 'second',
        rendered_content: '<p>second</p>',
        timestamp: begun + 20,
        user_id: fixture.owner.id,
        prev_topic: 'one',
      },
      {
        topic: 'two',
        content: 'second',
        rendered_content: '<p>second</p>',
        timestamp: begun + 30,
        user_id: fixture.owner.id,
        prev_stream: fixture.general,
        stream: other,
      },
    ]);
  });

  test('an edit of content and topic is one version', async () => {
    const fixture = await operationsFixture();
    const id = await sendToChannel(fixture.as(fixture.meg), fixture.general, 'one', 'first');
    await fixture.as(fixture.meg).patch(`/messages/${id}`, {content: 'second', topic: 'two'});
    const [, edit, ...more] = await getHistory(fixture, id);
    expect(edit).toMatchObject({prev_content: 'first', prev_topic: 'one', content: 'second', topic: 'two'});
    expect(more).toEqual([]);
  });

  test('the empty topic has its display name unless allow_empty_topic_name is set', async () => {
    const fixture = await operationsFixture();
    const id = await sendToChannel(fixture.as(fixture.meg), fixture.general, '', 'first');
    await fixture.as(fixture.owner).patch(`/messages/${id}`, {topic: 'named'});
    const names = (shots: Reply[]) => [shots[0]?.topic, shots[1]?.prev_topic];
    expect(names(await getHistory(fixture, id))).toEqual(['general chat', 'general chat']);
    expect(names(await getHistory(fixture, id, {allow_empty_topic_name: false}))).toEqual([
      'general chat',
      'general chat',
    ]);
    expect(names(await getHistory(fixture, id, {allow_empty_topic_name: true}))).toEqual(['', '']);
  });

  test('the topic of a direct message is empty', async () => {
    const fixture = await operationsFixture();
    const id = await sendDirect(fixture.as(fixture.meg), [fixture.otto.id]);
    expect(await getHistory(fixture, id)).toMatchObject([{topic: '', content: 'Psst'}]);
  });

  test('an unknown message and one the requester may not read are BAD_REQUEST', async () => {
    const fixture = await operationsFixture();
    const secret = fixture.server.people.channel('secret', [fixture.otto], {invite_only: 1});
    const ids = [
      9999,
      await sendToChannel(fixture.as(fixture.otto), secret),
      await sendDirect(fixture.as(fixture.otto), [fixture.guest.id]),
    ];
    for (const id of ids) {
      await fixture.as(fixture.meg).refused('GET', `/messages/${id}/history`, {}, {code: 'BAD_REQUEST'});
    }
    await fixture
      .as(fixture.outsider)
      .get(`/messages/${await sendToChannel(fixture.as(fixture.meg), fixture.general)}/history`);
  });

  test('the organization can hide content edits or the whole history', async () => {
    const fixture = await operationsFixture();
    const id = await sendToChannel(fixture.as(fixture.meg), fixture.general, 'one', 'first');
    await fixture.as(fixture.meg).patch(`/messages/${id}`, {content: 'second'});
    await fixture.as(fixture.meg).patch(`/messages/${id}`, {topic: 'two'});
    fixture.server.people.setting('message_edit_history_visibility_policy', 'moves');
    const shots = await getHistory(fixture, id);
    expect(JSON.stringify(shots)).not.toContain('first');
    expect(shots).toMatchObject([{topic: 'one'}, {topic: 'two', prev_topic: 'one'}]);
    fixture.server.people.setting('message_edit_history_visibility_policy', 'none');
    await fixture.as(fixture.meg).refused('GET', `/messages/${id}/history`, {}, {code: 'BAD_REQUEST'});
  });

  test('unsupported parameters are listed', async () => {
    const fixture = await operationsFixture();
    const id = await sendToChannel(fixture.as(fixture.meg), fixture.general);
    const reply = await fixture.as(fixture.meg).get(`/messages/${id}/history`, {wibble: '1'});
    expect(reply.ignored_parameters_unsupported).toEqual(['wibble']);
  });
});
