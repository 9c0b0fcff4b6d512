import {describe, expect, test} from 'vitest';
import {type OperationsFixture, operationsFixture, sendToChannel} from './operations-fixture.ts';

describe('States and transitions', () => {
  async function policy(fixture: OperationsFixture) {
    return (await fixture.as(fixture.meg).get(`/streams/${fixture.general}`)).stream.topics_policy;
  }

  test('a channel becomes empty_topic_only only while all its messages are in the empty topic', async () => {
    const fixture = await operationsFixture();
    const change = {topics_policy: 'empty_topic_only'};
    const named = await sendToChannel(fixture.as(fixture.meg), fixture.general, 'named');
    await sendToChannel(fixture.as(fixture.meg), fixture.general, '');
    const body = await fixture
      .as(fixture.admin)
      .refused('PATCH', `/streams/${fixture.general}`, change, {code: 'BAD_REQUEST'});
    expect(body.msg).toMatch(/topic/);
    expect(await policy(fixture)).toBe('inherit');
    await fixture.as(fixture.admin).delete(`/messages/${named}`);
    await fixture.as(fixture.admin).patch(`/streams/${fixture.general}`, change);
    expect(await policy(fixture)).toBe('empty_topic_only');
  });

  test.each(['allow_empty_topic', 'disable_empty_topic', 'inherit'])(
    'a channel with messages can change to %s',
    async (topics_policy) => {
      const fixture = await operationsFixture();
      await sendToChannel(fixture.as(fixture.meg), fixture.general, 'named');
      await sendToChannel(fixture.as(fixture.meg), fixture.general, '');
      await fixture.as(fixture.admin).patch(`/streams/${fixture.general}`, {topics_policy});
      expect(await policy(fixture)).toBe(topics_policy);
    },
  );

  test('an account can be deactivated and reactivated', async () => {
    const fixture = await operationsFixture();
    const active = async () => (await fixture.as(fixture.meg).get(`/users/${fixture.otto.id}`)).user.is_active;
    await fixture.as(fixture.admin).delete(`/users/${fixture.otto.id}`);
    expect(await active()).toBe(false);
    await fixture.as(fixture.admin).post(`/users/${fixture.otto.id}/reactivate`);
    expect(await active()).toBe(true);
  });

  test.each(['read', 'starred'])('flag %s is added and removed by op', async (flag) => {
    const fixture = await operationsFixture();
    const id = await sendToChannel(fixture.as(fixture.otto), fixture.general);
    const flags = async () => (await fixture.as(fixture.meg).get(`/messages/${id}`)).message.flags;
    const params = {anchor: id, num_before: 0, num_after: 0, narrow: [], flag};
    await fixture.as(fixture.meg).post('/messages/flags/narrow', {...params, op: 'add'});
    expect(await flags()).toContain(flag);
    await fixture.as(fixture.meg).post('/messages/flags/narrow', {...params, op: 'remove'});
    expect(await flags()).not.toContain(flag);
  });
});

describe('Errors', () => {
  test('have a message, a code and only the extra fields of that code', async () => {
    const fixture = await operationsFixture();
    const message = {type: 'channel', topic: 'a', content: 'b'};
    const cases: [string, string, object, string, string[]][] = [
      ['DELETE', '/messages/9999', {}, 'BAD_REQUEST', []],
      ['POST', '/messages', {...message, to: 'nowhere'}, 'STREAM_DOES_NOT_EXIST', ['stream']],
      ['POST', '/messages', {...message, to: 9999}, 'STREAM_DOES_NOT_EXIST', ['stream_id']],
      ['DELETE', '/events', {queue_id: 'x'}, 'BAD_EVENT_QUEUE_ID', ['queue_id']],
      ['DELETE', '/events', {}, 'REQUEST_VARIABLE_MISSING', ['var_name']],
      ['POST', '/realm/domains', {domain: 'a.example', allow_subdomains: true}, 'UNAUTHORIZED_PRINCIPAL', []],
    ];
    for (const [method, path, params, code, extra] of cases) {
      const {status, body} = await fixture.as(fixture.meg).raw(method, path, {...params});
      expect([status, body.result, body.code], code).toEqual([400, 'error', code]);
      expect(body.msg).toMatch(/\w/);
      expect(Object.keys(body).sort(), code).toEqual(['code', 'msg', 'result', ...extra].sort());
    }
  });

  test('ids that are too large are refused, never a server error', async () => {
    const fixture = await operationsFixture();
    const huge = '9'.repeat(30);
    const calls: [string, string, object?][] = [
      ['GET', `/messages/${huge}/history`],
      ['DELETE', `/messages/${huge}`],
      ['DELETE', `/messages/${huge}/reactions`, {emoji_name: 'tada'}],
      ['PATCH', `/users/${huge}`, {full_name: 'X'}],
      ['GET', `/users/me/${huge}/topics`],
      ['PATCH', `/users/me/subscriptions/${huge}`, {property: 'pin_to_top', value: true}],
      ['PATCH', `/realm/filters/${huge}`, {pattern: 'a', url_template: 'https://a.example'}],
      ['PATCH', `/drafts/${huge}`, {draft: {type: '', to: [], topic: '', content: 'x'}}],
      ['POST', '/messages', {type: 'channel', to: huge, topic: 'a', content: 'b'}],
      ['POST', '/messages', {type: 'direct', to: `[${huge}]`, content: 'b'}],
      ['POST', '/users/me/subscriptions', {subscriptions: [{name: 'a'}], principals: `[${huge}]`}],
    ];
    for (const [method, path, params] of calls) {
      const {status, body} = await fixture.as(fixture.owner).raw(method, path, {...params});
      expect([400, 404], path).toContain(status);
      expect(body.result).toBe('error');
    }
  });
});

describe('Limits', () => {
  test('a draft’s timestamp is in whole seconds', async () => {
    const fixture = await operationsFixture();
    const draft = {type: '', to: [], topic: '', content: 'x', timestamp: 1_700_000_000.75};
    const {ids} = await fixture.as(fixture.meg).post('/drafts', {drafts: [draft]});
    await fixture.as(fixture.meg).patch(`/drafts/${ids[0]}`, {draft});
    const {drafts} = await fixture.as(fixture.meg).get('/drafts');
    expect(Number.isInteger(drafts[0].timestamp)).toBe(true);
  });

  test('one flag request changes at most five thousand messages', async () => {
    const fixture = await operationsFixture();
    fixture.server.context.db.exec(`
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5100)
      INSERT INTO message (sender_id, channel_id, topic, topic_key, content, sent_at, client)
      SELECT ${fixture.otto.id}, ${fixture.general}, 'bulk', 'bulk', 'x', 0, 'Test' FROM n`);
    const params = {anchor: 'oldest', num_before: 0, num_after: 6000, narrow: [], op: 'add', flag: 'starred'};
    const reply = await fixture.as(fixture.meg).post('/messages/flags/narrow', params);
    expect(reply).toMatchObject({found_oldest: true, found_newest: false});
    expect(reply.processed_count).toBeLessThanOrEqual(5001);
    expect(reply.processed_count).toBeGreaterThanOrEqual(5000);
  });
});
