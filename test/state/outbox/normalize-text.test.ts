import {expect, test} from 'vitest';
import {isBlank, normalizedContent, normalizedDraftContent, normalizedTopicKey} from '#state/outbox/normalize-text.ts';
import * as eg from '#test/support/state-builders.ts';

const state = eg.state();

test('normalized text: is what a server stores, whichever blanks it strips', () => {
  expect(normalizedContent('\n\n  text \u001c\u001f\u0085\ufeff\n', state)).toBe('  text');
  expect(normalizedDraftContent('\ufeff\u0085\n  text \u001c', state)).toBe('text');
  expect([' \n', '\u001c\u0085\ufeff', ' x'].map(isBlank)).toEqual([true, true, false]);
});

test('normalized text: is cut after the number of code points that the server allows', () => {
  const limited = {...state, server: {...state.server, maxMessageLength: 30, maxTopicLength: 5}};
  const fits = '🎉'.repeat(30);
  expect(normalizedContent(fits, limited)).toBe(fits);
  expect(normalizedContent(`${fits}x`, limited)).toBe(`${'🎉'.repeat(10)}\n[message truncated]`);
  expect(normalizedTopicKey(' Lunches ', limited)).toBe('lu...');
  expect(normalizedTopicKey('(no topic)', limited)).toBe('');
});
