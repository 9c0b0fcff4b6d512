import {expect, test} from 'vitest';
import {onlyAccount} from '#app/core/host.ts';
import {changeTimeline} from '#app/navigation/navigation.ts';
import {changeOtherPane} from '#app/panes/other-pane.ts';
import {restoredPanes, savedPanes, watchPanes} from '#app/panes/saved-panes.ts';
import {initialState} from '#state/initial-state.ts';
import {directNarrow, topicNarrow} from '#state/model/narrow.ts';
import {triageFixture} from '#test/app/inbox/triage-fixture.ts';
import {messagesView, viewKey} from '#ui/core/frame.ts';
import {newTimelineState} from '#ui/message-pane/timeline-state.ts';
import {newScreen} from '#ui/new-screen.ts';
import type {OtherPane} from '#ui/other-pane/other-pane-state.ts';

const talk = messagesView(topicNarrow(1, 'talk'));
const direct = messagesView(directNarrow([5]), 'dm:otto');
const place = {...newTimelineState, selected: 40, anchor: {id: 38, skippedLines: 1}, openAt: undefined};

const otherPane: OtherPane = {
  view: direct,
  back: [{account: 'acme', view: talk}],
  forward: [],
  focus: 'composer',
  timeline: {...place, selected: 7, anchor: undefined},
  newestKnown: 12,
  composer: undefined,
  direction: 'below',
  isFirst: true,
  isZoomed: true,
};

/** Saves the panes and reads them as the next start does. */
function restarted(pane: OtherPane | undefined, selected: number | string = 40) {
  const timelines = new Map([[viewKey(talk), {...place, selected}]]);
  const screen = {...newScreen({columns: 200, rows: 50}, talk), timelines, otherPane: pane};
  const json = JSON.stringify(savedPanes({screen, state: initialState, accounts: onlyAccount}) ?? null);
  return restoredPanes(JSON.parse(json), {maxMessageId: 99});
}

test('saved panes: the next start has both views, their places and how they are divided', () => {
  const panes = restarted(otherPane);
  expect(panes?.view).toEqual(talk);
  expect(panes?.timelines.get(viewKey(talk))).toMatchObject({selected: 40, anchor: {id: 38, skippedLines: 1}});
  expect(panes?.otherPane).toMatchObject({
    ...{view: direct, direction: 'below', isFirst: true, isZoomed: true},
    ...{back: [], focus: 'main', newestKnown: 99},
    timeline: {selected: 7, anchor: undefined, openAt: undefined},
  });
});

test('saved panes: each change of how they are divided is on disk with its paint, a place a moment later and at the end', () => {
  const {app, press, clock} = triageFixture({size: '200x50'});
  watchPanes(app);
  const written = () => JSON.parse(app.session.context.store.keyValues.get('panes') ?? 'null');
  press('Ctrl-W', 'v');
  expect(written()).toMatchObject({direction: 'beside', isFirst: true, isZoomed: false});
  press('Ctrl-W', 'z');
  expect(written()).toMatchObject({isZoomed: true});
  press('Ctrl-W', 'z', 'Ctrl-W', 'w', 'Ctrl-W', 'w');
  expect(written()).toMatchObject({isFirst: true, isZoomed: false});
  changeOtherPane(app, {direction: 'below'});
  app.frames.paintNow();
  expect(written()).toMatchObject({direction: 'below'});
  const place = () =>
    changeTimeline(app, app.screen.view, (state) => ({...state, selected: (Number(state.selected) || 0) + 1}));
  place();
  app.frames.paintNow();
  const before = written();
  clock.advance(10_000);
  expect(written()).not.toEqual(before);
  const later = written();
  place();
  app.frames.paintNow();
  expect(written()).toEqual(later);
  app.end();
  expect(written()).not.toEqual(later);
});

test('saved panes: without a second pane nothing is kept', () => {
  expect(restarted(undefined)).toBeUndefined();
});

test('saved panes: a place at a message that was not sent yet opens at the first unread one', () => {
  expect(restarted(otherPane, 'outbox id')?.timelines.size).toBe(0);
});

const saved = {direction: 'beside', isFirst: false, isZoomed: false, focused: {view: talk}, other: {view: direct}};
const withView = (view: unknown) => ({...saved, other: {view}});

test.each([
  undefined,
  null,
  'panes',
  [],
  {},
  {...saved, focused: undefined},
  withView('inbox'),
  withView({kind: 'unknown'}),
  withView({kind: 'topics'}),
  withView({kind: 'drafts', tab: 'lost'}),
  withView({kind: 'channels', tab: 3}),
  withView({kind: 'catchUp', since: '1'}),
  withView({kind: 'messages'}),
  withView({kind: 'messages', narrow: [{operator: 'channel'}]}),
  withView({kind: 'messages', narrow: [], query: 4}),
])('saved panes: a value that cannot be read is ignored: %j', (value) => {
  expect(restoredPanes(value, {maxMessageId: 1})).toBeUndefined();
});

test.each([
  {kind: 'inbox'},
  {kind: 'recent'},
  {kind: 'topics', channelId: 3},
  {kind: 'drafts', tab: 'outbox'},
  {kind: 'channels'},
  {kind: 'channels', tab: 'archived'},
  {kind: 'catchUp', since: 1, upTo: 2},
  talk,
])('saved panes: %j is a view of the next start', (view) => {
  expect(restoredPanes(withView(view), {maxMessageId: 1})?.otherPane?.view).toEqual(view);
});

test('saved panes: a place of the wrong type is ignored, not the view', () => {
  const bad = {...saved, other: {view: direct, selected: 4, anchor: 'top', firstUnread: 'x', unreadCount: null}};
  const {otherPane: pane} = restoredPanes({...bad, focused: {view: talk, selected: 'a'}}, {maxMessageId: 1}) ?? {};
  expect(pane?.timeline).toMatchObject({selected: 4, anchor: undefined, firstUnread: undefined, unreadCount: 0});
});
