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

async function reacted(at: OperationsFixture, params: object = tada): Promise<string> {
  const path = `/messages/${await sendToChannel(at.as(at.otto), at.general)}/reactions`;
  await at.as(at.meg).post(path, {...params});
  return path;
}

async function reactions(at: OperationsFixture, path: string) {
  const {message} = await at.as(at.meg).get(path.replace('/reactions', ''));
  return message.reactions;
}

const png = new Uint8Array(Buffer.from('\x89PNG\r\n\x1a\n and so on', 'latin1'));

/** A custom emoji, by its id. */
async function customEmoji(at: OperationsFixture, name: string): Promise<string | undefined> {
  expect((await at.as(at.owner).upload(`/realm/emoji/${name}`, `${name}.png`, png)).status).toBe(200);
  return Object.keys((await at.as(at.owner).get('/realm/emoji')).emoji)[0];
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
    const at = await operationsFixture();
    const path = await reacted(at);
    const reply = await at.as(at.meg).delete(path, params);
    expect(expectValid(endpoints.removeReaction, reply)).toEqual(envelopeOnly);
    expect(await reactions(at, path)).toEqual([]);
  });

  test('a custom emoji needs no reaction_type', async () => {
    const at = await operationsFixture();
    const emoji_code = await customEmoji(at, 'parrot');
    for (const params of [
      {emoji_name: 'parrot'},
      {emoji_name: 'parrot', emoji_code},
      {emoji_code, reaction_type: 'realm_emoji'},
    ]) {
      const path = await reacted(at, {emoji_name: 'parrot'});
      expect(await reactions(at, path)).toMatchObject([{reaction_type: 'realm_emoji', emoji_code}]);
      await at.as(at.meg).delete(path, params);
      expect(await reactions(at, path)).toEqual([]);
    }
  });

  test.each(['extra_emoji', 'zulip_extra_emoji'])(
    'the extra emoji accepts reaction_type %s',
    async (reaction_type) => {
      const at = await operationsFixture();
      const path = await reacted(at, {emoji_name: 'zulip'});
      await at.as(at.meg).delete(path, {emoji_name: 'zulip', emoji_code: 'zulip', reaction_type});
      expect(await reactions(at, path)).toEqual([]);
    },
  );

  test('removes only the requester’s own reaction', async () => {
    const at = await operationsFixture();
    const path = await reacted(at);
    await at.as(at.otto).post(path, tada);
    await at.as(at.meg).delete(path, tada);
    expect(await reactions(at, path)).toMatchObject([{user_id: at.otto.id}]);
    await at.as(at.owner).refused('DELETE', path, tada, {code: 'REACTION_DOES_NOT_EXIST'});
  });

  test('a missing reaction is REACTION_DOES_NOT_EXIST', async () => {
    const at = await operationsFixture();
    const path = await reacted(at);
    const refusal = {code: 'REACTION_DOES_NOT_EXIST'};
    await at.as(at.meg).refused('DELETE', path, {emoji_name: 'heart'}, refusal);
    await at.as(at.meg).delete(path, tada);
    await at.as(at.meg).refused('DELETE', path, tada, refusal);
  });

  test('an unknown emoji is BAD_REQUEST', async () => {
    const at = await operationsFixture();
    const path = await reacted(at);
    const bad: [string, object][] = [
      ['an unknown code', {emoji_code: 'ffff-ffff'}],
      ['an unknown name', {emoji_name: 'no_such_emoji'}],
      ['an unknown custom emoji', {emoji_code: '999', reaction_type: 'realm_emoji'}],
      ['an unknown extra emoji', {emoji_code: 'x', reaction_type: 'extra_emoji'}],
      ['an unknown type', {emoji_name: 'tada', reaction_type: 'sticker'}],
      ['nothing', {}],
      ['a type alone', {reaction_type: 'unicode_emoji'}],
    ];
    for (const [what, params] of bad) {
      const {status, body} = await at.as(at.meg).raw('DELETE', path, {...params});
      expect([status, body.code], what).toEqual([400, 'BAD_REQUEST']);
    }
    expect(await reactions(at, path)).toHaveLength(1);
  });

  test('an unknown message, and one that cannot be read, is BAD_REQUEST', async () => {
    const at = await operationsFixture();
    const hidden = await sendDirect(at.as(at.otto), [at.guest.id]);
    for (const id of [9999, hidden]) {
      await at.as(at.meg).refused('DELETE', `/messages/${id}/reactions`, tada, {code: 'BAD_REQUEST'});
    }
  });

  test('only readers of the message get the event', async () => {
    const at = await operationsFixture();
    const id = await sendDirect(at.as(at.otto), [at.meg.id]);
    const path = `/messages/${id}/reactions`;
    await at.as(at.meg).post(path, tada);
    const [mine, ottos, guests] = [
      await at.as(at.meg).listen(),
      await at.as(at.otto).listen(),
      await at.as(at.guest).listen(),
    ];
    const reply = await at.as(at.meg).delete(path, {...tada, wibble: '1'});
    expect(reply.ignored_parameters_unsupported).toEqual(['wibble']);
    const event = {type: 'reaction', op: 'remove', message_id: id, user_id: at.meg.id, ...tada};
    for (const listener of [mine, ottos]) {
      expect((await eventsOf(listener, 'reaction')).map(withoutEventId)).toEqual([event]);
    }
    expect(await guests.events()).toEqual([]);
  });

  test('parameters can be in the query', async () => {
    const at = await operationsFixture();
    const path = await reacted(at);
    await at.as(at.meg).delete(`${path}?emoji_name=tada`);
    expect(await reactions(at, path)).toEqual([]);
  });
});
