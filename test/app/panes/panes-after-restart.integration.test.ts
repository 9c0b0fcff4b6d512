import {join} from 'node:path';
import {expect, test} from 'vitest';
import {selectRow} from '#app/message-pane/selection.ts';
import {openConversation, openView} from '#app/navigation/navigation.ts';
import {focusOtherPane, openInOtherPane} from '#app/panes/other-pane.ts';
import {openRestoredPane, restorePanes, watchPanes} from '#app/panes/saved-panes.ts';
import {topicConversation} from '#state/model/conversation.ts';
import {systemClock} from '#std/clock.ts';
import {openAccountStore} from '#storage/open-account-store.ts';
import {untilApp} from '#test/app/message-actions/message-fixture.ts';
import {hasMessage, type SessionFixture, sessionFixture, waitForState} from '#test/state/session-fixture.ts';
import {appFixture} from '#test/support/app-fixture.ts';
import {textOf} from '#test/support/frame-fixture.ts';
import {messagePaneLines} from '#test/support/part-lines.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {shownConversation, type View} from '#ui/core/frame.ts';
import {selectedRow} from '#ui/message-pane/selected-message.ts';
import {otherPaneFrame} from '#ui/other-pane/other-pane-frame.ts';
import {screenLayout} from '#ui/screen-layout.ts';

/** Starts the client on a database; `end` ends it. */
async function run(fixture: SessionFixture, path: string, own?: View) {
  const {store} = openAccountStore({path, clock: systemClock, random: Math.random, log: () => {}});
  const session = fixture.session({store});
  const parts = appFixture({session, size: '140x40', settings: {markRead: 'on-done'}, ...(own && {view: own})});
  const {app} = parts;
  restorePanes(app, own !== undefined);
  watchPanes(app);
  session.start();
  await session.ready();
  openView(app, app.screen.view, {isRevisit: true});
  openRestoredPane(app);
  const topicOf = (view: View | undefined) => {
    const shown = view && shownConversation({view});
    return shown?.kind === 'topic' ? shown.topic : view?.kind;
  };
  return {
    ...parts,
    session,
    topics: () => [topicOf(app.screen.view), topicOf(app.screen.otherPane?.view)],
    otherText: () => {
      const frame = otherPaneFrame(app.frames.paintedFrame);
      return frame === undefined ? '' : textOf(messagePaneLines(frame, screenLayout(frame).main)).join('\n');
    },
    end: async () => {
      app.end();
      await session.stop();
      store.close();
    },
  };
}

async function dividedAtEnd() {
  const fixture = await sessionFixture();
  const path = join(scratchDirectory(), 'account.db');
  const ids: number[] = [];
  for (let at = 0; at < 60; at++) ids.push(await fixture.postMessage(`talk ${at}`, 'talk'));
  const plan = await fixture.postMessage('first plan', 'plans');
  const first = await run(fixture, path);
  const [talk, plans] = ['talk', 'plans'].map((topic) => topicConversation(fixture.channelId, topic));
  if (talk === undefined || plans === undefined) throw new Error('two topics');
  openConversation(first.app, talk);
  await waitForState(first.session, hasMessage(ids[59] ?? 0));
  await untilApp(first.app, () => selectedRow(first.app) !== undefined);
  selectRow(first.app, ids[30] ?? 0);
  openInOtherPane(first.app, 'beside', () => openConversation(first.app, plans));
  await untilApp(first.app, () => selectedRow(first.app) === plan);
  return {fixture, path, first, ids, plan, plans};
}

test('two panes: a restart shows both views at their places', async () => {
  const {fixture, path, first, ids, plan} = await dividedAtEnd();
  await first.end();
  const {app, topics, otherText} = await run(fixture, path);
  expect(topics()).toEqual(['plans', 'talk']);
  await untilApp(app, () => otherText().includes('talk 30') && selectedRow(app) === plan);
  expect(app.screen.otherPane).toMatchObject({direction: 'beside', isFirst: true, timeline: {selected: ids[30]}});
  focusOtherPane(app);
  expect(selectedRow(app)).toBe(ids[30]);
});

test('two panes: a start with a view of its own keeps the other pane', async () => {
  const {fixture, path, first} = await dividedAtEnd();
  await first.end();
  const {topics} = await run(fixture, path, {kind: 'recent'});
  expect(topics()).toEqual(['recent', 'talk']);
});

test('two panes: after closing one, a restart shows one', async () => {
  const {fixture, path, first} = await dividedAtEnd();
  first.press('Ctrl-W', 'c');
  await first.end();
  expect((await run(fixture, path)).topics()).toEqual(['inbox', undefined]);
});

test('two panes: they are saved without an orderly end', async () => {
  const {fixture, path, first} = await dividedAtEnd();
  const {keyValues} = first.session.context.store;
  await expect.poll(() => keyValues.get('panes')).toContain('plans');
  // The second program starts while the first one still runs, as after SIGKILL.
  expect((await run(fixture, path)).topics()).toEqual(['plans', 'talk']);
});
