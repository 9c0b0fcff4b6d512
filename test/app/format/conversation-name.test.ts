import fc from 'fast-check';
import {expect, test} from 'vitest';
import {conversationNameSpans, conversationNameText, dimChannelSpans} from '#app/format/conversation-name.ts';
import {uiGlyphs} from '#app/format/ui-glyphs.ts';
import {sanitizeText} from '#content/styled-text/sanitize-text.ts';
import {textColumns} from '#content/styled-text/text-width.ts';

const glyphs = uiGlyphs({glyphs: 'unicode'});
const ascii = uiGlyphs({glyphs: 'ascii'});

function placed(label: string, columns: number, ...others: readonly string[]): string {
  const spans = conversationNameSpans([{text: label, role: 'text'}], columns, glyphs, others);
  return spans.map(({text}) => text).join('');
}

test('a channel gives way to its topic, and keeps enough to be known by', () => {
  expect(placed('#account-formatter-10 › deploy freeze', 26)).toBe('#account-… › deploy freeze');
  expect(placed('#account-formatter-10 › notification in Lisbon', 26)).toBe('#accoun… › notification i…');
  expect(placed('#web › a very long topic about everything', 26)).toBe('#web › a very long topic…');
  expect(placed('#backend › freeze', 26)).toBe('#backend › freeze');
});

test('a channel is not cut for the sake of a column', () => {
  expect(placed('#firmware › watchdog resets in the cold', 26)).toBe('#firmware › watchdog rese…');
});

test('in next to no room the topic stands by itself', () => {
  expect(placed('#account-formatter-10 › deploy', 12)).toBe('deploy');
  expect(placed('Bo Lindqvist, Noor Haddad', 12)).toBe('Bo Lindqvis…');
});

test('what would look the same as the row beside it shows where it differs', () => {
  const [first, second] = ['#ops › weekly sync notes of March 7', '#ops › weekly sync notes of March 14'];
  expect(placed(first, 22)).toBe(placed(second, 22));
  expect(placed(first, 22, second)).toBe('#ops › weekly sync n…7');
  expect(placed(second, 22, first)).toBe('#ops › weekly sync…14');
  const [north, south] = ['#gateway-north › alarms', '#gateway-south › alarms'];
  expect(placed(north, 18, south)).toBe('#ga…north › alarms');
});

const names = fc.oneof(
  fc.stringMatching(/^[a-c ]{1,40}$/),
  fc.string({unit: 'grapheme', maxLength: 30}),
  fc.string({unit: fc.constantFrom('森', 'é', '👍', 'x', ' '), maxLength: 30}),
);
const labels = fc.oneof(
  names,
  fc.tuple(names, names).map(([channel, topic]) => `#${channel} › ${topic}`),
);

test('never wider than asked for, whatever it is called and whatever is beside it', () => {
  fc.assert(
    fc.property(labels, labels, fc.integer({min: 1, max: 60}), (label, other, columns) => {
      expect(textColumns(placed(label, columns, other))).toBeLessThanOrEqual(columns);
    }),
  );
});

test('two topics of a channel never look the same where there is any room to tell them apart', () => {
  const topics = fc.stringMatching(/^[ab] ?[ab]{0,12} ?[ab]{0,12} ?[ab]{1,12}$/);
  fc.assert(
    fc.property(topics, topics, fc.integer({min: 20, max: 40}), (one, other, columns) => {
      fc.pre(one !== other);
      const [a, b] = [`#account-formatter › ${one}`, `#account-formatter › ${other}`];
      expect(placed(a, columns, b)).not.toBe(placed(b, columns, a));
    }),
    {numRuns: 500},
  );
});

test('what fits is shown as it is, made safe', () => {
  fc.assert(
    fc.property(labels, (label) => {
      expect(placed(label, 400)).toBe(sanitizeText(label));
    }),
  );
});

test('a plain terminal gets a plain sign, and only ours is changed', () => {
  expect(conversationNameText('#web › a › b', ascii)).toBe('#web > a › b');
  expect(conversationNameText('Bo › Wu', ascii)).toBe('Bo › Wu');
  expect(conversationNameText('#web › a', glyphs)).toBe('#web › a');
});

test('the channel steps back behind its topic; what a filter found does not', () => {
  const spans = dimChannelSpans(
    [
      {text: '#w', role: 'text'},
      {text: 'eb', role: 'matched'},
      {text: ' › lo', role: 'text'},
    ],
    glyphs,
  );
  expect(spans).toEqual([
    {text: '#w', role: 'dim'},
    {text: 'eb', role: 'matched'},
    {text: ' › ', role: 'dim'},
    {text: 'lo', role: 'text'},
  ]);
});
