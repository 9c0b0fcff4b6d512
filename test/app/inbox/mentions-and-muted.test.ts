import {expect, test} from 'vitest';
import {withMessages} from '#state/messages/loaded-messages.ts';
import * as eg from '#test/support/state-builders.ts';
import {listFixture} from '#test/ui/lists/list-fixture.ts';
import {newMessageEvent} from '#test/ui/lists/message-event.ts';
import {recentList} from '#ui/recent/recent-list.ts';
import {backend, inTopic, triageAccount, triageFixture, web} from './triage-fixture.ts';

type Fixture = ReturnType<typeof triageFixture>;

/** Returns the lines of the list, without the preview beside it. */
const listLines = (fixture: Fixture) => fixture.pane().map((line) => line.split('│')[0] ?? '');
const rowOf = (fixture: Fixture, name: string) => listLines(fixture).find((line) => line.includes(name)) ?? '';

/** Returns the group title above a conversation. */
function groupOf(fixture: Fixture, name: string): string | undefined {
  const lines = fixture.pane().slice(
    0,
    listLines(fixture).findIndex((line) => line.includes(name)),
  );
  return lines.flatMap((line) => /^..([A-Z]{4,})/.exec(line)?.[1] ?? []).at(-1);
}

test.each([
  ['200x50', 'only mentions, DMs, followed'],
  ['120x40', 'only mentions, DMs, followed'],
  ['80x24', 'only @ DM ◎'],
  ['60x20', 'only @ DM ◎'],
  ['40x15', 'filtered'],
])(
  'mentions and muted: the followed filter shows mentions, direct messages and followed topics, and says so at %s',
  (size, words) => {
    const fixture = triageFixture({size});
    fixture.press('f');
    expect(fixture.pane()[0]?.endsWith(` ${words}`)).toBe(true);
    const shown = fixture.pane().join('\n');
    expect(shown).toMatch(/#backend › freeze/);
    expect(shown).toMatch(/Carol Diaz/);
    expect(shown).not.toMatch(/› (logs|login|css)/);
    fixture.press('e');
    expect(fixture.pane()[0]).toMatch(/ (only (@ DM ◎|mentions, DMs, followed)|filtered)/);
  },
);

test('mentions and muted: the followed filter of recent conversations hides unfollowed mentions and says so', () => {
  const fixture = listFixture({view: {kind: 'recent'}, size: '80x24'});
  fixture.press('f');
  expect(fixture.rows(recentList)[0]).toMatch(/ only DMs, followed$/);
  expect(fixture.rows(recentList).join('\n')).not.toContain('deploy');
});

test('mentions and muted: the followed filter shows conversations with an alert word', () => {
  const fixture = triageFixture({size: '80x24'});
  fixture.session.cache.apply(newMessageEvent({id: 101, channelId: web, topic: 'fonts'}, ['has_alert_word']));
  fixture.press('f');
  expect(rowOf(fixture, '#web › fonts')).toMatch(/ 1 #web › fonts new +! /);
});

test('mentions and muted: a muted topic with a mention stays, shows as muted, and M unmutes it', () => {
  const fixture = triageFixture({size: '80x24'});
  fixture.arrive(101, backend, 'alarm', ['mentioned']);
  fixture.app.frames.paintNow();
  fixture.press('j', 'M');
  expect(fixture.toast()).toBe('Muted #backend › alarm · z undo');
  expect(groupOf(fixture, '› alarm muted')).toBe('MENTIONS');
  expect(rowOf(fixture, '› alarm muted')).toMatch(/@1 #back.* › alarm muted /);
  fixture.press('k');
  expect(fixture.pane().join('\n')).toMatch(/── #backend › alarm .*· muted · 1 unread mention/);
  fixture.press('M');
  expect(fixture.toast()).toBe('Unmuted #backend › alarm · z undo');
  expect(rowOf(fixture, '#backend › alarm')).not.toMatch(/muted/);
  fixture.press('z', 'z');
  expect(fixture.app.state.userTopics.get('c2:alarm')?.policy ?? 0).toBe(0);
});

test('mentions and muted: rows of the muted group do not repeat that they are muted', () => {
  const fixture = triageFixture();
  fixture.press('6');
  expect(rowOf(fixture, '#random › cats')).not.toMatch(/muted/);
});

/** An inbox in which no message of #web › css is loaded. */
function unloadedFixture(): Fixture {
  const {messages, ...account} = triageAccount();
  const loaded = [...messages.byId.values()].filter(({id}) => id !== 4);
  return triageFixture({
    account: {...account, messages: withMessages(eg.state().messages, loaded)},
    size: '80x40',
  });
}

/** Loads the message, which has an alert word. */
function loadAlert(fixture: Fixture): void {
  const message = {...inTopic(4, web, 'css'), flags: ['has_alert_word']};
  fixture.session.cache.apply(
    {type: 'fetch_started'},
    {type: 'messages_fetched', messages: [message], unreadIds: [4], since: undefined, page: undefined},
  );
  fixture.app.frames.paintNow();
}

test('mentions and muted: an alert word that is loaded later shows in place, and after the next sorting among mentions', () => {
  const fixture = unloadedFixture();
  fixture.press('j', 'j');
  loadAlert(fixture);
  expect(rowOf(fixture, '#web › css')).toMatch(/ 1 #web › css +! /);
  expect(groupOf(fixture, '#web › css')).toBe('CHANNELS');
  expect(fixture.at()).toBe('#backend › logs');
  fixture.press('Ctrl-L');
  expect(groupOf(fixture, '#web › css')).toBe('MENTIONS');
});

test('mentions and muted: before the order is frozen, an alert word that is loaded moves its conversation up', () => {
  const fixture = unloadedFixture();
  fixture.app.update((screen) => ({...screen, inbox: {...screen.inbox, isOrderFrozen: false}}));
  loadAlert(fixture);
  expect(groupOf(fixture, '#web › css')).toBe('MENTIONS');
});

test.each([
  ['following', 'F'],
  ['selecting', 'v'],
  ['moving', 'j'],
  ['a thumb', '+'],
])('mentions and muted: %s freezes the order', (_name, key) => {
  const fixture = unloadedFixture();
  fixture.press('j', 'j');
  fixture.app.update((screen) => ({...screen, inbox: {...screen.inbox, isOrderFrozen: false}}));
  fixture.app.frames.paintNow();
  fixture.press(key);
  expect(fixture.app.screen.inbox.isOrderFrozen).toBe(true);
  loadAlert(fixture);
  expect(groupOf(fixture, '#web › css')).toBe('CHANNELS');
  expect(groupOf(fixture, '#backend › logs')).toBe('CHANNELS');
});

test.each([
  ['e', 'Carol Diaz'],
  ['F', '#backend › freeze'],
  ['Space', '#backend › freeze'],
])('mentions and muted: after %s a new mention does not move the cursor', (key, expectedLabel) => {
  const fixture = unloadedFixture();
  fixture.app.update((screen) => ({...screen, inbox: {...screen.inbox, isOrderFrozen: false}}));
  fixture.session.cache.apply({type: 'connection_changed', connection: {phase: 'online'}});
  fixture.app.frames.paintNow();
  fixture.press(key);
  fixture.arrive(101, backend, 'alarm', ['mentioned']);
  fixture.clock.advance(5000);
  expect(fixture.at()).toBe(expectedLabel);
  expect(fixture.app.screen.inbox.isOrderFrozen).toBe(true);
});

test.each(['wheel', 'press'] as const)(
  'mentions and muted: a mouse event (%s) freezes the order as a key does',
  (action) => {
    const fixture = unloadedFixture();
    fixture.app.update((screen) => ({...screen, inbox: {...screen.inbox, isOrderFrozen: false}}));
    fixture.app.frames.paintNow();
    const wheel = action === 'wheel' ? ({button: 'none', wheel: 'down'} as const) : ({button: 'left'} as const);
    fixture.take({kind: 'mouse', action, x: 40, y: 6, ...wheel});
    expect(fixture.app.screen.inbox.isOrderFrozen).toBe(true);
  },
);
