import {expect, test} from 'vitest';
import {openNarrow} from '#app/navigation/navigation.ts';
import {commandTable} from '#commands/command-table.ts';
import {KeyRouter} from '#commands/key-router.ts';
import {defaultKeymap} from '#commands/keymap.ts';
import {combinedFeedNarrow} from '#state/model/narrow.ts';
import type {InputEvent} from '#terminal/input/input-events.ts';
import {keyOf, parseKeyName} from '#terminal/input/key.ts';
import {listFixture} from '#test/ui/lists/list-fixture.ts';

/** An inbox with unread messages, and ways to press keys before and after the first paint. */
function typeaheadFixture(options: Parameters<typeof listFixture>[0] = {}) {
  const fixture = listFixture(options);
  const {app} = fixture;
  const router = new KeyRouter(defaultKeymap, commandTable);
  const events = (names: readonly string[]): InputEvent[] =>
    names.map((name) => ({kind: 'key', key: parseKeyName(name) ?? keyOf(name)}));
  return {
    ...fixture,
    pressEarly: (...names: readonly string[]) => router.handleEvents(app, events(names), false),
    press: (...names: readonly string[]) => {
      for (const event of events(names)) router.handleEvents(app, [event]);
    },
    pressInOneRead: (...names: readonly string[]) => router.handleEvents(app, events(names)),
    pasteEarly: (text: string) => router.handleEvents(app, [{kind: 'paste', text}], false),
    pause: () => fixture.clock.advance(600),
    /** Returns everything that letters could have changed as commands. */
    changeableState: () => ({
      unread: fixture.unread(),
      policies: app.state.userTopics,
      starred: app.state.starred,
      drafts: app.state.localDrafts,
      composer: app.screen.composer,
    }),
  };
}

const typedSentence = [...'rMeet', 'Space', ...'XE+SFUb', 'Space', ...'see', 'Enter'];

test('typeahead: a text typed before the first paint does nothing, and a toast says so', () => {
  const fixture = typeaheadFixture();
  const before = fixture.changeableState();
  fixture.pressEarly(...typedSentence);
  expect(fixture.changeableState()).toEqual(before);
  expect(fixture.app.screen.view).toEqual({kind: 'inbox'});
  expect(fixture.toast()).toBe('Keys pressed too early were ignored');
});

test.each([
  ['mark read', ['e']],
  ['mark group read', ['X']],
  ['mute', ['M']],
  ['open conversation', ['Enter']],
  ['combined feed', ['a']],
  ['new topic', ['c', 'h', 'i']],
  ['new direct message', ['x', 'h', 'i']],
])('typeahead: a key before the first paint has no effect: %s', (_, keys) => {
  const fixture = typeaheadFixture();
  const before = fixture.changeableState();
  fixture.pressEarly(...keys);
  expect(fixture.changeableState()).toEqual(before);
  expect(fixture.app.screen.view).toEqual({kind: 'inbox'});
});

test('typeahead: text that goes on after the first paint is ignored until a pause', () => {
  const fixture = typeaheadFixture();
  const before = fixture.changeableState();
  fixture.pressEarly('r', 'h');
  for (const letter of 'eM X') {
    fixture.press(letter);
    fixture.clock.advance(300);
  }
  fixture.press('Enter');
  expect(fixture.changeableState()).toEqual(before);
  expect(fixture.app.screen.view).toEqual({kind: 'inbox'});
  fixture.pause();
  fixture.press('e');
  expect(fixture.unread()).toHaveLength(before.unread.length - 1);
});

test('typeahead: text after E, which edits elsewhere, is ignored in the inbox', () => {
  const fixture = typeaheadFixture();
  fixture.press('j');
  const before = fixture.changeableState();
  fixture.press('E', ...typedSentence);
  expect(fixture.changeableState()).toEqual(before);
  expect(fixture.toast()).toBe('No key “E” here — ? for keys · what you typed next was ignored');
});

test('typeahead: a key that cannot be part of a text ends the ignoring', () => {
  const fixture = typeaheadFixture();
  fixture.pressEarly('r', 'h', 'Down');
  fixture.press('r');
  expect(fixture.app.screen.focus).toBe('composer');
});

