import {expect, test} from 'vitest';
import {lineToText} from '#content/styled-text/ansi.ts';
import type {MessageEditHistory} from '#state/fetches/queries.ts';
import {SortedMap} from '#std/sorted-map.ts';
import {egFrame} from '#test/support/frame-fixture.ts';
import * as eg from '#test/support/state-builders.ts';
import {editHistoryLines} from '#ui/message-actions/edit-history-lines.ts';
import {receiptLines} from '#ui/message-actions/receipt-lines.ts';

const now = Date.UTC(2026, 0, 1, 12);
const zoe = eg.user({id: 11, fullName: 'Zoe'});
const account = eg.state({
  users: eg.users(eg.user({fullName: 'Meg'}), zoe, eg.user({id: 12, isBot: true, fullName: 'Bot'})),
  channels: eg.byId(eg.channel({id: 1, name: 'web'}), eg.channel({id: 2, name: 'ops'})),
  presences: {
    byUser: SortedMap.from([[zoe.id, {activeAt: now / 1000, idleAt: undefined}]]),
    lastUpdateId: 1,
    serverOffset: 0,
  },
});
const frame = egFrame({account, now});

test('edit history: each change says what was done, the latest first, and by whom', () => {
  const version = (fields: object) => ({
    timestamp: now / 1000,
    user_id: 11,
    topic: 'tea',
    content: 'hi',
    rendered_content: '',
    ...fields,
  });
  const history = [
    version({user_id: 10}),
    version({prev_topic: 'tea', topic: '✔ tea'}),
    version({prev_topic: '✔ tea'}),
    version({prev_topic: 'tea', topic: 'cake', user_id: null}),
    version({prev_stream: 1, stream: 2, prev_topic: 'cake', topic: ''}),
    version({prev_content: 'hello', prev_topic: 'x', topic: 'y'}),
    version({}),
  ] as unknown as MessageEditHistory;
  const heads = editHistoryLines(frame, 90, history)
    .map(lineToText)
    .filter((line) => line.includes('today'));
  expect(heads.map((line) => line.replace(/ {2}today.*$/, ''))).toEqual([
    'Zoe changed',
    'Zoe edited, moved it from “x” to “y”',
    'Zoe moved it from #web › cake to #ops › general chat',
    'Someone moved it from “tea” to “cake”',
    'Zoe unresolved the topic',
    'Zoe marked the topic as resolved',
    'Meg sent',
  ]);
  expect(editHistoryLines(frame, 90, []).map(lineToText)).toEqual(['No edit history is available.']);
});

test('read receipts: readers are listed by name with their presence, and nobody is a sentence', () => {
  expect(receiptLines(frame, 40, [11, 12, 10]).map(lineToText)).toEqual(['  Bot', '○ Meg (you)', '● Zoe']);
  expect(receiptLines(frame, 80, []).map(lineToText)).toEqual([
    'No one who shares read receipts has read this message yet.',
  ]);
});
