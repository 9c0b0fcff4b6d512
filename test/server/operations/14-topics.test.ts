import {describe, expect, test} from 'vitest';
import type {Person} from '#test/support/people.ts';
import {endpoints} from '#wire/endpoints.ts';
import {
  expectValid,
  type OperationsFixture,
  operationsFixture,
  responseFields,
  sendToChannel,
} from './operations-fixture.ts';

async function topics(at: OperationsFixture, person: Person, channel: number, params: object = {}) {
  const reply = await at.as(person).get(`/users/me/${channel}/topics`, {...params});
  expect(responseFields(expectValid(endpoints.getTopics, reply))).toEqual(['topics']);
  return reply.topics;
}

describe('14. get topics in a channel', () => {
  test('lists each topic once, by its latest message, newest first', async () => {
    const at = await operationsFixture();
    await sendToChannel(at.as(at.meg), at.general, 'lunch');
    const tea = await sendToChannel(at.as(at.meg), at.general, 'tea');
    const lunch = await sendToChannel(at.as(at.meg), at.general, 'LUNCH');
    expect(await topics(at, at.otto, at.general)).toEqual([
      {name: 'LUNCH', max_id: lunch},
      {name: 'tea', max_id: tea},
    ]);
  });

  test('a channel without messages has no topics', async () => {
    const at = await operationsFixture();
    expect(await topics(at, at.otto, at.general)).toEqual([]);
  });

  test('the empty topic has its display name unless allow_empty_topic_name is set', async () => {
    const at = await operationsFixture();
    const id = await sendToChannel(at.as(at.meg), at.general, '');
    expect(await topics(at, at.otto, at.general)).toEqual([{name: 'general chat', max_id: id}]);
    const asIs = {allow_empty_topic_name: true};
    expect(await topics(at, at.otto, at.general, asIs)).toEqual([{name: '', max_id: id}]);
    at.server.people.setting('empty_topic_display_name', 'anything');
    const named = {allow_empty_topic_name: false};
    expect(await topics(at, at.otto, at.general, named)).toEqual([{name: 'anything', max_id: id}]);
  });

  test('a private channel with protected history lists only topics with messages since the subscription', async () => {
    const at = await operationsFixture();
    const secret = at.server.people.channel('secret', [at.meg], {
      invite_only: 1,
      history_public_to_subscribers: 0,
    });
    await sendToChannel(at.as(at.meg), secret, 'before');
    at.server.people.subscribe(at.otto, secret);
    const between = await sendToChannel(at.as(at.meg), secret, 'between');
    at.server.people.subscribe(at.bot, secret);
    const after = await sendToChannel(at.as(at.meg), secret, 'after');
    const names = async (person: Person) =>
      (await topics(at, person, secret)).map(({name}: {name: string}) => name);
    expect(await names(at.meg)).toEqual(['after', 'between', 'before']);
    expect(await topics(at, at.otto, secret)).toEqual([
      {name: 'after', max_id: after},
      {name: 'between', max_id: between},
    ]);
    expect(await names(at.bot)).toEqual(['after']);
  });

  test('a private channel with shared history lists all topics, also for later subscribers', async () => {
    const at = await operationsFixture();
    const secret = at.server.people.channel('secret', [at.meg], {invite_only: 1});
    await sendToChannel(at.as(at.meg), secret, 'before');
    at.server.people.subscribe(at.otto, secret);
    expect(await topics(at, at.otto, secret)).toHaveLength(1);
  });

  test('members can list topics of public and archived channels', async () => {
    const at = await operationsFixture();
    await sendToChannel(at.as(at.meg), at.general);
    expect(await topics(at, at.outsider, at.general)).toHaveLength(1);
    expect(await topics(at, at.bot, at.general)).toHaveLength(1);
    await at.as(at.owner).delete(`/streams/${at.general}`);
    expect((await topics(at, at.meg, at.general)).length).toBeGreaterThan(0);
  });

  test('an unknown or inaccessible channel is BAD_REQUEST', async () => {
    const at = await operationsFixture();
    const secret = at.server.people.channel('secret', [at.otto], {invite_only: 1});
    const other = at.server.people.channel('other', [at.otto]);
    const refuse = async (person: Person, channel: number) =>
      at.as(person).refused('GET', `/users/me/${channel}/topics`, {}, {code: 'BAD_REQUEST'});
    await refuse(at.meg, 9999);
    await refuse(at.meg, secret);
    await refuse(at.admin, secret);
    await refuse(at.guest, other);
  });

  test('unsupported parameters are listed', async () => {
    const at = await operationsFixture();
    const reply = await at.as(at.meg).get(`/users/me/${at.general}/topics`, {wibble: '1'});
    expect(reply.ignored_parameters_unsupported).toEqual(['wibble']);
  });
});
