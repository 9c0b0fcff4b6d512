import {expect, test} from 'vitest';
import {topicNarrow} from '#state/model/narrow.ts';
import {emptyTimeline} from '#state/model/timeline.ts';
import {hasReachedEnd} from '#ui/message-pane/lines/edge-lines.ts';

const offline = {phase: 'offline', since: 0, retryAt: undefined, problem: '', savedAt: 1} as const;
const saved = {...emptyTimeline(topicNarrow(1, 'tides')), isStale: true};

test('hasReachedEnd: offline, the saved messages are the end', () => {
  expect(hasReachedEnd({connection: offline}, saved)).toBe(true);
  expect(hasReachedEnd({connection: {phase: 'online'}}, saved)).toBe(false);
  expect(hasReachedEnd({connection: {phase: 'online'}}, {...saved, hasNewest: true})).toBe(true);
});
