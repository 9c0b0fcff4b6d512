import {expect, test} from 'vitest';
import {withMessages} from '#state/messages/loaded-messages.ts';
import {listFixture} from '#test/app/lists/list-fixture.ts';
import {newMessageEvent} from '#test/app/lists/message-event.ts';
import * as eg from '#test/support/state-builders.ts';
import {backend, inTopic, triageAccount, triageFixture, web} from './triage-fixture.ts';

type Stage = ReturnType<typeof triageFixture>;

/** The list, without what is beside it. */
const listed = (stage: Stage) => stage.pane().map((line) => line.split('│')[0] ?? '');
const rowOf = (stage: Stage, name: string) => listed(stage).find((line) => line.includes(name)) ?? '';

/** Under which title a conversation stands. */
function groupOf(stage: Stage, name: string): string | undefined {
  const lines = stage.pane().slice(
    0,
    listed(stage).findIndex((line) => line.includes(name)),
  );
  return lines.flatMap((line) => /^..([A-Z]{4,})/.exec(line)?.[1] ?? []).at(-1);
}

test.each([
  ['200x50', 'only mentions, DMs, followed'],
  ['120x40', 'only mentions, DMs, followed'],
  ['80x24', 'only @ DM ★'],
  ['60x20', 'only @ DM ★'],
  ['40x15', 'filtered'],
])(
  'the followed only: mentions, direct messages and followed topics, and that is what is said at %s',
  (size, words) => {
    const stage = triageFixture({size});
    stage.press('f');
    expect(stage.pane()[0]?.endsWith(` ${words}`)).toBe(true);
    const shown = stage.pane().join('\n');
    expect(shown).toMatch(/#backend › freeze/);
    expect(shown).toMatch(/Carol Diaz/);
    expect(shown).not.toMatch(/› (logs|login|css)/);
    stage.press('e');
    expect(stage.pane()[0]).toMatch(/ (only (@ DM ★|mentions, DMs, followed)|filtered)/);
  },
);

test('recent conversations leave mentions out that are not followed, and say so', () => {
  const stage = listFixture({view: {kind: 'recent'}, size: '80x24'});
  stage.press('f');
  expect(stage.rows('recent')[0]).toMatch(/ only DMs, followed$/);
  expect(stage.rows('recent').join('\n')).not.toContain('deploy');
});

test('an alert word is among what the followed only leave', () => {
  const stage = triageFixture({size: '80x24'});
  stage.session.cache.apply(newMessageEvent({id: 101, channelId: web, topic: 'fonts'}, ['has_alert_word']));
  stage.press('f');
  expect(rowOf(stage, '#web › fonts')).toMatch(/!1/);
});

test('a topic that is muted stays for its mention, looks muted, and M hears it again', () => {
  const stage = triageFixture();
  stage.arrive(101, backend, 'alarm', ['mentioned']);
  stage.app.frames.paintNow();
  stage.press('j', 'M');
  expect(stage.toast()).toBe('Muted #backend › alarm · z undo');
  expect(groupOf(stage, '#backend › alarm')).toBe('MENTIONS');
  expect(rowOf(stage, '#backend › alarm')).toMatch(/@1 #backend › alarm muted /);
  stage.press('k');
  expect(stage.pane().join('\n')).toMatch(/│ #backend › alarm .*· muted · 1 unread/);
  stage.press('M');
  expect(stage.toast()).toBe('Unmuted #backend › alarm · z undo');
  expect(rowOf(stage, '#backend › alarm')).not.toMatch(/muted/);
  stage.press('z', 'z');
  expect(stage.app.state.userTopics.get('c2:alarm')?.policy ?? 0).toBe(0);
});

test('under the title of the muted no row says it again', () => {
  const stage = triageFixture();
  stage.press('6');
  expect(rowOf(stage, '#random › cats')).not.toMatch(/muted/);
});

/** Of #web › css nothing is loaded. */
function unloaded(): Stage {
  const {messages, ...account} = triageAccount();
  const known = [...messages.byId.values()].filter(({id}) => id !== 4);
  return triageFixture({
    account: {...account, messages: withMessages(eg.state().messages, known)},
    size: '80x40',
  });
}

/** It becomes known, and has an alert word. */
function learnAlert(stage: Stage): void {
  const message = {...inTopic(4, web, 'css'), flags: ['has_alert_word']};
  stage.session.cache.apply(
    {type: 'fetch_started'},
    {type: 'messages_fetched', messages: [message], unreadIds: [4], since: undefined, page: undefined},
  );
  stage.app.frames.paintNow();
}

test('an alert word that becomes known shows at once, in its place; with the next sorting it is among mentions', () => {
  const stage = unloaded();
  stage.press('j', 'j');
  learnAlert(stage);
  expect(rowOf(stage, '#web › css')).toMatch(/!1 #web › css/);
  expect(groupOf(stage, '#web › css')).toBe('CHANNELS');
  expect(stage.at()).toBe('#backend › logs');
  stage.press('Ctrl-L');
  expect(groupOf(stage, '#web › css')).toBe('MENTIONS');
});

test('before anybody has begun, an alert word that becomes known brings its conversation up', () => {
  const stage = unloaded();
  stage.app.update((screen) => ({...screen, inbox: {...screen.inbox, isOrderSettled: false}}));
  learnAlert(stage);
  expect(groupOf(stage, '#web › css')).toBe('MENTIONS');
});

test.each([
  ['following', 'F'],
  ['selecting', 'v'],
  ['moving', 'j'],
  ['a thumb', '+'],
])('%s is a beginning: from then on nothing moves', (_name, key) => {
  const stage = unloaded();
  stage.press('j', 'j');
  stage.app.update((screen) => ({...screen, inbox: {...screen.inbox, isOrderSettled: false}}));
  stage.app.frames.paintNow();
  stage.press(key);
  expect(stage.app.screen.inbox.isOrderSettled).toBe(true);
  learnAlert(stage);
  expect(groupOf(stage, '#web › css')).toBe('CHANNELS');
  expect(groupOf(stage, '#backend › logs')).toBe('CHANNELS');
});

test.each([
  ['e', 'Carol Diaz'],
  ['F', '#backend › freeze'],
  ['Space', '#backend › freeze'],
])('once somebody pressed %s, the cursor is nobody else’s to move', (key, there) => {
  const stage = unloaded();
  stage.app.update((screen) => ({...screen, inbox: {...screen.inbox, isOrderSettled: false}}));
  stage.session.cache.apply({type: 'connection_changed', connection: {phase: 'online'}});
  stage.app.frames.paintNow();
  stage.press(key);
  stage.arrive(101, backend, 'alarm', ['mentioned']);
  stage.clock.advance(5000);
  expect(stage.at()).toBe(there);
  expect(stage.app.screen.inbox.isOrderSettled).toBe(true);
});

test.each(['wheel', 'press'] as const)(
  'a mouse that is used (%s) settles the order as a key does',
  (action) => {
    const stage = unloaded();
    stage.app.update((screen) => ({...screen, inbox: {...screen.inbox, isOrderSettled: false}}));
    stage.app.frames.paintNow();
    const wheel =
      action === 'wheel' ? ({button: 'none', wheel: 'down'} as const) : ({button: 'left'} as const);
    stage.take({kind: 'mouse', action, x: 40, y: 6, ...wheel});
    expect(stage.app.screen.inbox.isOrderSettled).toBe(true);
  },
);
