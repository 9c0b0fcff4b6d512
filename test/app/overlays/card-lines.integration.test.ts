import fc from 'fast-check';
import {test} from 'vitest';
import {userCardLines} from '#app/people/user-card.ts';
import {SortedMap, SortedSet} from '#std/sorted-map.ts';
import {egFrame, textOf} from '#test/support/frame-fixture.ts';
import {assertLineContract} from '#test/support/line-contract.ts';
import * as eg from '#test/support/state-builders.ts';
import {channelCardLines} from '#ui/channels/channel-card-lines.ts';
import {editHistoryLines} from '#ui/message-actions/edit-history-lines.ts';
import {receiptLines} from '#ui/message-actions/receipt-lines.ts';

/** Names and texts that could break a screen. */
const nasty = fc.oneof(
  fc.constantFrom(
    '',
    'Ann',
    '森 海斗',
    '\u001b[31mred\u001b[0m',
    'a\nb\tc',
    '👩‍👩‍👧‍👦 x',
    '\u202edlrow',
    'e'.repeat(200),
  ),
  fc.string({unit: 'grapheme', maxLength: 40}),
);

test('cards: for any names and texts, lines fit their width and contain no control characters', () => {
  fc.assert(
    fc.property(nasty, nasty, nasty, fc.integer({min: 1, max: 90}), (name, text, other, width) => {
      const frame = egFrame({
        account: eg.state({
          users: eg.users(eg.user(), eg.user({id: 11, fullName: name, deliveryEmail: text})),
          channels: SortedMap.by([eg.channel({id: 1, name, description: text})], ({id}) => id),
          subscriptions: SortedMap.by([eg.subscription({channelId: 1})], ({channelId}) => channelId),
          subscribers: SortedMap.from([[1, {ids: SortedSet.from([10, 11]), complete: true}]]),
          statuses: SortedMap.from([[11, {statusText: other}]]),
          profileFields: [{id: 1, name: other, order: 1, type: 1}],
        }),
      });
      const sent = {topic: name, content: text, rendered_content: '', timestamp: 1, user_id: 11};
      const edited = {...sent, topic: text, prev_topic: name, content: other, prev_content: text};
      const cards = [
        userCardLines(frame, width, 11, undefined),
        channelCardLines(frame, width, 1),
        receiptLines(frame, width, [10, 11]),
        editHistoryLines(frame, width, [sent, edited]),
      ];
      for (const lines of cards) assertLineContract(textOf(lines), width);
    }),
  );
});
