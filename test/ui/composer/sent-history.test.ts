import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {
  canRecall,
  type Recall,
  recallNewer,
  recallOlder,
  type SentHistory,
  sentMatches,
  withSent,
} from '#ui/composer/composer-state.ts';
import {emptyField, insert} from '#ui/text/text-field.ts';

describe('sent history', () => {
  test('is stored newest first, without blanks and repetitions', () => {
    const history = ['one', 'two', 'two', '  \n', 'one'].reduce<SentHistory>(withSent, []);
    expect(history).toEqual(['one', 'two', 'one']);
  });

  test('is limited to five hundred messages', () => {
    let history: SentHistory = [];
    for (let i = 0; i < 600; i++) history = withSent(history, `message ${i}`);
    expect(history).toHaveLength(500);
    expect(history[0]).toBe('message 599');
  });

  test('is searched by a part, ignoring case', () => {
    const history = ['Deploy is done', 'lunch?', 'deploying now', 'lunch?', 'Größe'];
    expect(sentMatches(history, 'deploy')).toEqual(['Deploy is done', 'deploying now']);
    expect(sentMatches(history, '')).toEqual(['Deploy is done', 'lunch?', 'deploying now', 'Größe']);
    expect(sentMatches(history, 'GRO\u0308ß')).toEqual(['Größe']);
    expect(sentMatches(history, 'x')).toEqual([]);
  });
});

describe('recall', () => {
  test('returns to the text that was being written', () => {
    const written = insert(emptyField, 'half a sent');
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({minLength: 1}), {minLength: 1}), fc.nat(20), (history, steps) => {
        let recall: Recall<typeof written> | undefined;
        let taken = 0;
        for (let i = 0; i <= steps; i++) {
          const found = recallOlder(recall, history, written);
          if (found?.kind !== 'sent') break;
          expect(found.text).toBe(history[taken++]);
          recall = found.recall;
        }
        expect(taken).toBe(Math.min(steps + 1, history.length));
        for (let now = recall; now !== undefined; ) {
          const found = recallNewer(now);
          taken--;
          if (found.kind === 'sent') expect(found.text).toBe(history[taken - 1]);
          else expect(found.written).toBe(written);
          now = found.kind === 'sent' ? found.recall : undefined;
        }
        expect(taken).toBe(0);
      }),
    );
  });

  test('is not shifted by messages sent meanwhile', () => {
    const first = recallOlder(undefined, ['b', 'a'], '');
    if (first?.kind !== 'sent') throw new Error('nothing recalled');
    expect(recallOlder(first.recall, ['c', 'b', 'a'], '')).toMatchObject({text: 'a'});
  });

  test('has nothing without history', () => {
    expect(recallOlder(undefined, [], '')).toBeUndefined();
  });

  test('is allowed only where no written text would be lost', () => {
    const recall = {history: ['sent'], at: 0, written: ''};
    expect(canRecall(undefined, '')).toBe(true);
    expect(canRecall(undefined, 'mine')).toBe(false);
    expect(canRecall(recall, 'sent')).toBe(true);
    expect(canRecall(recall, 'sent, changed')).toBe(false);
  });
});
