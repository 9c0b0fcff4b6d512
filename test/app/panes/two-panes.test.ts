import {expect, test} from 'vitest';
import {openConversation} from '#app/navigation/navigation.ts';
import {isConversationShown} from '#app/panes/other-pane.ts';
import {startScreenWatchers} from '#app/watchers/screen-watchers.ts';
import {describeScreen} from '#cli/control/describe-screen.ts';
import {topicConversation, topicConversationKey} from '#state/model/conversation.ts';
import {topicNarrow} from '#state/model/narrow.ts';
import {textOf} from '#test/support/frame-fixture.ts';
import {composerLines, listPane, overlayLines, paneHeadLines, statusLines} from '#test/support/part-lines.ts';
import {backend, listFixture, loadedConversations, web} from '#test/ui/lists/list-fixture.ts';
import {messagesView} from '#ui/core/frame.ts';
import {viewTitle} from '#ui/format/conversation-name.ts';
import {inboxList} from '#ui/inbox/inbox-list.ts';
import {previewRect} from '#ui/inbox/inbox-preview.ts';
import {inboxLayout} from '#ui/layout/layout.ts';
import {mainTimelineNow, selectedRow} from '#ui/message-pane/selected-message.ts';
import {otherPaneFrame} from '#ui/other-pane/other-pane-frame.ts';
import {screenLayout} from '#ui/screen-layout.ts';

const deploy = messagesView(topicNarrow(backend, 'deploy'));
const css = topicConversation(web, 'css');

function paneFixture(options: Parameters<typeof listFixture>[0] = {}) {
  const fixture = listFixture({...loadedConversations(), ...options});
  const {app} = fixture;
  const other = () => otherPaneFrame(app.frames.paintedFrame);
  return {
    ...fixture,
    /** The titles of the panes in their order on the screen, the focused one in brackets. */
    panes: () => {
      const {view, otherPane} = app.screen;
      const focused = `[${viewTitle(app.frame, view)}]`;
      if (otherPane === undefined) return focused;
      const title = viewTitle(app.frame, otherPane.view);
      return otherPane.isFirst ? `${title} | ${focused}` : `${focused} | ${title}`;
    },
    isOtherShown: () => other() !== undefined,
    heads: () => [app.frames.paintedFrame, other()].map((frame) => frame && headOf(frame)),
    /** The closed composer of the pane without the focus. */
    otherComposer: () => {
      const frame = other();
      const rect = frame && screenLayout(frame).composer;
      return frame === undefined || rect === undefined ? undefined : textOf(composerLines(frame, rect))[0];
    },
    status: () => textOf(statusLines(app.frame, screenLayout(app.frame).main))[0],
    resize: (columns: number, rows: number) => {
      app.set({size: {columns, rows}});
      app.frames.paintNow();
    },
  };
}

function headOf(frame: Parameters<typeof screenLayout>[0]): string | undefined {
  const {head} = screenLayout(frame);
  return head && textOf(paneHeadLines(frame, head))[0];
}

/** Two conversations side by side, the right one focused. */
function dividedFixture(options: Parameters<typeof listFixture>[0] = {}) {
  const fixture = paneFixture({view: deploy, ...options});
  fixture.press('Ctrl-W', 'v');
  fixture.type('css');
  fixture.press('Enter');
  expect(fixture.panes()).toBe('#backend › deploy | [#web › css]');
  return fixture;
}

