import {expect, test} from 'vitest';
import {openNarrow} from '#app/navigation/navigation.ts';
import {commandTable} from '#commands/command-table.ts';
import {KeyRouter} from '#commands/key-router.ts';
import {defaultKeymap} from '#commands/keymap.ts';
import {combinedFeedNarrow} from '#state/model/narrow.ts';
import type {InputEvent} from '#terminal/input/input-events.ts';
import {keyOf, parseKeyName} from '#terminal/input/key.ts';
import {listFixture} from '#test/app/lists/list-fixture.ts';

/** An inbox with something unread, and a way to press keys before anybody has seen it. */
function staged(options: Parameters<typeof listFixture>[0] = {}) {
  const stage = listFixture(options);
  const {app} = stage;
  const router = new KeyRouter(defaultKeymap, commandTable);
  const events = (names: readonly string[]): InputEvent[] =>
    names.map((name) => ({kind: 'key', key: parseKeyName(name) ?? keyOf(name)}));
  return {
    ...stage,
    early: (...names: readonly string[]) => router.handleEvents(app, events(names), false),
    press: (...names: readonly string[]) => {
      for (const event of events(names)) router.handleEvents(app, [event]);
    },
    take: (...names: readonly string[]) => router.handleEvents(app, events(names)),
    paste: (text: string) => router.handleEvents(app, [{kind: 'paste', text}], false),
    /** Nobody types for a while. */
    pause: () => stage.clock.advance(600),
    /** All that letters could have changed. */
    traces: () => ({
      unread: stage.unread(),
      policies: app.state.userTopics,
      starred: app.state.starred,
      drafts: app.state.localDrafts,
      composer: app.screen.composer,
    }),
  };
}

const sentence = [...'rMeet', 'Space', ...'XE+SFUb', 'Space', ...'see', 'Enter'];

test('a text typed before there was anything to see does nothing, and that is said', () => {
  const stage = staged();
  const before = stage.traces();
  stage.early(...sentence);
  expect(stage.traces()).toEqual(before);
  expect(stage.app.screen.view).toEqual({kind: 'inbox'});
  expect(stage.toast()).toBe('Keys pressed too early were ignored');
});

test.each([
  ['a mark', ['e']],
  ['a whole group', ['X']],
  ['a mute', ['M']],
  ['a conversation', ['Enter']],
  ['all messages', ['a']],
  ['a draft', ['c', 'h', 'i']],
  ['a message to somebody', ['x', 'h', 'i']],
])('no key before that is about %s', (_, keys) => {
  const stage = staged();
  const before = stage.traces();
  stage.early(...keys);
  expect(stage.traces()).toEqual(before);
  expect(stage.app.screen.view).toEqual({kind: 'inbox'});
});

test('who goes on typing while the picture comes is not taken for somebody who answers to it', () => {
  const stage = staged();
  const before = stage.traces();
  stage.early('r', 'h');
  for (const letter of 'eM X') {
    stage.press(letter);
    stage.clock.advance(300);
  }
  stage.press('Enter');
  expect(stage.traces()).toEqual(before);
  expect(stage.app.screen.view).toEqual({kind: 'inbox'});
  stage.pause();
  stage.press('e');
  expect(stage.unread()).toHaveLength(before.unread.length - 1);
});

test('a key that is no part of a text is meant, also in the middle of typing', () => {
  const stage = staged();
  stage.early('r', 'h', 'Down');
  stage.press('r');
  expect(stage.app.screen.focus).toBe('composer');
});

test('help, the palette, lists and leaving do not wait for anything', () => {
  const help = staged();
  help.early('?');
  expect(help.app.screen.overlays).toHaveLength(1);
  const recent = staged();
  recent.early('g', 'r');
  expect(recent.app.screen.view).toEqual({kind: 'recent'});
  const palette = staged();
  palette.early('Ctrl-G', 'c', 's', 's');
  expect(palette.app.screen.overlays).toMatchObject([{field: {text: 'css'}}]);
  const left = staged();
  left.early('r', 'h', 'i', 'Ctrl-C', 'Ctrl-C');
  expect(left.deviceCalls).toContainEqual(['quit']);
});

test('what is pasted before does nothing', () => {
  const stage = staged();
  const before = stage.traces();
  stage.paste('reMX');
  expect(stage.traces()).toEqual(before);
});

test('typing ahead into a composer that opens loses nothing', () => {
  const stage = staged();
  stage.take(...[...'rMeet'], 'Space', ...'XE');
  expect(stage.app.screen.composer.field.text).toBe('Meet XE');
});

test('letters for a composer that could not open are no commands, in one read or in several', () => {
  for (const isOneRead of [true, false]) {
    const stage = staged({info: {isReadOnly: true}});
    const before = stage.traces();
    if (isOneRead) stage.take(...sentence);
    else stage.press(...sentence);
    expect(stage.traces()).toEqual(before);
    expect(stage.app.screen.view).toEqual({kind: 'inbox'});
    expect(stage.toast()).toBe(
      'This session is read-only: nothing is sent · what you typed next was ignored',
    );
  }
});

test('letters for a reply to nothing are no commands', () => {
  const stage = staged();
  openNarrow(stage.app, combinedFeedNarrow);
  stage.app.frames.paintNow();
  const {view} = stage.app.screen;
  stage.take('r', 'a', 't', 'I', 'Enter');
  expect(stage.app.screen.view).toBe(view);
  expect(stage.toast()).toMatch(/^No message selected.* · what you typed next was ignored$/);
});

test('after a refusal one goes on at once with a key that writes nothing, and with any after a pause', () => {
  const stage = staged({info: {isReadOnly: true}});
  const cursor = () => stage.app.screen.lists.inbox.cursor;
  stage.press('r');
  const before = cursor();
  stage.press('Down');
  const next = cursor();
  expect(next).not.toEqual(before);
  stage.press('r');
  stage.pause();
  stage.press('j');
  expect(cursor()).not.toEqual(next);
});
