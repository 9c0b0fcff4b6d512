import fc from 'fast-check';
import {expect, test} from 'vitest';
import {sanitizeText} from '#content/styled-text/sanitize-text.ts';
import {textColumns} from '#content/styled-text/text-width.ts';
import {combinedFeedNarrow, type Narrow, narrowIs, topicNarrow} from '#state/model/narrow.ts';
import {egAppInfo} from '#test/support/frame-fixture.ts';
import * as eg from '#test/support/state-builders.ts';
import {fewOrAll} from '#test/support/tier.ts';
import {messagesView} from '#ui/core/frame.ts';
import {
  accountLabel,
  conversationNameSpans,
  conversationNameText,
  dimChannelSpans,
  viewTitle,
} from '#ui/format/conversation-name.ts';
import {uiGlyphs} from '#wording/ui-glyphs.ts';

const glyphs = uiGlyphs({glyphs: 'unicode'});
const ascii = uiGlyphs({glyphs: 'ascii'});

function nameIn(label: string, columns: number, ...others: readonly string[]): string {
  const spans = conversationNameSpans([{text: label, role: 'text'}], columns, glyphs, others);
  return spans.map(({text}) => text).join('');
}

test('conversation name: the channel is truncated before the topic, and stays recognizable', () => {
  expect(nameIn('#account-formatter-10 › deploy freeze', 26)).toBe('#account-… › deploy freeze');
  expect(nameIn('#account-formatter-10 › notification in Lisbon', 26)).toBe('#accoun… › notification i…');
  expect(nameIn('#web › a very long topic about everything', 26)).toBe('#web › a very long topic…');
  expect(nameIn('#backend › freeze', 26)).toBe('#backend › freeze');
});

test('conversation name: a channel is not truncated to save one column', () => {
  expect(nameIn('#firmware › watchdog resets in the cold', 26)).toBe('#firmware › watchdog rese…');
});

test('conversation name: with little room only the topic is shown', () => {
  expect(nameIn('#account-formatter-10 › deploy', 12)).toBe('deploy');
  expect(nameIn('Bo Lindqvist, Noor Haddad', 12)).toBe('Bo Lindqvis…');
});

test('conversation name: a name that would look like its neighbour shows where it differs', () => {
  const [first, second] = ['#ops › weekly sync notes of March 7', '#ops › weekly sync notes of March 14'];
  expect(nameIn(first, 22)).toBe(nameIn(second, 22));
  expect(nameIn(first, 22, second)).toBe('#ops › weekly sync n…7');
  expect(nameIn(second, 22, first)).toBe('#ops › weekly sync…14');
  const [north, south] = ['#gateway-north › alarms', '#gateway-south › alarms'];
  expect(nameIn(north, 18, south)).toBe('#ga…north › alarms');
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

test('conversation name: for any name and neighbour, fits into the columns', () => {
  fc.assert(
    fc.property(labels, labels, fc.integer({min: 1, max: 60}), (label, other, columns) => {
      expect(textColumns(nameIn(label, columns, other))).toBeLessThanOrEqual(columns);
    }),
  );
});

test('conversation name: two topics of a channel never look the same', () => {
  const topics = fc.stringMatching(/^[ab] ?[ab]{0,12} ?[ab]{0,12} ?[ab]{1,12}$/);
  fc.assert(
    fc.property(topics, topics, fc.integer({min: 20, max: 40}), (one, other, columns) => {
      fc.pre(one !== other);
      const [a, b] = [`#account-formatter › ${one}`, `#account-formatter › ${other}`];
      expect(nameIn(a, columns, b)).not.toBe(nameIn(b, columns, a));
    }),
    {numRuns: fewOrAll(125, 500)},
  );
});

test('conversation name: a name that fits is only sanitized', () => {
  fc.assert(
    fc.property(labels, (label) => {
      expect(nameIn(label, 400)).toBe(sanitizeText(label));
    }),
  );
});

test('conversation name: a plain terminal gets an ASCII separator, and topics are unchanged', () => {
  expect(conversationNameText('#web › a › b', ascii)).toBe('#web > a › b');
  expect(conversationNameText('Bo › Wu', ascii)).toBe('Bo › Wu');
  expect(conversationNameText('#web › a', glyphs)).toBe('#web › a');
});

test('conversation name: the channel is dimmed, filter matches are not', () => {
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

test('view title: views of messages have names, others are searches, each with the organization it is about', () => {
  const account = eg.state({
    users: eg.users(eg.user(), eg.user({id: 11, fullName: 'Ann'})),
    channels: eg.byId(eg.channel({id: 2, name: 'web'})),
  });
  const title = (narrow: Narrow, organization?: string) => viewTitle({account}, messagesView(narrow), organization);
  expect([[], combinedFeedNarrow].map((narrow) => title(narrow))).toEqual(['All messages', 'Combined feed']);
  expect(
    ['dm', 'mentioned', 'starred', 'unread', 'followed', 'resolved', 'alerted'].map((flag) => title(narrowIs(flag))),
  ).toEqual([
    'Direct message feed',
    'Mentions',
    'Starred messages',
    'Unread messages',
    'Followed topics',
    'Resolved topics',
    'Alert words',
  ]);
  expect(title([{operator: 'is', operand: 'starred', negated: true}])).toBe('Search: -is:starred');
  expect(title([{operator: 'sender', operand: 11}], 'acme')).toBe('Messages from Ann in acme');
  expect(title([{operator: 'search', operand: 'tides'}], 'acme')).toBe('Search in acme: tides');
  expect(title(topicNarrow(2, '✔ tea'))).toBe('#web › tea ✓');
  expect(viewTitle({account}, {kind: 'topics', channelId: 2})).toBe('Topics of #web');
  expect(viewTitle({account}, {kind: 'drafts', tab: 'reminders'}, 'acme')).toBe('Reminders in acme');
});

test('account label: of several accounts the name, else the organization, and never a whole path', () => {
  const label = (accountName: string, accountCount: number, name?: string) =>
    accountLabel(eg.state({realm: {...eg.state().realm, ...(name !== undefined && {name})}}), {
      ...egAppInfo,
      accountName,
      accountCount,
    });
  expect([label('work', 2, 'Acme'), label('work', 1, 'Acme')]).toEqual(['work', 'Acme']);
  expect([label('/home/meg/zuliprc', 2, 'Acme'), label('/home/meg/zuliprc', 2)]).toEqual(['Acme', 'zuliprc']);
});
