import fc from 'fast-check';
import {expect, test} from 'vitest';
import {windowTop} from '#app/lists/list-pane.ts';
import {cursorRow} from '#app/lists/visible-rows.ts';
import {listAccount, listFixture} from './list-fixture.ts';

const atCursor = ({app}: ReturnType<typeof listFixture>, id: 'channels' | 'recent' = 'channels') =>
  cursorRow(app.frame, id)?.label;

test('the cursor is always in sight, and nothing stays empty that rows could fill', () => {
  const place = fc
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
    fc.property(place, ({count, room, cursor, top}) => {
      const shown = windowTop(top, cursor, room, count);
      expect(shown).toBeGreaterThanOrEqual(0);
      expect(cursor).toBeGreaterThanOrEqual(shown);
      expect(cursor).toBeLessThan(shown + room);
      expect(shown).toBeLessThanOrEqual(Math.max(0, count - room));
      expect(windowTop(shown, cursor, room, count)).toBe(shown);
    }),
  );
});

test('titles are stepped over, and the ends of a list hold', () => {
  const stage = listFixture({view: {kind: 'inbox'}});
  stage.press('Shift-Tab');
  expect(stage.app.screen.focus).toBe('channels');
  expect(atCursor(stage)).toBe('Inbox');
  stage.press('k');
  expect(atCursor(stage)).toBe('Inbox');
  stage.press('j', 'j', 'j', 'j', 'j');
  expect(atCursor(stage)).toBe('Bo Wu');
  stage.press('G');
  expect(atCursor(stage)).toBe('#random');
  stage.press('j');
  expect(atCursor(stage)).toBe('#random');
  stage.press('Home');
  expect(atCursor(stage)).toBe('Inbox');
});

test('a list scrolls by lines and pages; the cursor stays where it can', () => {
  const stage = listFixture({view: {kind: 'inbox'}, size: '120x12'});
  stage.press('Shift-Tab', 'j', 'j', 'j');
  stage.press('Ctrl-E');
  expect(stage.rows('channels')[0]).toBe('  Recent');
  expect(atCursor(stage)).toBe('Starred');
  stage.press('Ctrl-E', 'Ctrl-E', 'Ctrl-E', 'Ctrl-E');
  expect(stage.rows('channels').at(-1)).toBe('  #random             1');
  expect(atCursor(stage)).toBe('Drafts');
  stage.press('K');
  expect(atCursor(stage)).toBe('Inbox');
});

test('rows that come and go leave the cursor on its row; a row that goes leaves it in its place', () => {
  const stage = listFixture({view: {kind: 'recent'}});
  stage.press('j', 'j', 'j');
  expect(atCursor(stage, 'recent')).toBe('#web › css');
  stage.session.cache.apply({
    type: 'update_message_flags',
    id: -1,
    op: 'add',
    flag: 'read',
    messages: [4],
    all: false,
  });
  expect(atCursor(stage, 'recent')).toBe('#web › css');
  const subscriptions = listAccount().subscriptions.edit((draft) => {
    const own = draft.get(2);
    if (own !== undefined) draft.set(2, {...own, isMuted: true});
  });
  expect(subscriptions.get(2)?.isMuted).toBe(true);
  stage.session.cache.apply({
    type: 'subscription',
    op: 'update',
    id: -1,
    stream_id: 2,
    property: 'is_muted',
    value: true,
  });
  expect(atCursor(stage, 'recent')).toBe('#backend › deploy');
});

test('a group is folded and unfolded; its title has the cursor and the counts then', () => {
  const stage = listFixture({view: {kind: 'inbox'}});
  stage.press('Shift-Tab', 'G', 'h');
  expect(atCursor(stage)).toBe('Channels');
  expect(stage.rows('channels')).toContain('▌ CHANNELS ▸          1');
  expect(stage.rows('channels').join()).not.toContain('#web');
  stage.press('l');
  expect(stage.rows('channels').join()).toContain('#web');
});

test('a filter leaves what fits in its place, and Enter opens the best of it', () => {
  const stage = listFixture({view: {kind: 'inbox'}});
  stage.press('q');
  stage.type('web');
  expect(stage.rows('channels').slice(0, 3)).toEqual([' / web', '  CHANNELS', '▌ #web                1']);
  stage.press('Enter');
  expect(stage.app.screen.view).toMatchObject({
    kind: 'messages',
    narrow: [{operand: 2}, {operand: '✔ login'}],
  });
  expect(stage.rows('channels')[0]).toBe('  Inbox               4');
});

test('Esc takes a filter away and goes on from there', () => {
  const stage = listFixture({view: {kind: 'inbox'}});
  stage.press('q');
  stage.type('zzz');
  expect(stage.rows('channels').join('')).toContain('Nothing fits the');
  stage.press('Esc');
  expect(stage.rows('channels')[0]).toBe('▌ Inbox               4');
  stage.press('Esc');
  expect(stage.app.screen.focus).toBe('main');
});
