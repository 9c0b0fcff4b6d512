import {expect, test} from 'vitest';
import {activeContexts, commandOfKeys, isTyping} from '#commands/keymap.ts';
import {parseUserKeys, presetNames} from '#commands/user-keys.ts';
import {messageFixture, untilApp} from '#test/app/message-actions/message-fixture.ts';
import {waitForState} from '#test/state/session-fixture.ts';
import {fewOf} from '#test/support/tier.ts';
import {shownConversation} from '#ui/core/frame.ts';

type Preset = (typeof presetNames)[number];
type Place = 'conversation' | 'inbox' | 'composer' | 'menu';

/** What people of each program press, and the command that must run, by the place in which they press it. */
const habits: Readonly<Record<Preset, Readonly<Partial<Record<Place, Readonly<Record<string, string>>>>>>> = {
  parley: {
    conversation: {r: 'reply', e: 'conv.done', z: 'undo', '`': 'msg.copycode', o: 'links.open', '/': 'search.open'},
    inbox: {e: 'conv.done', j: 'move.down', b: 'triage.snooze'},
    composer: {Enter: 'compose.enter', 'Ctrl-K': 'edit.kill.end', 'Ctrl-X b': 'format.bold'},
    menu: {Esc: 'menu.close'},
  },
  zulip: {
    conversation: {
      e: 'msg.edit',
      z: 'msg.zoom',
      E: 'conv.done',
      Z: 'undo',
      r: 'reply',
      R: 'reply.dm',
      n: 'unread.next.topic',
    },
    inbox: {e: 'conv.done', z: 'undo'},
  },
  'vim+': {
    conversation: {
      ':': 'command.line',
      i: 'reply',
      u: 'undo',
      'y y': 'msg.copytext',
      'y l': 'msg.copylink',
      'd d': 'msg.delete',
      'g g': 'move.first',
      G: 'move.last',
      'g e': 'move.last',
      'Ctrl-F': 'page.down',
      'Ctrl-D': 'page.half.down',
      'Ctrl-U': 'page.half.up',
      'Ctrl-O': 'history.back.vim',
      '/': 'search.open',
      'Ctrl-W v': 'pane.split.beside',
      'Ctrl-W w': 'pane.other',
    },
    inbox: {':': 'command.line', j: 'move.down', k: 'move.up'},
  },
  emacs: {
    conversation: {
      'Ctrl-N': 'move.down',
      'Ctrl-P': 'move.up',
      'Ctrl-V': 'page.down',
      'Alt-v': 'page.up',
      'Alt-<': 'move.first',
      'Alt->': 'move.last',
      'Ctrl-S': 'search.open',
      'Alt-x': 'palette.open',
      'Ctrl-G': 'back',
      'Ctrl-X b': 'go.anything',
      'Ctrl-X Ctrl-F': 'go.anything',
      'Ctrl-X o': 'pane.other',
      'Ctrl-X 0': 'pane.close',
      'Ctrl-X 1': 'pane.only',
      'Ctrl-X 2': 'pane.split.below',
      'Ctrl-X 3': 'pane.split.beside',
      'Ctrl-X k': 'back',
      'Ctrl-X u': 'undo',
      'Ctrl-_': 'undo',
      'Ctrl-X Ctrl-C': 'app.quit',
      'Ctrl-C': 'app.cancel',
    },
    inbox: {'Ctrl-N': 'move.down', 'Ctrl-P': 'move.up', 'Alt-x': 'palette.open', 'Ctrl-C': 'app.cancel'},
    composer: {
      'Ctrl-A': 'edit.home',
      'Ctrl-E': 'edit.end',
      'Ctrl-B': 'edit.left',
      'Ctrl-F': 'edit.right',
      'Alt-b': 'edit.word.left',
      'Alt-f': 'edit.word.right',
      'Ctrl-D': 'edit.delete',
      'Alt-d': 'edit.kill.word',
      'Ctrl-K': 'edit.kill.end',
      'Ctrl-Y': 'edit.yank',
      'Alt-y': 'edit.yankpop',
      'Ctrl-P': 'compose.up',
      'Ctrl-N': 'compose.down',
      'Ctrl-_': 'edit.undo',
      'Ctrl-C Ctrl-C': 'compose.send',
      'Ctrl-C Ctrl-K': 'compose.close',
      'Ctrl-X Ctrl-S': 'compose.stash',
      'Ctrl-X b': 'go.anything',
      'Ctrl-X o': 'pane.other',
      'Ctrl-X Ctrl-C': 'app.quit',
      'Ctrl-G': 'compose.close',
      'Alt-x': 'palette.open',
    },
    menu: {'Ctrl-G': 'menu.close', 'Ctrl-N': 'menu.down', 'Ctrl-P': 'menu.up', 'Ctrl-C': 'app.cancel'},
  },
  weechat: {
    conversation: {
      'Alt-1': 'go.recent',
      'Alt-9': 'go.recent',
      'Alt-a': 'unread.next.smart',
      'Alt-j': 'go.anything',
      'Alt-/': 'go.last',
      'Alt-<': 'history.back',
      'Alt->': 'history.forward',
      'Alt-Up': 'conv.prev',
      'Alt-Down': 'conv.next',
      F5: 'conv.prev',
      F6: 'conv.next',
      F7: 'pane.other',
      PageUp: 'scroll.page',
      'Alt-Home': 'move.first',
      'Alt-End': 'move.last',
      'Alt-n': 'view.mentions',
      'Alt-l': 'view.bare',
      'Alt-m': 'mouse.toggle',
      'Ctrl-L': 'app.redraw',
      '/': 'palette.open',
      'Alt-e': 'conv.done',
      'Ctrl-X e': 'conv.done',
      'Ctrl-X /': 'search.open',
      'Ctrl-X g i': 'view.inbox',
      'Alt-r': 'reply',
    },
    inbox: {F6: 'conv.next', e: 'conv.done', j: 'move.down', '/': 'search.open'},
    composer: {
      'Alt-1': 'go.recent',
      'Alt-a': 'unread.next.smart',
      'Alt-j': 'go.anything',
      'Alt-/': 'go.last',
      'Alt-Down': 'conv.next',
      F5: 'conv.prev',
      F6: 'conv.next',
      PageUp: 'scroll.page',
      'Ctrl-R': 'compose.history',
      'Ctrl-U': 'edit.kill.home',
      'Ctrl-W': 'edit.kill.word.back',
      Tab: 'compose.tab',
      Up: 'compose.up',
    },
  },
  slack: {
    conversation: {
      'Ctrl-K': 'go.anything.k',
      'Ctrl-T': 'go.anything',
      'Ctrl-F': 'search.open',
      'Alt-Up': 'conv.prev',
      'Alt-Down': 'conv.next',
      'Alt-Shift-Up': 'unread.prev.smart',
      'Alt-Shift-Down': 'unread.next.smart',
      'Alt-Left': 'history.back',
      'Alt-Right': 'history.forward',
      F6: 'focus.next',
      '/': 'palette.open',
      'Alt-E': 'msg.edit',
      'Ctrl-X :': 'react.picker',
    },
    composer: {
      'Ctrl-K': 'go.anything',
      'Ctrl-F': 'search.open',
      'Ctrl-B': 'format.bold',
      'Ctrl-U': 'compose.attach',
      'Alt-Down': 'conv.next',
      'Alt-Shift-Down': 'unread.next.smart',
      Up: 'compose.up',
      Enter: 'compose.enter',
      'Shift-Enter': 'compose.newline.shift',
    },
  },
  gmail: {
    conversation: {u: 'back', s: 'msg.star', '#': 'msg.delete', f: 'forward', a: 'reply', r: 'reply', e: 'conv.done'},
    inbox: {x: 'select.toggle', j: 'move.down', k: 'move.up', '/': 'search.open', z: 'undo'},
    composer: {'Ctrl-Enter': 'compose.enter.other'},
  },
};

