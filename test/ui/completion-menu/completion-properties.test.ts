import fc from 'fast-check';
import {expect, test} from 'vitest';
import {fewOrAll} from '#test/support/tier.ts';
import {completionAt} from '#ui/completion-menu/completion-at.ts';
import type {CompletionContext} from '#ui/search/completion.ts';
import {omnibox} from '#ui/search/omnibox.ts';
import {sendWarnings} from '#ui/warnings/send-warnings.ts';
import {completionState, here, nowMs} from './completion-fixture.ts';

const state = completionState();
const pieces = fc.constantFrom(
  ...[
    '@',
    '@_',
    '#',
    '#**',
    '**',
    ':',
    '`',
    '```',
    '~~~',
    '\n',
    '\n\n',
    ' ',
    '/',
    '<time:',
    '>',
    '[[',
    ']]',
    ',',
    '"',
    '-',
    '|',
  ],
  ...[
    'an',
    'Ann Lee',
    'design',
    'desi>lo',
    'launch',
    'py',
    'quote',
    'tad',
    'po',
    'is:',
    'sender:',
    'dm:',
    'topic:',
    'tomorrow',
  ],
  ...['https://x/#narrow/channel/1', '👩‍💻', 'é', '\ud83d', '\u202e', '*', '_', '\\', '12:30', ')'],
);
const texts = fc.array(pieces, {maxLength: 10}).map((parts) => parts.join(''));
const fields = fc.constantFrom<CompletionContext['field'][]>('message', 'channel', 'topic', 'people', 'search', 'file');

test('completion: for any text, the replaced range contains the cursor and matches are in range', () => {
  fc.assert(
    fc.property(texts, fc.nat(60), fields, (text, at, field) => {
      const cursor = Math.min(at, text.length);
      const completion = completionAt(state, {text, cursor, field, conversation: here, nowMs, files: []});
      if (completion === undefined) return;
      const {start, end, options} = completion;
      expect(options.length).toBeGreaterThan(0);
      expect(options.length).toBeLessThanOrEqual(51);
      expect(start).toBeGreaterThanOrEqual(0);
      expect(start).toBeLessThanOrEqual(cursor);
      expect(end).toBeGreaterThanOrEqual(cursor);
      expect(end).toBeLessThanOrEqual(text.length);
      for (const {label, ranges, insert, caret = 0} of options) {
        expect(caret).toBeLessThanOrEqual(insert.length);
        for (const [from, to] of ranges) expect(label.slice(from, to).length).toBe(to - from);
      }
    }),
    {numRuns: fewOrAll(250, 1000)},
  );
});

test('palette and send warnings: any text yields a valid result', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const {rows} = omnibox(state, text, {commands: [], help: [], accounts: [], visits: []});
      for (const {title, ranges} of rows) {
        for (const [from, to] of ranges) expect(title.slice(from, to).length).toBe(to - from);
      }
      for (const warning of sendWarnings(state, here, text, {nowMs})) expect(warning.text).toMatch(/\.$/);
    }),
    {numRuns: fewOrAll(125, 500)},
  );
});
