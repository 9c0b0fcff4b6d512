import {expect, test} from 'vitest';
import {hasReachedEnd} from '#app/timeline/timeline-end.ts';
import {topicNarrow} from '#state/model/narrow.ts';
import {emptyTimeline} from '#state/model/timeline.ts';

const offline = {phase: 'offline', since: 0, retryAt: undefined, problem: '', savedAt: 1} as const;
const remembered = {...emptyTimeline(topicNarrow(1, 'tides')), isStale: true};

test('without a connection, what this machine has of a conversation ends where it ends', () => {
  expect(hasReachedEnd({connection: offline}, remembered)).toBe(true);
  expect(hasReachedEnd({connection: {phase: 'online'}}, remembered)).toBe(false);
  expect(hasReachedEnd({connection: {phase: 'online'}}, {...remembered, hasNewest: true})).toBe(true);
});
