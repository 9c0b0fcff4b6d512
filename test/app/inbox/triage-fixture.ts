import {onTestFinished} from 'vitest';
import {type Api, makeApi} from '#api/api.ts';
import {openView} from '#app/navigation/navigation.ts';
import {reportRefusals} from '#app/watchers/report-problems.ts';
import type {AccountStore} from '#state/account-store.ts';
import {conversationOf, withMessages} from '#state/messages/loaded-messages.ts';
import {type Conversation, conversationKey} from '#state/model/conversation.ts';
import type {Message} from '#state/model/message.ts';
import {conversationNarrow} from '#state/model/narrow.ts';
import {noUnreads} from '#state/model/unread.ts';
import {createSession, type Session} from '#state/session.ts';
import type {AccountState} from '#state/state.ts';
import {addUnreads} from '#state/unreads/unreads.ts';
import {openAccountStore} from '#storage/open-account-store.ts';
import {connectTo} from '#test/api/client.ts';
import {buildMessageEvent, channelMessage} from '#test/state/messages/wire-events.ts';
import {type AppFixture, type AppFixtureOptions, appFixture} from '#test/support/app-fixture.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import {inboxParts, placedText} from '#test/support/part-lines.ts';
import * as eg from '#test/support/state-builders.ts';
import {inboxList} from '#ui/inbox/inbox-list.ts';
import {cursorRow} from '#ui/lists/visible-rows.ts';
import {screenLayout} from '#ui/screen-layout.ts';

/** Noon on the first of January 2026, UTC. */
export const noonMs = Date.UTC(2026, 0, 1, 12);
const noon = noonMs / 1000;

const [web, backend, random] = [1, 2, 3];

/** `[message, isMention]`, oldest first. */
type FixtureMessage = readonly [message: Message, isMention?: boolean];

function inTopic(id: number, channelId: number, topic: string, content = `message ${id}`): Message {
  return eg.message({id, channelId, topic, content, timestamp: noon - 3600 + 60 * id});
}

const fixtureMessages: readonly FixtureMessage[] = [
  [inTopic(1, backend, 'freeze', 'can we lift the freeze?'), true],
  [inTopic(2, backend, 'freeze', 'it is *urgent*')],
  [eg.direct({id: 3, content: 'lunch?', timestamp: noon - 3000})],
  [inTopic(4, web, 'css')],
  [inTopic(5, web, 'login')],
  [inTopic(6, web, 'login')],
  [inTopic(7, backend, 'logs')],
  [inTopic(8, random, 'cats')],
];

/** An account with a mention, a direct message, topics of two channels, and a muted channel. */
export function triageAccount(more: readonly FixtureMessage[] = []): AccountState {
  const all = [...fixtureMessages, ...more];
  return eg.state({
    channels: eg.byId(
      eg.channel({id: web, name: 'web'}),
      eg.channel({id: backend, name: 'backend'}),
      eg.channel({id: random, name: 'random'}),
    ),
    subscriptions: eg.subscribed(
      eg.subscription({channelId: web}),
      eg.subscription({channelId: backend}),
      eg.subscription({channelId: random, isMuted: true}),
    ),
    users: eg.users(eg.user(), eg.user({id: 11, fullName: 'Carol Diaz'})),
    messages: withMessages(
      eg.state().messages,
      all.map(([message]) => message),
    ),
    unreads: addUnreads(
      noUnreads,
      all.map(([message, isMention = false]) => ({
        id: message.id,
        conversation: conversationOf(message),
        isMention,
      })),
    ),
    settings: {...eg.state().settings, twentyFourHourTime: true},
    maxMessageId: 100,
  });
}

export interface TriageFixtureOptions extends Omit<Partial<AppFixtureOptions>, 'session'> {
  readonly account?: AccountState;
  readonly clock?: ManualClock;
  readonly store?: AccountStore;
  /** The server's responses to some requests. */
  readonly api?: Partial<Api>;
  /** Online, the common case, requests are sent and not answered yet; offline they wait. */
  readonly connection?: 'online' | 'offline';
}

