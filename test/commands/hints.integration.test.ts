import {expect, test} from 'vitest';
import {selectRow} from '#app/message-pane/selection.ts';
import {focusPane} from '#app/panes/pane-focus.ts';
import {commandList} from '#commands/command-table.ts';
import {activeContexts} from '#commands/keymap.ts';
import {channelNarrow, narrowIs, topicNarrow} from '#state/model/narrow.ts';
import type {AppFixture} from '#test/support/create-app.ts';
import {messagesView} from '#ui/core/frame.ts';
import {type HintWorld, hintWorld, type Mode, ModeOpener, problemOfHint, shownHints} from './hint-fixture.ts';

/** Hints whose key says why it cannot do all of it, but does what the hint promises. */
const reasons: Readonly<Record<string, string>> = {
  'connection focused: Enter accept': 'asks for a connection, which the session of this test does not make',
  'inbox, read-only: Space read on': 'goes on, and says that nothing is marked read',
};

function keys(...names: readonly string[]): Pick<Mode, 'enter'> {
  return {enter: ({press}) => press(...names)};
}

function typed(text: string, ...names: readonly string[]): Pick<Mode, 'enter'> {
  return {
    enter: ({press, type}) => {
      press(...names);
      type(text);
    },
  };
}

function focused(pane: 'channels' | 'topics' | 'people', ...names: readonly string[]): Pick<Mode, 'enter'> {
  return {
    enter: ({app, press}) => {
      focusPane(app, pane);
      press(...names);
    },
  };
}

function listModes({channelId}: HintWorld): Readonly<Record<string, Mode>> {
  const talk = messagesView(topicNarrow(channelId, 'talk'));
  return {
    inbox: {view: {kind: 'inbox'}},
    'inbox, next row': {view: {kind: 'inbox'}, ...keys('j')},
    'inbox, row selected': {view: {kind: 'inbox'}, ...keys('v')},
    'inbox, group': {view: {kind: 'inbox'}, ...keys('j', '-')},
    'inbox, empty tab': {view: {kind: 'inbox'}, ...keys('4')},
    'inbox, after done': {view: {kind: 'inbox'}, ...keys('e')},
    'inbox, read-only': {view: {kind: 'inbox'}, info: {isReadOnly: true}},
    'inbox, offline': {view: {kind: 'inbox'}, isOffline: true},
    triage: {view: {kind: 'triage'}},
    recent: {view: {kind: 'recent'}},
    'recent, second row': {view: {kind: 'recent'}, ...keys('j')},
    directs: {view: {kind: 'directs'}},
    people: {view: {kind: 'people'}},
    topics: {view: {kind: 'topics', channelId}},
    'sidebar, a view': {view: talk, ...focused('channels', 'Home')},
    'sidebar, a channel': {view: talk, ...focused('channels')},
    'topic pane': {view: talk, ...focused('topics')},
    'people pane': {view: talk, ...focused('people')},
    browser: {view: {kind: 'channels'}},
    'browser, next row': {view: {kind: 'channels'}, ...keys('j')},
    'browser, archived': {view: {kind: 'channels', tab: 'archived'}},
    drafts: {view: {kind: 'drafts', tab: 'drafts'}},
    outbox: {view: {kind: 'drafts', tab: 'outbox'}},
    scheduled: {view: {kind: 'drafts', tab: 'scheduled'}},
    reminders: {view: {kind: 'drafts', tab: 'reminders'}},
    'filter of the sidebar': {view: talk, ...typed('gen', 'q')},
    'filter without matches': {view: talk, ...typed('zzz', 'q')},
    'filter of people': {view: talk, ...typed('ot', 'w')},
    'connection focused': {
      view: talk,
      isOffline: true,
      enter: ({app}) => app.set({focus: 'connection'}),
    },
  };
}

