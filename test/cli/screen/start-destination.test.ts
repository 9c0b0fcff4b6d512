import {expect, test} from 'vitest';
import type {App} from '#app/core/app.ts';
import {openView} from '#app/navigation/navigation.ts';
import {openSettingsList} from '#app/settings/settings-list.ts';
import {defaultView, initialView, openStartDestination, parseStartDestination} from '#cli/screen/start-destination.ts';
import {topicConversation} from '#state/model/conversation.ts';
import {channelNarrow, combinedFeedNarrow, topicNarrow} from '#state/model/narrow.ts';
import {noUnreads} from '#state/model/unread.ts';
import {addUnreads} from '#state/unreads/unreads.ts';
import {sessionFixture} from '#test/state/session-fixture.ts';
import {appFixture} from '#test/support/app-fixture.ts';
import {overlayRows} from '#test/support/overlay-text.ts';
import * as eg from '#test/support/state-builders.ts';
import {messagesView} from '#ui/core/frame.ts';
import {openedPicker} from '#ui/overlays/picker-rows.ts';

const state = () => {
  const channel = eg.channel({name: 'general'});
  const otto = eg.user({id: 21, fullName: 'Otto'});
  return {channel, otto, known: eg.state({channels: eg.byId(channel), users: eg.users(eg.user(), otto)})};
};

test('start: a channel, a topic and a user are destinations', () => {
  const {channel, otto, known} = state();
  expect(parseStartDestination(known, '#general')).toMatchObject({narrow: channelNarrow(channel.id)});
  expect(parseStartDestination(known, '#general>boats')).toMatchObject({
    narrow: topicNarrow(channel.id, 'boats'),
  });
  expect(parseStartDestination(known, '@Otto')).toMatchObject({
    narrow: [{operator: 'dm', operand: [otto.id]}],
  });
  expect(parseStartDestination(known, 'general')).toMatchObject({narrow: channelNarrow(channel.id)});
});

test('start: an unknown channel or user is an error; other words are a search', () => {
  const {known} = state();
  expect(parseStartDestination(known, '#genral')).toMatchObject({problem: expect.stringContaining('genral')});
  expect(parseStartDestination(known, '@Nobody')).toHaveProperty('problem');
  expect(parseStartDestination(known, 'tide clock')).toEqual({
    narrow: [{operator: 'search', operand: 'tide clock'}],
    query: 'tide clock',
  });
  expect(parseStartDestination(known, 'is:starred')).toMatchObject({
    narrow: [{operator: 'is', operand: 'starred'}],
  });
});

test('start: the first frame shows the destination if the saved state knows it', () => {
  const {channel, known} = state();
  expect(initialView(known, '#general')).toEqual(messagesView(channelNarrow(channel.id), 'channel:general'));
  expect(initialView(known, '#genral')).toEqual({kind: 'inbox'});
  expect(initialView(known, {kind: 'triage'})).toEqual({kind: 'triage'});
});

test('start: a part of a name opens what it means', () => {
  const {channel, otto, known} = state();
  expect(initialView(known, '@ott')).toEqual(messagesView([{operator: 'dm', operand: [otto.id]}]));
  expect(initialView(known, '#gen')).toEqual(messagesView(channelNarrow(channel.id), 'channel:general'));
  expect(initialView(known, 'sender:ott boats')).toMatchObject({query: 'sender:Otto boats'});
});

test('start: a search with a term that is not understood stays in the search box with the reason', async () => {
  const fixture = await sessionFixture();
  const session = fixture.session();
  const {app} = appFixture({session});
  openStartDestination(app, 'channel:nope boats');
  session.start();
  await session.ready();
  await expect.poll(() => openedPicker(app)?.field.text).toBe('channel:nope boats');
  expect(overlayRows(app)[1]).toBe(' There is no channel called “nope”.');
});

test.each([
  ['another view', (app: App) => openView(app, {kind: 'drafts', tab: 'drafts'}), {kind: 'drafts'}],
  ['a menu', (app: App) => openSettingsList(app), {kind: 'inbox'}],
])(
  'start: a destination that only the server knows does not replace %s, which the user opened meanwhile',
  async (_, open, view) => {
    const fixture = await sessionFixture();
    const session = fixture.session();
    const {app} = appFixture({session, view: {kind: 'inbox'}});
    openStartDestination(app, '#general');
    open(app);
    session.start();
    await session.ready();
    await new Promise((resolve) => setImmediate(resolve));
    expect(app.screen.view).toMatchObject(view);
  },
);

test('start: the default view is the inbox when there are unread messages, else the home view', () => {
  const {known, channel} = state();
  const recent = {...known, settings: {...known.settings, webHomeView: 'recent' as const}};
  expect(defaultView(recent)).toEqual({kind: 'recent'});
  const feed = {...known, settings: {...known.settings, webHomeView: 'all_messages' as const}};
  expect(defaultView(feed)).toEqual(messagesView(combinedFeedNarrow));
  const conversation = topicConversation(channel.id, 'boats');
  const unreads = addUnreads(noUnreads, [{id: 5, conversation, isMention: false}]);
  const subscriptions = eg.subscribed(eg.subscription({channelId: channel.id}));
  const unread = {...recent, unreads, subscriptions};
  expect(defaultView(unread)).toEqual({kind: 'inbox'});
});
