import fc from 'fast-check';
import {expect, test} from 'vitest';
import {listAccount, listFixture} from '#test/ui/lists/list-fixture.ts';
import {channelList} from '#ui/channel-list/channel-list.ts';
import {windowTop} from '#ui/lists/list-position.ts';
import type {ListSource} from '#ui/lists/list-source.ts';
import {cursorRow} from '#ui/lists/visible-rows.ts';
import {recentList} from '#ui/recent/recent-list.ts';

const atCursor = ({app}: ReturnType<typeof listFixture>, list: ListSource = channelList) =>
  cursorRow(app.frame, list)?.label;

test('lists: windowTop keeps the cursor on screen and leaves no blank rows that rows could fill', () => {
  const scrollCase = fc
    .record({count: fc.integer({min: 1, max: 200}), room: fc.integer({min: 1, max: 50})})
    .chain(({count, room}) =>
      fc.record({
        count: fc.constant(count),
        room: fc.constant(room),
        cursor: fc.integer({min: 0, max: count - 1}),
        top: fc.integer({min: 0, max: 250}),
      }),
    );
  fc.assert(
    fc.property(scrollCase, ({count, room, cursor, top}) => {
      const shown = windowTop(top, cursor, room, count);
      expect(shown).toBeGreaterThanOrEqual(0);
      expect(cursor).toBeGreaterThanOrEqual(shown);
      expect(cursor).toBeLessThan(shown + room);
      expect(shown).toBeLessThanOrEqual(Math.max(0, count - room));
      expect(windowTop(shown, cursor, room, count)).toBe(shown);
    }),
  );
});

test('lists: the cursor skips titles and stops at both ends', () => {
  const fixture = listFixture({view: {kind: 'inbox'}});
  fixture.press('Shift-Tab');
  expect(fixture.app.screen.focus).toBe('channels');
  expect(atCursor(fixture)).toBe('Inbox');
  fixture.press('k');
  expect(atCursor(fixture)).toBe('Inbox');
  fixture.press('j', 'j', 'j', 'j', 'j');
  expect(atCursor(fixture)).toBe('Bo Wu');
  fixture.press('G');
  expect(atCursor(fixture)).toBe('#random');
  fixture.press('j');
  expect(atCursor(fixture)).toBe('#random');
  fixture.press('Home');
  expect(atCursor(fixture)).toBe('Inbox');
});

test('lists: scrolling by lines and pages keeps the cursor on its row where possible', () => {
  const fixture = listFixture({view: {kind: 'inbox'}, size: '120x12'});
  fixture.press('Shift-Tab', 'j', 'j', 'j');
  fixture.press('Ctrl-E');
  expect(fixture.rows(channelList)[0]).toBe('  Recent');
  expect(atCursor(fixture)).toBe('Starred');
  fixture.press('Ctrl-E', 'Ctrl-E', 'Ctrl-E', 'Ctrl-E');
  expect(fixture.rows(channelList).at(-1)).toBe('  #random             1');
  expect(atCursor(fixture)).toBe('Drafts');
  fixture.press('K');
  expect(atCursor(fixture)).toBe('Inbox');
});

test('lists: the cursor stays on its row when others change, and at its index when its row is removed', () => {
  const fixture = listFixture({view: {kind: 'recent'}});
  fixture.press('j', 'j', 'j');
  expect(atCursor(fixture, recentList)).toBe('#web › css');
  fixture.session.cache.apply({
    type: 'update_message_flags',
    id: -1,
    op: 'add',
    flag: 'read',
    messages: [4],
    all: false,
  });
  expect(atCursor(fixture, recentList)).toBe('#web › css');
  const subscriptions = listAccount().subscriptions.edit((draft) => {
    const own = draft.get(2);
    if (own !== undefined) draft.set(2, {...own, isMuted: true});
  });
  expect(subscriptions.get(2)?.isMuted).toBe(true);
  fixture.session.cache.apply({
    type: 'subscription',
    op: 'update',
    id: -1,
    stream_id: 2,
    property: 'is_muted',
    value: true,
  });
  expect(atCursor(fixture, recentList)).toBe('#backend › deploy');
});

test('lists: a folded group leaves its title with the cursor and the counts', () => {
  const fixture = listFixture({view: {kind: 'inbox'}});
  fixture.press('Shift-Tab', 'G', 'h');
  expect(atCursor(fixture)).toBe('Channels');
  expect(fixture.rows(channelList)).toContain('▌ CHANNELS ▸          1');
  expect(fixture.rows(channelList).join()).not.toContain('#web');
  fixture.press('l');
  expect(fixture.rows(channelList).join()).toContain('#web');
});

test('lists: a filter keeps matching rows in order, and Enter opens the best match', () => {
  const fixture = listFixture({view: {kind: 'inbox'}});
  fixture.press('q');
  fixture.type('web');
  expect(fixture.rows(channelList).slice(0, 3)).toEqual([' / web', '  CHANNELS', '▌ #web                1']);
  fixture.press('Enter');
  expect(fixture.app.screen.view).toMatchObject({
    kind: 'messages',
    narrow: [{operand: 2}, {operand: '✔ login'}],
  });
  expect(fixture.rows(channelList)[0]).toBe('  Inbox            @1 4');
});

test('lists: the filter of the sidebar finds topics of all channels', () => {
  const fixture = listFixture({view: {kind: 'inbox'}});
  fixture.press('q');
  fixture.type('logi');
  expect(fixture.rows(channelList).slice(0, 3)).toEqual([' / logi', '  TOPICS', '▌ login · #web ✓']);
  fixture.press('Enter');
  expect(fixture.app.screen.view).toMatchObject({kind: 'messages', narrow: [{operand: 2}, {operand: '✔ login'}]});
});

test('lists: Esc clears a filter, and once more focuses the main pane', () => {
  const fixture = listFixture({view: {kind: 'inbox'}});
  fixture.press('q');
  fixture.type('zzz');
  expect(fixture.rows(channelList).join('')).toContain('No matches');
  fixture.press('Esc');
  expect(fixture.rows(channelList)[0]).toBe('▌ Inbox            @1 4');
  fixture.press('Esc');
  expect(fixture.app.screen.focus).toBe('main');
});