test('typeahead: help, palette, views and quitting work before the first paint', () => {
  const help = typeaheadFixture();
  help.pressEarly('?');
  expect(help.app.screen.overlays).toHaveLength(1);
  const recent = typeaheadFixture();
  recent.pressEarly('g', 'r');
  expect(recent.app.screen.view).toEqual({kind: 'recent'});
  const palette = typeaheadFixture();
  palette.pressEarly('Ctrl-G', 'c', 's', 's');
  expect(palette.app.screen.overlays).toMatchObject([{field: {text: 'css'}}]);
  const quitting = typeaheadFixture();
  quitting.pressEarly('r', 'h', 'i', 'Ctrl-C', 'Ctrl-C');
  expect(quitting.deviceCalls).toContainEqual(['quit']);
});

test('typeahead: a paste before the first paint does nothing', () => {
  const fixture = typeaheadFixture();
  const before = fixture.changeableState();
  fixture.pasteEarly('reMX');
  expect(fixture.changeableState()).toEqual(before);
});

test('typeahead: text in the same read as the reply key goes into the composer', () => {
  const fixture = typeaheadFixture();
  fixture.pressInOneRead(...[...'rMeet'], 'Space', ...'XE');
  expect(fixture.app.screen.composer.field.text).toBe('Meet XE');
});

test('typeahead: text for a composer that could not open is ignored, in one read or in several', () => {
  for (const isOneRead of [true, false]) {
    const fixture = typeaheadFixture({info: {isReadOnly: true}});
    const before = fixture.changeableState();
    if (isOneRead) fixture.pressInOneRead(...typedSentence);
    else fixture.press(...typedSentence);
    expect(fixture.changeableState()).toEqual(before);
    expect(fixture.app.screen.view).toEqual({kind: 'inbox'});
    expect(fixture.toast()).toBe('This session is read-only: nothing is sent · what you typed next was ignored');
  }
});

test('typeahead: text for a reply without a selected message is ignored', () => {
  const fixture = typeaheadFixture();
  openNarrow(fixture.app, combinedFeedNarrow);
  fixture.app.frames.paintNow();
  const {view} = fixture.app.screen;
  fixture.pressInOneRead('r', 'a', 't', 'I', 'Enter');
  expect(fixture.app.screen.view).toBe(view);
  expect(fixture.toast()).toMatch(
    /^No message selected: c starts a topic, x a direct message · what you typed next was ignored$/,
  );
});

test('typeahead: after a refusal Down works at once, and letters work after a pause', () => {
  const fixture = typeaheadFixture({info: {isReadOnly: true}});
  const cursor = () => fixture.app.screen.lists.inbox.cursor;
  fixture.press('r');
  const before = cursor();
  fixture.press('Down');
  const next = cursor();
  expect(next).not.toEqual(before);
  fixture.press('r');
  fixture.pause();
  fixture.press('j');
  expect(cursor()).not.toEqual(next);
});

test('typeahead: text for a move that was refused is ignored, also after the key that clears the field', () => {
  const fixture = typeaheadFixture({info: {isReadOnly: true}});
  openNarrow(fixture.app, combinedFeedNarrow);
  fixture.app.frames.paintNow();
  const {view} = fixture.app.screen;
  const before = fixture.changeableState();
  fixture.press('m', 'Ctrl-U', ...'aIx', 'Enter');
  expect(fixture.changeableState()).toEqual(before);
  expect(fixture.app.screen.view).toBe(view);
  expect(fixture.toast()).toMatch(/what you typed next was ignored$/);
});

test('typeahead: text after a key that opens a text field elsewhere is ignored', () => {
  const fixture = typeaheadFixture();
  const before = fixture.changeableState();
  fixture.press('m', ...'eMX', 'Enter');
  expect(fixture.changeableState()).toEqual(before);
  expect(fixture.app.screen.view).toEqual({kind: 'inbox'});
  expect(fixture.toast()).toBe('No key “m” here — ? for keys · what you typed next was ignored');
});
