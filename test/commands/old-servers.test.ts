import {expect, test} from 'vitest';
import {openConversation} from '#app/navigation/navigation.ts';
import {commandTable} from '#commands/command-table.ts';
import {topicConversation} from '#state/model/conversation.ts';
import {systemClock} from '#std/clock.ts';
import {appFixture} from '#test/support/app-fixture.ts';
import * as eg from '#test/support/state-builders.ts';
import {testedLevels} from '#test/support/tested-levels.ts';
import {unstartedSession} from '#test/support/unstarted-session.ts';
import {timelineAccount} from '#test/ui/message-pane/timeline-frame.ts';
import {missingFeatures} from '#wire/server-features.ts';

/** The commands that need a newer server, with the level and the release that introduced what they do. */
const newerCommands = [
  ['topic.follow', 219, 'Zulip 8'],
  ['compose.schedule', 179, 'Zulip 7'],
  ['compose.snippet', 297, 'Zulip 10'],
  ['msg.receipts', 137, 'Zulip 6'],
  ['msg.remind', 399, 'Zulip 11'],
] as const;

test.each(testedLevels)('old servers: at level %i commands say which release they need', (level) => {
  const account = timelineAccount({
    messages: [eg.message({id: 1, topic: 'talk'})],
    account: {server: eg.server(level)},
  });
  const realm = {...account.realm, enableReadReceipts: level < 137 ? undefined : true};
  const {app, press} = appFixture({session: unstartedSession({...account, realm}, systemClock)});
  openConversation(app, topicConversation(1, 'talk'));
  const reasons = () =>
    Object.fromEntries(newerCommands.map(([id]) => [id, commandTable.get(id)?.disabledReason?.(app)]));
  const inMessages = reasons();
  press('r');
  expect(app.screen.focus).toBe('composer');
  const inComposer = reasons();
  for (const [id, since, release] of newerCommands) {
    const reason = id.startsWith('compose.') ? inComposer[id] : inMessages[id];
    const needs = `Needs ${release} (feature level ${since}). This server has level ${level}.`;
    expect([id, reason]).toEqual([id, level >= since ? undefined : needs]);
  }
});

test('old servers: what a server lacks is listed with its release, oldest first', () => {
  expect(missingFeatures(509)).toEqual([]);
  expect(missingFeatures(421).at(0)).toEqual({name: 'Permission to start topics', release: 'Zulip 12', level: 441});
  const levels = missingFeatures(122).map(({level}) => level);
  expect(levels).toEqual(levels.toSorted((a, b) => a - b));
  expect(missingFeatures(122)).toContainEqual({name: 'Reminders', release: 'Zulip 11', level: 399});
});
