import {expect, test} from 'vitest';
import {idsNeededByEvents} from '#state/persistence/message-evictor.ts';
import {loadedMessages, topic, unreadsOf} from '#test/state/selectors/selector-builders.ts';
import * as eg from '#test/support/state-builders.ts';

test('eviction: of messages that mention the user or contain an alert word, only unread ones must stay in memory', () => {
  const state = eg.state({
    messages: loadedMessages(
      eg.message({id: 1, flags: ['mentioned']}),
      eg.message({id: 2, flags: ['mentioned']}),
      eg.message({id: 3, flags: ['has_alert_word']}),
      eg.message({id: 4, flags: ['starred']}),
    ),
    unreads: unreadsOf([2, topic(1, 'talk'), true], [3, topic(1, 'talk')], [4, topic(1, 'talk')]),
  });
  expect(idsNeededByEvents(state)).toEqual([2, 3]);
});
