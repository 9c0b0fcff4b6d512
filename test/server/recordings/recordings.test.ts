import {expect, test} from 'vitest';
import {fewOrAll} from '#test/support/tier.ts';
import {deciders, differenceText, expected, linesOf, readKnownLines, unexpected} from './known-lines.ts';
import {readRecording, recordedAreas} from './recording.ts';
import {replayRecording} from './replay-recording.ts';

const known = readKnownLines();

/** Every tenth area, or all. */
const areas = recordedAreas().filter((_, index) => index % fewOrAll(20, 1) === 0);

test.each(areas)('recordings: %s is answered as recorded, except on the known lines', async (area) => {
  const {differences} = await replayRecording(readRecording(area));
  const open = unexpected(differences);
  const knownLines = new Set(known[area]);
  expect(open.filter(({line}) => !knownLines.has(line)).map(differenceText)).toEqual([]);
  const equalNow = knownLines.difference(new Set(linesOf(open)));
  expect([...equalNow], 'these lines are equal now: remove them from different-lines.json').toEqual([]);
});

test('recordings: the list of different lines names only areas that exist', () => {
  expect(recordedAreas()).toEqual(expect.arrayContaining(Object.keys(known)));
});

test('recordings: each deliberate difference has a reason and names who decided it', () => {
  for (const {decidedBy, reason} of expected) {
    expect(deciders).toContain(decidedBy);
    expect(reason).toMatch(/\.$/);
  }
});
