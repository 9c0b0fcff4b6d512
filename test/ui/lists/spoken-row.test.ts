import {expect, test} from 'vitest';
import {lineToText} from '#content/styled-text/ansi.ts';
import type {ListRow, RowContext} from '#ui/lists/list-source.ts';
import {spokenRowLine} from '#ui/lists/spoken-row.ts';
import {uiGlyphs} from '#wording/ui-glyphs.ts';

const item: ListRow = {key: 'a', kind: 'item', label: '#web > tea'};

function spoken(facts: object, {count, ...context}: Partial<RowContext> & {readonly count?: string} = {}): string {
  const row = {...item, ...facts};
  const glyphs = uiGlyphs({glyphs: 'words'});
  const label: RowContext['label'] = (role, text = row.label) => [{text, role}];
  return lineToText(
    spokenRowLine(row, count, {columns: 200, glyphs, isFocused: true, isFolded: false, label, ...context}),
  );
}

test('spoken rows: what marks and colours say is said in words, after the count', () => {
  expect(spoken({})).toBe('#web > tea');
  expect(spoken({count: 3, mentions: 1})).toBe('#web > tea, 3 unread, 1 mention');
  expect(spoken({count: 3, mentions: 2, newCount: 2, isFollowed: true, hasDraft: true})).toBe(
    '#web > tea, 3 unread, 2 mentions, 2 of them new, followed, draft',
  );
  expect(spoken({count: 1, isNew: true, isMuted: true, hasAlertWord: true, isSnoozeOver: true, isResolved: true})).toBe(
    '#web > tea, 1 unread, new conversation, muted, resolved, alert word, back from snooze',
  );
  expect(spoken({presence: 'active', isBot: true, isSelf: true, role: 'owner', status: 'tea'})).toBe(
    '#web > tea, bot, you, online, owner, tea',
  );
  expect(spoken({isSubscribed: true, isPrivate: true, people: 12})).toBe(
    '#web > tea, subscribed, private, 12 subscribers',
  );
});

test('spoken rows: what a view lists are entries, and a folded group has the facts that its rows would say', () => {
  const target = {kind: 'view', view: {kind: 'drafts', tab: 'drafts'}};
  expect(spoken({count: 1, isQuiet: true, target})).toBe('#web > tea, 1 entry');
  expect(spoken({count: 2, isQuiet: true, target})).toBe('#web > tea, 2 entries');
  const title = {kind: 'title', label: 'Channels', count: 5};
  expect(spoken(title)).toBe('Channels');
  expect(spoken(title, {isFolded: true})).toBe('Channels, folded, 5 unread');
  expect(spoken({count: 5}, {count: '2 messages'})).toBe('#web > tea, 2 messages');
});

test('spoken rows: the name is shortened, not what is said of it', () => {
  const label = 'deployment of everything in the warehouse';
  expect(spoken({label, count: 3, mentions: 1}, {columns: 50})).toMatch(
    /^deployment of everyt.*\.\.\., 3 unread, 1 mention$/,
  );
});