function presetKeymap(preset: Preset) {
  return parseUserKeys(`preset = "${preset}"`, 'keys.toml', new Set()).keymap;
}

async function presetFixture(preset: Preset) {
  const parts = await messageFixture({app: {keymap: presetKeymap(preset)}});
  const {fixture, select, app, press} = parts;
  const first = await fixture.postMessage('first', 'anchors');
  for (const topic of ['boats', 'charts']) await select(await fixture.postMessage(`about ${topic}`, topic));
  await select(first);
  const topic = () => {
    const shown = shownConversation(app.screen);
    return shown?.kind === 'topic' ? shown.topic : undefined;
  };
  const goTo: Readonly<Record<Place, () => void>> = {
    conversation: () => {},
    inbox: () => app.set({view: {kind: 'inbox'}}),
    composer: () => press('Enter'),
    menu: () => parts.router.run(app, 'palette.open'),
  };
  return {...parts, topic, goTo, text: () => app.screen.composer?.field.text};
}

test.each(
  presetNames.flatMap((preset) => Object.keys(habits[preset]).map((place) => [preset, place as Place] as const)),
)('key presets: the keys of %s do in the place “%s” what its users expect', async (preset, place) => {
  const {app, goTo} = await presetFixture(preset);
  goTo[place]();
  const expected = habits[preset][place] ?? {};
  const found = Object.keys(expected).map((keys) => [
    keys,
    commandOfKeys(presetKeymap(preset), activeContexts(app.screen), isTyping(app), keys),
  ]);
  expect(Object.fromEntries(found)).toEqual(expected);
});

