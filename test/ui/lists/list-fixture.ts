import {initialState} from '#state/initial-state.ts';
import {conversationOf, withMessages} from '#state/messages/loaded-messages.ts';
import type {Message} from '#state/model/message.ts';
import {conversationNarrow, narrowKey} from '#state/model/narrow.ts';
import {emptyTimeline} from '#state/model/timeline.ts';
import {noUnreads} from '#state/model/unread.ts';
import type {AccountState} from '#state/state.ts';
import {addUnreads} from '#state/unreads/unreads.ts';
import {type AppFixtureOptions, appFixture} from '#test/support/app-fixture.ts';
import {textOf} from '#test/support/frame-fixture.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import {listPane} from '#test/support/part-lines.ts';
import * as eg from '#test/support/state-builders.ts';
import {unstartedSession} from '#test/support/unstarted-session.ts';
import type {Frame, View} from '#ui/core/frame.ts';
import {type ListSource, listPaneRect} from '#ui/lists/list-source.ts';
import {type ListState, newListState} from '#ui/lists/list-state.ts';
import {newScreen} from '#ui/new-screen.ts';
import {screenLayout} from '#ui/screen-layout.ts';

/** Noon on the first of January 2026, UTC. */
export const noonMs = Date.UTC(2026, 0, 1, 12);
const noon = noonMs / 1000;

export const backend = 1;
export const web = 2;
export const random = 3;
export const [bo, dan] = [11, 12];

/** The account's messages, oldest first; all unread except those with `isRead`. */
const fixtureMessages: readonly {
  readonly message: Message;
  readonly isRead?: true;
  readonly isMention?: true;
}[] = [
  {message: eg.message({id: 1, channelId: backend, topic: 'deploy', timestamp: noon - 7200}), isRead: true},
  {
    message: eg.message({id: 2, channelId: backend, topic: 'deploy', timestamp: noon - 3600}),
    isMention: true,
  },
  {message: eg.message({id: 3, channelId: backend, topic: 'logs', timestamp: noon - 1800})},
  {message: eg.message({id: 4, channelId: web, topic: 'css', timestamp: noon - 900})},
  {message: eg.message({id: 5, channelId: web, topic: '✔ login', timestamp: noon - 800}), isRead: true},
  {message: eg.message({id: 6, channelId: random, topic: 'cats', timestamp: noon - 700})},
  {message: eg.direct({id: 7, userIds: [bo], senderId: bo, timestamp: noon - 300})},
  {message: eg.direct({id: 8, userIds: [dan], senderId: dan, timestamp: noon - 60}), isRead: true},
];

/** Options with the messages of all conversations loaded, and read only when they are marked. */
export function loadedConversations(): Pick<ListFixtureOptions, 'account' | 'settings'> {
  let timelines = initialState.timelines;
  for (const {message} of fixtureMessages) {
    const narrow = conversationNarrow(conversationOf(message));
    const {ids} = timelines.get(narrowKey(narrow)) ?? emptyTimeline(narrow);
    const timeline = {...emptyTimeline(narrow), ids: ids.with(message.id), hasOldest: true, hasNewest: true};
    timelines = timelines.with(narrowKey(narrow), timeline);
  }
  return {account: {timelines}, settings: {markRead: 'on-done'}};
}

/** A small organization: two other users, two channels and a muted one, and unread messages almost everywhere. */
export function listAccount(fields: Partial<AccountState> = {}): AccountState {
  const messages = fixtureMessages.map(({message}) => message);
  const unread = fixtureMessages.filter(({isRead}) => isRead !== true);
  return eg.state({
    users: eg.users(
      eg.user({id: eg.selfId, fullName: 'Ann Lee'}),
      eg.user({id: bo, fullName: 'Bo Wu'}),
      eg.user({id: dan, fullName: 'Dan Ito'}),
    ),
    realm: {...initialState.realm, name: 'acme'},
    settings: {...initialState.settings, twentyFourHourTime: true},
    channels: eg.byId(
      eg.channel({id: backend, name: 'backend', description: 'servers', subscriberCount: 3}),
      eg.channel({id: web, name: 'web', streamWeeklyTraffic: 12}),
      eg.channel({id: random, name: 'random'}),
      eg.channel({id: 4, name: 'elsewhere'}),
    ),
    subscriptions: eg.subscribed(
      eg.subscription({channelId: backend, pinToTop: true}),
      eg.subscription({channelId: web}),
      eg.subscription({channelId: random, isMuted: true}),
    ),
    messages: withMessages(initialState.messages, messages),
    unreads: addUnreads(
      noUnreads,
      unread.map(({message, isMention}) => ({
        id: message.id,
        conversation: conversationOf(message),
        isMention: isMention === true,
      })),
    ),
    connection: {phase: 'online'},
    maxMessageId: 8,
    ...fields,
  });
}

type ListFixtureOptions = Omit<Partial<AppFixtureOptions>, 'session' | 'clock'> & {
  readonly account?: Partial<AccountState>;
};

/** An app over this account, without a server. */
export function listFixture({account = {}, ...options}: ListFixtureOptions = {}) {
  const clock = new ManualClock(noonMs);
  const session = unstartedSession(listAccount(account), clock);
  const fixture = appFixture({...options, session, clock});
  const {app} = fixture;
  return {
    ...fixture,
    clock,
    session,
    /** The text of a list. */
    rows: (list: ListSource) => listText(app.frame, list),
    toast: () => app.screen.toast?.text,
    unread: () => [...app.state.unreads.byId.keys()],
  };
}

export function listText(frame: Frame, list: ListSource): readonly string[] {
  const rect = listPaneRect(list, frame.screen.view, screenLayout(frame));
  return rect === undefined ? [] : textOf(listPane(list)(frame, rect));
}

/** Returns the lists of a screen, with one of them in another state. */
export function listsWith({id}: ListSource, state: Partial<ListState>, view: View = {kind: 'inbox'}) {
  const {lists} = newScreen({columns: 80, rows: 24}, view);
  return {...lists, [id]: {...newListState, ...state}};
}
