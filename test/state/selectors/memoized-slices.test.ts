import fc from 'fast-check';
import {expect, test} from 'vitest';
import {inbox} from '#state/selectors/inbox/inbox.ts';
import {channelRanks, channelSections} from '#state/selectors/lists/channel-sections.ts';
import {conversationsWithAlertWords, draftConversations} from '#state/selectors/lists/conversation-properties.ts';
import {topicRows} from '#state/selectors/lists/conversation-rows.ts';
import {mentionCounts, unreadCounts} from '#state/selectors/unreads/unread-counts.ts';
import type {AccountState} from '#state/state.ts';
import {arbitraryAccountState} from './selector-builders.ts';

const memoised = {
  alertedConversations: conversationsWithAlertWords,
  channelRanks,
  channelSections,
  draftConversations,
  inbox,
  mentionCounts,
  unreadCounts,
  topicRows: Object.assign((state: AccountState) => topicRows(state, 1), {slices: topicRows.slices}),
};

test.each(Object.entries(memoised))('%s reads no slice that it does not name', (_name, selector) => {
  fc.assert(
    fc.property(arbitraryAccountState, (state) => {
      const read = new Set<PropertyKey>();
      const watched = new Proxy(state, {
        get(target, name) {
          read.add(name);
          return Reflect.get(target, name);
        },
      });
      selector(watched);
      expect(read.difference(new Set<PropertyKey>(selector.slices))).toEqual(new Set());
    }),
    {numRuns: 30},
  );
});