export function memoryStore(clock: ManualClock): AccountStore {
  const {store} = openAccountStore({path: ':memory:', clock, random: Math.random, log: () => {}});
  onTestFinished(() => store.close());
  return store;
}

/** Returns an API whose requests are not answered during the test, except those that `answers` has. */
function silentApi(answers: Partial<Api> = {}): Api {
  const connection = connectTo({site: 'http://127.0.0.1:9'});
  connection.call = () => new Promise(() => {});
  return {...makeApi(connection), ...answers};
}

const connections = {
  online: {phase: 'online'},
  offline: {phase: 'offline', since: 0, retryAt: undefined, problem: '', savedAt: undefined},
} as const;

export interface TriageFixture extends AppFixture {
  readonly clock: ManualClock;
  readonly store: AccountStore;
  readonly session: Session;
  /** The text of the pane. */
  pane(): readonly string[];
  /** The label of the row under the cursor. */
  at(): string | undefined;
  toast(): string | undefined;
  unread(): readonly number[];
  /** Ends the program; returns the next run on the same disk. */
  restart(next?: TriageFixtureOptions): TriageFixture;
  /** Applies a new message of a topic. Painted only with the next key. */
  arrive(id: number, channelId: number, topic: string, flags?: readonly string[]): void;
  /** Loads all messages of a conversation. */
  load(conversation: Conversation): void;
  /** Marks messages read as another client would. */
  readElsewhere(...ids: number[]): void;
}

/** The inbox of an account with a server that does not answer: changes show at once and stay pending. */
export function triageFixture(options: TriageFixtureOptions = {}): TriageFixture {
  const {account = triageAccount(), clock = new ManualClock(noonMs), connection = 'online', ...appOptions} = options;
  const store = options.store ?? memoryStore(clock);
  const session = createSession({
    api: silentApi(options.api),
    store,
    clock,
    random: Math.random,
    log: () => {},
    initial: {...account, connection: connections[connection]},
    pendingChanges: {onRefusal: reportRefusals(() => fixture.app)},
  });
  const fixture: AppFixture = appFixture({...appOptions, session, clock});
  const {app} = fixture;
  openView(app, appOptions.view ?? {kind: 'inbox'});
  app.update((screen) => ({...screen, inbox: {...screen.inbox, isOrderFrozen: true}}));
  app.frames.paintNow();
  return {
    ...fixture,
    clock,
    store,
    session,
    pane: () => {
      const {main} = screenLayout(app.frame);
      return placedText(inboxParts(app.frame, main), main);
    },
    at: () => cursorRow(app.frame, inboxList)?.label,
    toast: () => app.screen.toast?.text,
    unread: () => [...app.state.unreads.byId.keys()],
    restart: (next = {}) => {
      app.end();
      return triageFixture({...options, clock, store, ...next});
    },
    arrive: (id, channelId, topic, flags = []) => {
      const sent = {sender_id: 11, content: `message ${id}`, timestamp: noon};
      const message = channelMessage({id, stream_id: channelId, subject: topic, ...sent});
      session.cache.apply(buildMessageEvent(message, ...flags));
    },
    load: (conversation) => {
      const {messages} = session.cache.state;
      const ids = messages.byConversation.get(conversationKey(conversation)) ?? [];
      session.cache.apply(
        {type: 'timeline_opened', narrow: conversationNarrow(conversation)},
        {type: 'fetch_started'},
        {
          type: 'messages_fetched',
          messages: [...ids].flatMap((id) => messages.byId.get(id) ?? []),
          unreadIds: [...ids],
          since: undefined,
          page: {
            narrow: conversationNarrow(conversation),
            joins: 'replace',
            anchor: undefined,
            foundOldest: true,
            foundNewest: true,
            matches: [],
          },
        },
      );
      app.frames.paintNow();
    },
    readElsewhere: (...ids) => {
      session.cache.apply({
        type: 'update_message_flags',
        id: 1,
        op: 'add',
        flag: 'read',
        messages: ids,
        all: false,
      });
      app.frames.paintNow();
    },
  };
}

export {backend, inTopic, random, web};
