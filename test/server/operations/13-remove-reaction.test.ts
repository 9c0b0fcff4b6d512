import {describe, expect, test} from 'vitest';
import {endpoints} from '#wire/endpoints.ts';
import {
  envelopeOnly,
  eventsOf,
  expectValid,
  type OperationsFixture,
  operationsFixture,
  sendDirect,
  sendToChannel,
  withoutEventId,
} from './operations-fixture.ts';

const tada = {emoji_name: 'tada', emoji_code: '1f389', reaction_type: 'unicode_emoji'};

async function addReaction(fixture: OperationsFixture, params: object = tada): Promise<string> {
  const path = `/messages/${await sendToChannel(fixture.as(fixture.otto), fixture.general)}/reactions`;
  await fixture.as(fixture.meg).post(path, {...params});
  return path;
}

async function getReactions(fixture: OperationsFixture, path: string) {
  const {message} = await fixture.as(fixture.meg).get(path.replace('/reactions', ''));
  return message.reactions;
}

const png = new Uint8Array(Buffer.from('\x89PNG\r\n\x1a\n and so on', 'latin1'));

/** Creates a custom emoji and returns its id. */
async function createEmoji(fixture: OperationsFixture, name: string): Promise<string | undefined> {
  expect((await fixture.as(fixture.owner).upload(`/realm/emoji/${name}`, `${name}.png`, png)).status).toBe(200);
  return Object.keys((await fixture.as(fixture.owner).get('/realm/emoji')).emoji)[0];
}

describe('13. remove an emoji reaction', () => {
  test.each([
    {emoji_name: 'tada'},
    {emoji_code: '1f389'},
    {emoji_name: 'tada', emoji_code: '1f389'},
    {emoji_name: 'tada', reaction_type: 'unicode_emoji'},
    {emoji_code: '1f389', reaction_type: 'unicode_emoji'},
    tada,
  ])('removes the reaction by %j', async (params) => {
    const fixture = await operationsFixture();
    const path = await addReaction(fixture);
    const reply = await fixture.as(fixture.meg).delete(path, params);
    expect(expectValid(endpoints.removeReaction, reply)).toEqual(envelopeOnly);
    expect(await getReactions(fixture, path)).toEqual([]);
  });

  test('a custom emoji needs no reaction_type', async () => {
    const fixture = await operationsFixture();
    const emoji_code = await createEmoji(fixture, 'parrot');
    for (const params of [
      {emoji_name: 'parrot'},
      {emoji_name: 'parrot', emoji_code},
      {emoji_code, reaction_type: 'realm_emoji'},
    ]) {
      const path = await addReaction(fixture, {emoji_name: 'parrot'});
      expect(await getReactions(fixture, path)).toMatchObject([{reaction_type: 'realm_emoji', emoji_code}]);
      await fixture.as(fixture.meg).delete(path, params);
      expect(await getReactions(fixture, path)).toEqual([]);
    }
  });

  test.each(['extra_emoji', 'zulip_extra_emoji'])('the extra emoji accepts reaction_type %s', async (reaction_type) => {
    const fixture = await operationsFixture();
    const path = await addReaction(fixture, {emoji_name: 'zulip'});
    await fixture.as(fixture.meg).delete(path, {emoji_name: 'zulip', emoji_code: 'zulip', reaction_type});
    expect(await getReactions(fixture, path)).toEqual([]);
  });

  test('removes only the requester’s own reaction', async () => {
    const fixture = await operationsFixture();
    const path = await addReaction(fixture);
    await fixture.as(fixture.otto).post(path, tada);
    await fixture.as(fixture.meg).delete(path, tada);
    expect(await getReactions(fixture, path)).toMatchObject([{user_id: fixture.otto.id}]);
    await fixture.as(fixture.owner).refused('DELETE', path, tada, {code: 'REACTION_DOES_NOT_EXIST'});
  });

  test('a missing reaction is REACTION_DOES_NOT_EXIST', async () => {
    const fixture = await operationsFixture();
    const path = await addReaction(fixture);
    const refusal = {code: 'REACTION_DOES_NOT_EXIST'};
    await fixture.as(fixture.meg).refused('DELETE', path, {emoji_name: 'heart'}, refusal);
    await fixture.as(fixture.meg).delete(path, tada);
    await fixture.as(fixture.meg).refused('DELETE', path, tada, refusal);
  });

  test('an unknown name is BAD_REQUEST, an unknown code no reaction', async () => {
    const fixture = await operationsFixture();
    const path = await addReaction(fixture);
    const bad: [object, string][] = [
      [{emoji_code: 'ffff-ffff'}, 'REACTION_DOES_NOT_EXIST'],
      [{emoji_name: 'no_such_emoji'}, 'BAD_REQUEST'],
      [{emoji_code: '999', reaction_type: 'realm_emoji'}, 'REACTION_DOES_NOT_EXIST'],
      [{emoji_code: 'x', reaction_type: 'extra_emoji'}, 'REACTION_DOES_NOT_EXIST'],
      [{emoji_name: 'tada', reaction_type: 'sticker'}, 'REACTION_DOES_NOT_EXIST'],
      [{}, 'BAD_REQUEST'],
      [{reaction_type: 'unicode_emoji'}, 'BAD_REQUEST'],
    ];
    for (const [params, code] of bad) await fixture.as(fixture.meg).refused('DELETE', path, {...params}, {code});
    expect(await getReactions(fixture, path)).toHaveLength(1);
  });

  test('an unknown message, and one that cannot be read, is BAD_REQUEST', async () => {
    const fixture = await operationsFixture();
    const hidden = await sendDirect(fixture.as(fixture.otto), [fixture.guest.id]);
    for (const id of [9999, hidden]) {
      await fixture.as(fixture.meg).refused('DELETE', `/messages/${id}/reactions`, tada, {code: 'BAD_REQUEST'});
    }
  });

  test('only readers of the message get the event', async () => {
    const fixture = await operationsFixture();
    const id = await sendDirect(fixture.as(fixture.otto), [fixture.meg.id]);
    const path = `/messages/${id}/reactions`;
    await fixture.as(fixture.meg).post(path, tada);
    const [mine, ottos, guests] = [
      await fixture.as(fixture.meg).listen(),
      await fixture.as(fixture.otto).listen(),
      await fixture.as(fixture.guest).listen(),
    ];
    const reply = await fixture.as(fixture.meg).delete(path, {...tada, wibble: '1'});
    expect(reply.ignored_parameters_unsupported).toEqual(['wibble']);
    const event = {type: 'reaction', op: 'remove', message_id: id, user_id: fixture.meg.id, ...tada};
    for (const listener of [mine, ottos]) {
      expect((await eventsOf(listener, 'reaction')).map(withoutEventId)).toEqual([event]);
    }
    expect(await guests.events()).toEqual([]);
  });

  test('parameters can be in the query', async () => {
    const fixture = await operationsFixture();
    const path = await addReaction(fixture);
    await fixture.as(fixture.meg).delete(`${path}?emoji_name=tada`);
    expect(await getReactions(fixture, path)).toEqual([]);
  });
});