function messageModes({channelId, own}: HintWorld): Readonly<Record<string, Mode>> {
  const talk = messagesView(topicNarrow(channelId, 'talk'));
  const onOwn = (...names: readonly string[]): Mode => ({
    view: talk,
    enter: ({app, press}: AppFixture) => {
      selectRow(app, own);
      app.frames.paintNow();
      press(...names);
    },
  });
  return {
    messages: {view: talk},
    'messages, own': onOwn(),
    'messages, starred': onOwn('S'),
    'messages, no links': {view: messagesView(topicNarrow(channelId, 'plain'))},
    'messages, read-only': {view: talk, info: {isReadOnly: true}},
    'messages, offline': {view: talk, isOffline: true},
    'messages, key sequence': {view: talk, ...keys('g')},
    'empty conversation': {view: messagesView(topicNarrow(channelId, 'new'))},
    'channel feed': {view: messagesView(channelNarrow(channelId))},
    'starred, empty': {view: messagesView(narrowIs('starred'))},
    composer: {view: talk, ...keys('r')},
    'composer, with text': {view: talk, ...typed('hello', 'r')},
    'composer, menu': {view: talk, ...typed('@ot', 'r')},
    'composer, destination': {view: talk, ...keys('c')},
    'composer, text saved': {
      view: talk,
      enter: ({press, type}) => {
        press('r');
        type('hello');
        press('Ctrl-C');
      },
    },
    editing: onOwn('E'),
    'editing closed': {
      ...onOwn(),
      enter: (fixture) => {
        onOwn('E').enter?.(fixture);
        fixture.type(' more');
        fixture.press('Esc');
      },
    },
    'deletion of a message': onOwn('Delete'),
    'message menu': onOwn('i'),
    'reaction picker': onOwn(':'),
    'palette without matches': {view: talk, ...typed('zzzz', ';')},
    search: {view: talk, ...typed('tide', '/')},
  };
}

/** Returns the modes of the overlays that commands open among messages. */
function overlayModes(world: HintWorld, opener: ModeOpener): Readonly<Record<string, Mode>> {
  const view = messagesView(topicNarrow(world.channelId, 'talk'));
  const modes = commandList.flatMap(({id, contexts, isKeyOnly}): (readonly [string, Mode])[] => {
    if (isKeyOnly === true) return [];
    const enter = ({app, router}: AppFixture) => {
      if (contexts.some((context) => activeContexts(app.screen).includes(context))) router.run(app, id);
    };
    const {app} = opener.open({view, enter});
    return app.screen.overlays.length > 0 ? [[`after ${id}`, {view, enter}]] : [];
  });
  return Object.fromEntries(modes);
}

/** Hints that mean the same in many modes are tried in the first of them. */
const maxTries = 2;

/** Presses every key that a mode promises, each in a new app; returns the promises that were not kept. */
function brokenPromises(opener: ModeOpener, modes: Readonly<Record<string, Mode>>): readonly string[] {
  const tries = new Map<string, number>();
  return Object.entries(modes).flatMap(([name, mode]) => {
    const {app} = opener.open(mode);
    const [context] = activeContexts(app.screen);
    return shownHints(app).flatMap((hint) => {
      const title = `${name}: ${hint.key} ${hint.label}`;
      const same = `${context} ${hint.place} ${hint.key} ${hint.label}`;
      tries.set(same, (tries.get(same) ?? 0) + 1);
      if (title in reasons || (tries.get(same) ?? 0) > maxTries) return [];
      const problem = problemOfHint(opener.open(mode), hint);
      return problem === undefined ? [] : [`${title} (${hint.place}) ${problem}`];
    });
  });
}

test('hints: every key that is shown runs its command and has an effect, in every mode', async () => {
  const world = await hintWorld();
  const opener = new ModeOpener(world);
  const modes = {...listModes(world), ...messageModes(world), ...overlayModes(world, opener)};
  expect(Object.keys(modes).length).toBeGreaterThan(60);
  expect(brokenPromises(opener, modes)).toEqual([]);
});
