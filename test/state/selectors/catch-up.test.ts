import {expect, test} from 'vitest';
import {catchUpCards} from '#state/selectors/catch-up.ts';
import * as eg from '#test/support/state-builders.ts';
import {dm, loadedMessages, topic, unreadsOf, userTopicPolicies} from './selector-builders.ts';

const reaction = {emojiName: 'tada', emojiCode: '1f389', reactionType: 'unicode_emoji', userId: 11} as const;

/** Messages with these ids, one second apart. */
const said = (id: number, name: string, fields: Parameters<typeof eg.message>[0] = {}) =>
  eg.message({id, timestamp: id, channelId: 1, topic: name, senderId: 11, ...fields});
const whispered = (id: number, content: string, senderId = 11) =>
  eg.direct({id, timestamp: id, userIds: [senderId], senderId, content});

const state = eg.state({
  users: eg.users(eg.user({id: 11}), eg.user({id: 12}), eg.user({id: 13})),
  channels: eg.byId(eg.channel({id: 1})),
  subscriptions: eg.subscribed(eg.subscription({channelId: 1})),
  userTopics: userTopicPolicies([1, 'followed', 3], [1, 'muted', 1], [1, 'muted but named', 1]),
  messages: loadedMessages(
    said(1, 'chatter'),
    said(2, 'chatter'),
    said(3, '✔ done'),
    said(4, 'liked', {reactions: [reaction, {...reaction, userId: 12}]}),
    said(5, 'liked more', {reactions: [reaction, {...reaction, userId: 12}, {...reaction, userId: 13}]}),
    whispered(6, 'Hello.'),
    whispered(7, 'Is `a ? b : c` right?', 12),
    said(8, 'named', {content: '@**Me** look'}),
    said(9, 'muted'),
    said(10, 'muted but named'),
    said(11, 'followed'),
    said(12, 'quiet'),
    whispered(13, '> really?\nhttps://example.com/?q=1 ok `what?`', 13),
  ),
  unreads: unreadsOf(
    [1, topic(1, 'chatter')],
    [2, topic(1, 'chatter')],
    [3, topic(1, '✔ done')],
    [4, topic(1, 'liked')],
    [5, topic(1, 'liked more')],
    [6, dm(11)],
    [7, dm(12)],
    [8, topic(1, 'named'), true],
    [9, topic(1, 'muted')],
    [10, topic(1, 'muted but named'), true],
    [11, topic(1, 'followed')],
    [12, topic(1, 'quiet')],
    [13, dm(13)],
  ),
});

function cards(since = 0, upTo = 100, account = state) {
  return catchUpCards(account, {since, upTo}).map(({conversation, reasons}) => [
    conversation.kind === 'topic' ? conversation.topic : conversation.userIds[0],
    reasons.join(' '),
  ]);
}

test('catch up: mentions come first, then questions, direct messages, reactions, resolved and followed topics', () => {
  expect(cards()).toEqual([
    ['muted but named', 'mention'],
    ['named', 'mention'],
    [12, 'question direct'],
    [13, 'direct'],
    [11, 'direct'],
    ['liked more', 'reactions'],
    ['liked', 'reactions'],
    ['✔ done', 'resolved'],
    ['followed', 'followed'],
    ['chatter', 'other'],
    ['quiet', 'other'],
  ]);
});

test('catch up: older and later messages, and those of muted people, are left out', () => {
  expect(cards(11, 12)).toEqual([
    ['followed', 'followed'],
    ['quiet', 'other'],
  ]);
  const [chatter] = catchUpCards(state, {since: 2, upTo: 2});
  expect(chatter).toMatchObject({count: 1, senderIds: [11], newestAt: 2});
  const mutedUsers = state.mutedUsers.with(11, {id: 11, timestamp: 0} as never);
  expect(cards(0, 100, {...state, mutedUsers}).map(([name]) => name)).toEqual([12, 13]);
});

test('catch up: a card quotes the three messages that say most, in their order', () => {
  const ids = [1, 2, 3, 4, 5, 6];
  const many = eg.state({
    ...state,
    messages: loadedMessages(...ids.map((id) => said(id, 'busy', {reactions: id === 2 ? [reaction] : []}))),
    unreads: unreadsOf(...ids.map((id) => [id, topic(1, 'busy'), id === 1] as const)),
  });
  const [card] = catchUpCards(many, {since: 0, upTo: 100});
  expect(card).toMatchObject({count: 6, mentions: 1, reactions: 1});
  expect(card?.messages.map(({id}) => id)).toEqual([1, 2, 6]);
});