test('two panes: a key in the inbox shows the conversation under the cursor beside it', () => {
  const {press, panes, app} = paneFixture();
  press('Ctrl-W', 'v');
  expect(panes()).toBe('Inbox | [#backend › deploy]');
  expect(app.screen.otherPane?.direction).toBe('beside');
  // The next one replaces it: there are at most two.
  press('Ctrl-W', 'w', 'j', 'Ctrl-W', 's');
  expect(panes()).toMatch(/^Inbox \| \[(?!#backend › deploy)/);
  expect(app.screen.otherPane?.direction).toBe('below');
});

test('two panes: a key among messages asks what to show; Esc shows nothing', () => {
  const {press, type, panes, app} = paneFixture({view: deploy});
  press('Ctrl-W', 's');
  expect(textOf(overlayLines(app.frame)).join('\n')).toContain('Show below');
  press('Esc');
  expect(panes()).toBe('[#backend › deploy]');
  press('Ctrl-W', 's');
  type('css');
  press('Enter');
  expect(panes()).toBe('#backend › deploy | [#web › css]');
});

test('two panes: the key of the other direction turns them', () => {
  const {press, panes, app} = dividedFixture();
  press('Ctrl-W', 's');
  expect(app.screen.otherPane?.direction).toBe('below');
  expect(panes()).toBe('#backend › deploy | [#web › css]');
});

test('two panes: keys move the focus, and the panes stay where they are', () => {
  const {press, panes} = dividedFixture();
  const after = (...keys: string[]) => {
    press(...keys);
    return panes();
  };
  const [left, right] = ['[#backend › deploy] | #web › css', '#backend › deploy | [#web › css]'];
  expect(after('Ctrl-W', 'w')).toBe(left);
  expect(after('Ctrl-W', 'Ctrl-W')).toBe(right);
  expect(after('Ctrl-W', 'l')).toBe(right);
  expect(after('Ctrl-W', 'h')).toBe(left);
  expect(after('Ctrl-W', 'k')).toBe(left);
  expect(after('Ctrl-W', 'j')).toBe(right);
  expect(after('h')).toBe(left);
  expect(after('Tab')).toBe(right);
});

test('two panes: each has a line with its name, and the focused one is marked without colours', () => {
  const {press, heads, app} = dividedFixture();
  expect(heads()).toEqual([
    expect.stringMatching(/^▌#web › css ━+ 1 unread$/),
    expect.stringMatching(/^─ #backend › deploy ─+ @1 unread$/),
  ]);
  app.setDisplay({glyphs: 'ascii'});
  press('Ctrl-W', 'w');
  expect(heads()).toEqual([
    expect.stringMatching(/^>#backend > deploy =+ @1 unread$/),
    expect.stringMatching(/^- #web > css -+ 1 unread$/),
  ]);
});

test('two panes: the history of views belongs to its pane', () => {
  const {app, press, panes} = dividedFixture();
  openConversation(app, topicConversation(backend, 'logs'));
  press('Ctrl-W', 'w', 'Alt-Left');
  expect(panes()).toBe('[#backend › deploy] | #backend › logs');
  press('Ctrl-W', 'w', 'Alt-Left');
  expect(panes()).toBe('#backend › deploy | [#web › css]');
});

test('two panes: one is shown alone, and the other is kept', () => {
  const {press, isOtherShown, panes, status} = dividedFixture();
  press('Ctrl-W', 'z');
  expect([isOtherShown(), status()]).toEqual([false, expect.stringContaining(' zoomed ')]);
  press('Ctrl-W', 'w');
  expect([isOtherShown(), panes()]).toEqual([false, '[#backend › deploy] | #web › css']);
  press('Ctrl-W', 'z');
  expect([isOtherShown(), status()]).toEqual([true, expect.not.stringContaining(' zoomed ')]);
});

test('two panes: what is opened beside a pane that has the whole area is shown beside it again', () => {
  const {press, type, isOtherShown, panes} = dividedFixture();
  press('Ctrl-W', 'z');
  expect(isOtherShown()).toBe(false);
  press('Ctrl-W', 'v');
  type('logs');
  press('Enter');
  expect([isOtherShown(), panes()]).toEqual([true, '[#backend › logs] | #web › css']);
});

test('two panes: Tab goes to the other pane also where one is below the other', () => {
  const {press, panes} = dividedFixture({size: '120x50'});
  press('Ctrl-W', 's', 'Ctrl-W', 'k');
  expect(panes()).toBe('[#backend › deploy] | #web › css');
  press('Tab');
  expect(panes()).toBe('#backend › deploy | [#web › css]');
});

test('two panes: a click in the other pane ends the typing of a filter, which stays', () => {
  const {app, press, type, take, panes} = dividedFixture({size: '120x24'});
  press('t', 't');
  type('lo');
  expect(app.screen.lists.recent).toMatchObject({isFiltering: true});
  const {x, y} = screenLayout(app.frame).other ?? expect.unreachable();
  take({kind: 'mouse', action: 'press', button: 'left', x: x + 5, y: y + 5});
  expect(panes()).toBe('[#backend › deploy] | Recent conversations');
  expect(app.screen.lists.recent).toMatchObject({isFiltering: false, filter: {text: 'lo'}});
});

test('two panes: a command of another program that goes to the other pane ends the typing of a filter, which stays', () => {
  const {app, press, type, router, panes} = dividedFixture({size: '120x24'});
  press('t', 't');
  type('lo');
  router.run(app, 'pane.other');
  expect(panes()).toBe('[#backend › deploy] | Recent conversations');
  expect(app.screen.lists.recent).toMatchObject({isFiltering: false, filter: {text: 'lo'}});
});

test('two panes: the conversation of a hidden pane is not on the screen', () => {
  const {app, press} = dividedFixture();
  const shown = () => [topicConversation(backend, 'deploy'), css].map((one) => isConversationShown(app.screen, one));
  expect(shown()).toEqual([true, true]);
  press('Ctrl-W', 'z');
  expect(shown()).toEqual([false, true]);
  press('Ctrl-W', 'w');
  expect(shown()).toEqual([true, false]);
});

test('two panes: closing one leaves the other', () => {
  const {press, panes} = dividedFixture();
  press('Ctrl-W', 'c');
  expect(panes()).toBe('[#backend › deploy]');
  const second = dividedFixture();
  second.press('Ctrl-W', 'o');
  expect(second.panes()).toBe('[#web › css]');
});

test('two panes: a small terminal hides one and says so; a larger one shows it again', () => {
  const fixture = dividedFixture({size: '120x30'});
  const {app, resize, isOtherShown, toast, status, press, panes} = fixture;
  startScreenWatchers(app);
  app.frames.paintNow();
  resize(119, 30);
  expect(isOtherShown()).toBe(false);
  expect(toast()).toBe('Two panes need 120 columns: one of them is hidden · Ctrl-W w shows the other one');
  press('Ctrl-W', 'w');
  expect([panes(), status()]).toEqual(['[#backend › deploy] | #web › css', expect.stringContaining('1 pane hidden')]);
  resize(120, 30);
  expect([isOtherShown(), panes()]).toEqual([true, '[#backend › deploy] | #web › css']);
  press('Ctrl-W', 's');
  expect(toast()).toBe('Two panes one below the other need 40 rows; this terminal has 30');
});

test('two panes: a start in a terminal that is too small says so', () => {
  const {app, toast, resize} = dividedFixture({size: '120x30'});
  app.set({size: {columns: 80, rows: 24}});
  // The watchers of a start find the panes of the last run.
  startScreenWatchers(app);
  resize(80, 24);
  expect(toast()).toMatch(/^Two panes need 120 columns: one of them is hidden/);
});

test('two panes: without a second one the keys say how to get it', () => {
  const {press, toast} = paneFixture({view: deploy, size: '119x40'});
  press('Ctrl-W', 'w');
  expect(toast()).toBe('There is one pane; Ctrl-W v shows a second one');
  press('Ctrl-W', 'v');
  expect(toast()).toBe('Two panes side by side need 120 columns; this terminal has 119');
});

test('two panes: each keeps its text, its cursor and whether it is being written', () => {
  const {press, type, app, clock, otherComposer, session} = dividedFixture();
  press('r');
  type('about styles');
  press('Left', 'Ctrl-X', 'w');
  expect(app.screen.focus).toBe('main');
  expect(otherComposer()).toMatch(/^› about styles .*draft$/);
  // The ids of drafts have the time in them.
  clock.advance(1000);
  press('r');
  type('about servers');
  press('Ctrl-X', 'w');
  const {field, isOpen} = app.screen.composer;
  expect([app.screen.focus, isOpen, field.text, field.cursor]).toEqual(['composer', true, 'about styles', 11]);
  expect(otherComposer()).toMatch(/^› about servers .*draft$/);
  press('Ctrl-X', 'w');
  expect([app.screen.focus, app.screen.composer.field.text]).toEqual(['composer', 'about servers']);
  expect(session.drafts.forConversation(css)).toEqual([expect.objectContaining({content: 'about styles'})]);
});

test('two panes: closing the one that is being written keeps its text as a draft', () => {
  const {press, type, app, session} = dividedFixture();
  press('r');
  type('kept');
  press('Ctrl-X', 'w', 'Ctrl-W', 'o');
  expect(app.screen.otherPane).toBeUndefined();
  expect(session.drafts.forConversation(css)).toEqual([expect.objectContaining({content: 'kept'})]);
});

test('two panes: both may show the same conversation, each at its own message', () => {
  const {press, app} = dividedFixture();
  openConversation(app, topicConversation(backend, 'deploy'));
  press('k');
  const selected = () => [app.screen.view, app.screen.otherPane?.view].map((view) => view?.kind);
  expect(selected()).toEqual(['messages', 'messages']);
  const places = () => [
    app.screen.timelines.values().toArray().at(-1)?.selected,
    app.screen.otherPane?.timeline?.selected,
  ];
  const before = places();
  expect(before[0]).not.toBe(before[1]);
  press('Ctrl-W', 'w', 'Ctrl-W', 'w');
  expect(places()).toEqual(before);
});

test('two panes: a click focuses the pane under the mouse and selects there; the wheel scrolls it without the focus', () => {
  const {app, take, panes} = dividedFixture({size: '120x24'});
  openConversation(app, css);
  app.frames.paintNow();
  const {other} = screenLayout(app.frame);
  const cell = {x: (other?.x ?? 0) + 5, y: (other?.y ?? 0) + 5};
  take({kind: 'mouse', action: 'wheel', button: 'none', wheel: 'up', ...cell});
  expect(panes()).toBe('#backend › deploy | [#web › css]');
  const shown = otherPaneFrame(app.frames.paintedFrame);
  const row = shown && mainTimelineNow(shown)?.window?.rows.at(-1);
  const y = (shown ? screenLayout(shown).main.y : 0) + (row?.last ?? 0);
  take({kind: 'mouse', action: 'press', button: 'left', x: cell.x, y});
  expect(panes()).toBe('[#backend › deploy] | #web › css');
  expect(selectedRow(app)).toBe(row?.key);
  // In the composer of the other pane it begins a reply there.
  const composer = screenLayout(otherPaneFrame(app.frames.paintedFrame) ?? app.frame).composer;
  take({kind: 'mouse', action: 'press', button: 'left', x: composer?.x ?? 0, y: composer?.y ?? 0});
  expect([panes(), app.screen.focus, app.screen.composer.target]).toEqual([
    '#backend › deploy | [#web › css]',
    'composer',
    css,
  ]);
});

test('two panes: other programs see both views', () => {
  const {app, press} = dividedFixture();
  const other = () => describeScreen(app).otherPane;
  expect(other()).toEqual({account: 'acme', view: {kind: 'messages', title: '#backend › deploy'}, isShown: true});
  press('Ctrl-W', 'z');
  expect(other()?.isShown).toBe(false);
  press('Ctrl-W', 'o');
  expect(other()).toBeNull();
});

test('two panes: the channel list lies over two panes that need the width, and people are a view', () => {
  const {app, press} = dividedFixture({size: '130x24'});
  expect(screenLayout(app.frame)).toMatchObject({channels: undefined, people: undefined});
  press('\\');
  expect(screenLayout(app.frame)).toMatchObject({isDrawer: true, channels: {x: 0}});
  press('Esc', '|');
  expect(app.screen.view).toEqual({kind: 'people'});
});

test('two panes: the inbox does not say that a conversation read beside it was read elsewhere', () => {
  const {app, press, panes} = paneFixture({settings: {markRead: 'on-view'}});
  press('t', 'I', 'j', 'k', 'Ctrl-W', 'v');
  expect(panes()).toBe('Inbox | [#backend › deploy]');
  const inbox = () => {
    const frame = otherPaneFrame(app.frames.paintedFrame);
    const rect = frame && inboxLayout(frame, screenLayout(frame).main).list;
    return frame === undefined || rect === undefined ? [] : textOf(listPane(inboxList)(frame, rect));
  };
  app.frames.paintNow();
  expect(inbox().find((line) => line.startsWith('▐'))).toMatch(/✓ .*deploy read/);
  expect(inbox().join()).not.toContain('elsewhere');
});

test('two panes: the wheel scrolls the preview of an inbox without the focus, which stays scrolled, with its rows in their order', () => {
  const {app, take, press} = paneFixture({size: '200x50'});
  press('Ctrl-W', 'v');
  const {x, y} = previewRect(otherPaneFrame(app.frame) ?? app.frame) ?? expect.unreachable();
  expect(app.screen.inbox).toMatchObject({isOrderFrozen: false});
  take({kind: 'mouse', action: 'wheel', button: 'none', wheel: 'up', x: x + 2, y: y + 2});
  take({kind: 'mouse', action: 'wheel', button: 'none', wheel: 'down', x: x + 2, y: y + 2});
  expect(app.screen.inbox).toMatchObject({
    isOrderFrozen: true,
    preview: {key: topicConversationKey(backend, 'deploy')},
  });
});

test('two panes: the wheel scrolls the list of the pane without the focus, and it stays scrolled', () => {
  const {app, take, press} = paneFixture({size: '120x11'});
  press('Ctrl-W', 'v');
  const {x, y} = screenLayout(otherPaneFrame(app.frame) ?? app.frame).main;
  for (let step = 0; step < 3; step++)
    take({kind: 'mouse', action: 'wheel', button: 'none', wheel: 'down', x: x + 2, y: y + 3});
  expect(app.screen.lists.inbox.top).toBeGreaterThan(0);
});
