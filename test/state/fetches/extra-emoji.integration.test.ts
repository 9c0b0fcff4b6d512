import {expect, test} from 'vitest';
import type {Api} from '#api/api.ts';
import {clientOf} from '#test/api/client.ts';
import {sessionFixture, waitForState} from '#test/state/session-fixture.ts';

test.each([
  ['feature_level', 'extra_emoji'],
  ['zulip_feature_level', 'zulip_extra_emoji'],
] as const)('extra emoji: a server whose settings have %s gets reactions of type %s', async (field, type) => {
  const fixture = await sessionFixture();
  const plain = clientOf(fixture.server, fixture.meg);
  const sent: unknown[] = [];
  const api: Api = {
    ...plain,
    getServerSettings: async () => ({[field]: fixture.server.context.level}),
    addReaction: (args, options) => {
      sent.push(args.reaction_type);
      return plain.addReaction(args, options);
    },
  };
  const id = await fixture.postMessage('done');
  const session = fixture.session({api});
  session.start();
  await waitForState(session, ({messages}) => messages.byId.has(id));
  const emoji = {emojiName: 'zulip', emojiCode: 'zulip', reactionType: 'extra_emoji'};
  session.pendingChanges.perform({kind: 'reaction', op: 'add', messageId: id, ...emoji});
  const {messages} = await waitForState(session, () => sent.length === 1);
  expect(sent).toEqual([type]);
  expect(messages.byId.get(id)?.reactions).toMatchObject([{emojiName: 'zulip'}]);
});
