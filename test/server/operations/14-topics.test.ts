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

async function getTopics(fixture: OperationsFixture, person: Person, channel: number, params: object = {}) {
  const reply = await fixture.as(person).get(`/users/me/${channel}/topics`, {...params});
  expect(responseFields(expectValid(endpoints.getTopics, reply))).toEqual(['topics']);
  return reply.topics;
}

describe('14. get topics in a channel', () => {
  test('lists each topic once, by its latest message, newest first', async () => {
    const fixture = await operationsFixture();
    await sendToChannel(fixture.as(fixture.meg), fixture.general, 'lunch');
    const tea = await sendToChannel(fixture.as(fixture.meg), fixture.general, 'tea');
    const lunch = await sendToChannel(fixture.as(fixture.meg), fixture.general, 'LUNCH');
    expect(await getTopics(fixture, fixture.otto, fixture.general)).toEqual([
      {name: 'LUNCH', max_id: lunch},
      {name: 'tea', max_id: tea},
    ]);
  });

  test('a channel without messages has no topics', async () => {
    const fixture = await operationsFixture();
    expect(await getTopics(fixture, fixture.otto, fixture.general)).toEqual([]);
  });

  test('the empty topic has its display name unless allow_empty_topic_name is set', async () => {
    const fixture = await operationsFixture();
    const id = await sendToChannel(fixture.as(fixture.meg), fixture.general, '');
    expect(await getTopics(fixture, fixture.otto, fixture.general)).toEqual([{name: 'general chat', max_id: id}]);
    const asIs = {allow_empty_topic_name: true};
    expect(await getTopics(fixture, fixture.otto, fixture.general, asIs)).toEqual([{name: '', max_id: id}]);
    fixture.server.people.setting('empty_topic_display_name', 'anything');
    const named = {allow_empty_topic_name: false};
    expect(await getTopics(fixture, fixture.otto, fixture.general, named)).toEqual([{name: 'anything', max_id: id}]);
  });

  test('a private channel with protected history lists only topics with messages since the subscription', async () => {
    const fixture = await operationsFixture();
    const secret = fixture.server.people.channel('secret', [fixture.meg], {
      invite_only: 1,
      history_public_to_subscribers: 0,
    });
    await sendToChannel(fixture.as(fixture.meg), secret, 'before');
    fixture.server.people.subscribe(fixture.otto, secret);
    const between = await sendToChannel(fixture.as(fixture.meg), secret, 'between');
    fixture.server.people.subscribe(fixture.bot, secret);
    const after = await sendToChannel(fixture.as(fixture.meg), secret, 'after');
    const names = async (person: Person) =>
      (await getTopics(fixture, person, secret)).map(({name}: {name: string}) => name);
    expect(await names(fixture.meg)).toEqual(['after', 'between', 'before']);
    expect(await getTopics(fixture, fixture.otto, secret)).toEqual([
      {name: 'after', max_id: after},
      {name: 'between', max_id: between},
    ]);
    expect(await names(fixture.bot)).toEqual(['after']);
  });

  test('a private channel with shared history lists all topics, also for later subscribers', async () => {
    const fixture = await operationsFixture();
    const secret = fixture.server.people.channel('secret', [fixture.meg], {invite_only: 1});
    await sendToChannel(fixture.as(fixture.meg), secret, 'before');
    fixture.server.people.subscribe(fixture.otto, secret);
    expect(await getTopics(fixture, fixture.otto, secret)).toHaveLength(1);
  });

  test('members can list topics of public and archived channels', async () => {
    const fixture = await operationsFixture();
    await sendToChannel(fixture.as(fixture.meg), fixture.general);
    expect(await getTopics(fixture, fixture.outsider, fixture.general)).toHaveLength(1);
    expect(await getTopics(fixture, fixture.bot, fixture.general)).toHaveLength(1);
    await fixture.as(fixture.owner).delete(`/streams/${fixture.general}`);
    expect((await getTopics(fixture, fixture.meg, fixture.general)).length).toBeGreaterThan(0);
  });

  test('an unknown or inaccessible channel is BAD_REQUEST', async () => {
    const fixture = await operationsFixture();
    const secret = fixture.server.people.channel('secret', [fixture.otto], {invite_only: 1});
    const other = fixture.server.people.channel('other', [fixture.otto]);
    const refuse = async (person: Person, channel: number) =>
      fixture.as(person).refused('GET', `/users/me/${channel}/topics`, {}, {code: 'BAD_REQUEST'});
    await refuse(fixture.meg, 9999);
    await refuse(fixture.meg, secret);
    await refuse(fixture.admin, secret);
    await refuse(fixture.guest, other);
  });

  test('unsupported parameters are listed', async () => {
    const fixture = await operationsFixture();
    const reply = await fixture.as(fixture.meg).get(`/users/me/${fixture.general}/topics`, {wibble: '1'});
    expect(reply.ignored_parameters_unsupported).toEqual(['wibble']);
  });
});