const writing: readonly Preset[] = ['weechat', 'slack'];

test.each(fewOf(writing))(
  'typing: with %s every printable key but the slash starts writing, and Esc leaves the rest alone',
  async (preset) => {
    const {app, press, take, text} = await presetFixture(preset);
    const before = app.screen.view;
    for (let code = 0x21; code < 0x7f; code++) {
      const key = String.fromCharCode(code);
      press(key);
      if (key === '/') {
        expect(app.screen.overlays).toHaveLength(1);
        press('Esc');
        continue;
      }
      expect([app.screen.focus, text()]).toEqual(['composer', key]);
      press('Backspace', 'Esc');
      expect([app.screen.focus, app.screen.overlays, app.screen.view]).toEqual(['main', [], before]);
    }
    take({kind: 'key', key: {name: 'ж', text: 'ж'}});
    expect(text()).toBe('ж');
    press('Backspace', 'Esc');
    take({kind: 'paste', text: 'two\nlines'});
    expect(text()).toBe('two\nlines');
  },
);

test('typing: a sentence is sent as it was typed, and switching while writing keeps it', async () => {
  const {app, press, type, text, topic, fixture, session} = await presetFixture('weechat');
  await session.fetchTopics(fixture.channelId);
  const queue = await fixture.server.as(fixture.otto).listen({event_types: ['message']});
  type('Ezra jumps: gg, dd / #1');
  press('Enter');
  expect(await queue.next()).toMatchObject([{message: {content: 'Ezra jumps: gg, dd / #1', subject: 'anchors'}}]);
  press('Esc');
  type('not yet');
  press('Alt-/');
  await untilApp(app, () => topic() !== 'anchors');
  press('Alt-/');
  await untilApp(app, () => topic() === 'anchors');
  if (app.screen.focus !== 'composer') press('Enter');
  expect(text()).toBe('not yet');
  await waitForState(session, ({topics}) => topics.get(fixture.channelId)?.complete === true);
  press('F5');
  expect(topic()).not.toBe('anchors');
});

test('typing: where nothing can be written, the reason is shown and the rest of the text does nothing', async () => {
  const parts = await messageFixture({app: {keymap: presetKeymap('slack'), info: {isReadOnly: true}}});
  await parts.select(await parts.fixture.postMessage('first', 'anchors'));
  const {view} = parts.app.screen;
  parts.type('eI/g');
  expect(parts.app.screen.toast?.text).toContain('read-only');
  expect([parts.app.screen.focus, parts.app.screen.overlays, parts.app.screen.view]).toEqual(['main', [], view]);
});

test('typing: keys.toml turns it on with other keys, and off with those of weechat', () => {
  const commandIds = new Set(['view.inbox']);
  const on = parseUserKeys('typing = true', 'keys.toml', commandIds);
  expect([on.problems, on.keymap.msgs.get('r'), on.keymap.msgs.get('Ctrl-X r')]).toEqual([[], 'compose.type', 'reply']);
  const off = parseUserKeys('preset = "weechat"\ntyping = false', 'keys.toml', commandIds);
  expect([off.problems, off.keymap.msgs.get('r'), off.keymap.global.get('F6')]).toEqual([[], 'reply', 'conv.next']);
});

test('typing: the keys that hints name in a conversation are those that work there', async () => {
  const {app} = await presetFixture('slack');
  const keys = app.info.keys?.hints(app.frame) ?? [];
  expect(keys.length).toBeGreaterThan(3);
  for (const {key} of keys) expect(key).not.toMatch(/^[!-.0-~]( |$)/);
});
