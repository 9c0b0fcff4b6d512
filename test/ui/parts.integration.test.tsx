/**
 * The parts of the screen, each rendered alone over the query cache of a real client, which the requests and events of a real
 * server fill.
 */

import {stripVTControlCharacters} from 'node:util';
import {Box} from 'ink';
import type {ComponentType} from 'react';
import {expect, test} from 'vitest';
import type {Api} from '#api/api.ts';
import {openView} from '#app/navigation/navigation.ts';
import {topicConversation} from '#state/model/conversation.ts';
import {channelNarrow, topicNarrow} from '#state/model/narrow.ts';
import type {Session} from '#state/session.ts';
import {clientOf} from '#test/api/client.ts';
import {hasMessage, type SessionFixture, sessionFixture, waitForState} from '#test/state/session-fixture.ts';
import {appFixture} from '#test/support/app-fixture.ts';
import {renderInk} from '#test/support/render-ink.tsx';
import {ChannelList} from '#ui/channel-list/ChannelList.tsx';
import {Composer} from '#ui/composer/Composer.tsx';
import {messagesView, type View} from '#ui/core/frame.ts';
import {DraftsPanel} from '#ui/drafts-panel/DraftsPanel.tsx';
import {AppContext} from '#ui/hooks/use-select.ts';
import type {PartProps} from '#ui/Lines.tsx';
import {MessagePane} from '#ui/message-pane/MessagePane.tsx';
import {TopicList} from '#ui/topic-list/TopicList.tsx';

const [columns, rows] = [72, 12];
const rect = {x: 0, y: 0, columns, rows};

/** Renders one part of the screen; `view` is the view that the app shows. */
function rendered(session: Session, Part: ComponentType<PartProps>, view: View) {
  const fixture = appFixture({session, size: '120x40'});
  const ink = renderInk(
    <AppContext value={fixture.app}>
      <Box width={columns} height={rows}>
        <Part rect={rect} />
      </Box>
    </AppContext>,
    `${columns}x${rows}`,
  );
  openView(fixture.app, view);
  const text = () => stripVTControlCharacters(ink.rows().join('\n'));
  return {...fixture, text, shows: (expected: string | RegExp) => expect.poll(text).toMatch(expected)};
}

function Sidebar(props: PartProps) {
  return <ChannelList {...props} isFloating={false} />;
}

const inbox: View = {kind: 'inbox'};
const drafts: View = {kind: 'drafts', tab: 'drafts'};
const outbox: View = {kind: 'drafts', tab: 'outbox'};
const talk = ({channelId}: SessionFixture) => messagesView(topicNarrow(channelId, 'talk'));

/** Returns a client whose requests by one function wait until `open` is called. */
function gatedSession(fixture: SessionFixture, name: 'getTopics' | 'getMessages') {
  const {promise: gate, resolve: open} = Promise.withResolvers<void>();
  const plain = clientOf(fixture.server, fixture.meg);
  const send: Pick<Api, typeof name> = {
    getTopics: async (...args) => gate.then(() => plain.getTopics(...args)),
    getMessages: async (...args) => gate.then(() => plain.getMessages(...args)),
  };
  return {session: fixture.session({api: {...plain, [name]: send[name]}}), open};
}

async function started(session: Session): Promise<Session> {
  session.start();
  await session.ready();
  return session;
}

async function loseServer({hook}: SessionFixture, session: Session): Promise<void> {
  await hook('fault', {kind: 'drop_before', times: 100_000});
  session.wake('resumed');
  await waitForState(session, ({connection}) => connection.phase === 'offline');
}

function refuse({hook}: SessionFixture, path: string, method = 'GET') {
  return hook('fault', {method, path, kind: 'status', status: 400, code: 'BAD_REQUEST', times: 100});
}

test('ChannelList: loading, then the channels of the registration', async () => {
  const fixture = await sessionFixture();
  const session = fixture.session();
  const {shows, text} = rendered(session, Sidebar, inbox);
  await shows('Loading…');
  expect(text()).toContain('Inbox');
  await started(session);
  await shows('#general');
  expect(text()).not.toContain('Loading');
});

test('ChannelList: a server that cannot be reached, then the channels', async () => {
  const fixture = await sessionFixture();
  await fixture.hook('fault', {kind: 'drop_before', times: 100_000});
  const session = fixture.session();
  session.start();
  const {shows} = rendered(session, Sidebar, inbox);
  await shows('Not connected yet.');
  await fixture.hook('clear-faults');
  session.wake('manual');
  await shows('#general');
});

test('ChannelList: without channels it says so, and an event adds one', async () => {
  const fixture = await sessionFixture();
  const session = await started(fixture.session({api: clientOf(fixture.server, fixture.server.people.member('Nora'))}));
  const {shows} = rendered(session, Sidebar, inbox);
  await shows('No channels yet.');
  const args = {subscriptions: [{name: 'general'}], principals: [session.cache.state.self.userId]};
  await fixture.server.as(fixture.server.people.owner()).post('/users/me/subscriptions', args);
  await shows('#general');
});

test('ChannelList: events of messages and presence change its rows, and it stays offline', async () => {
  const fixture = await sessionFixture();
  const {server, otto, meg} = fixture;
  const session = await started(fixture.session());
  const {shows} = rendered(session, Sidebar, inbox);
  await server.as(otto).post('/messages', {type: 'direct', to: [meg.id], content: 'hi'});
  await shows(/Otto +1/);
  await server.as(otto).post('/users/me/presence', {status: 'active'});
  await shows(/● Otto +1/);
  await loseServer(fixture, session);
  await shows(/Otto +1/);
});

test('TopicList: loading, then the topics; an event adds one', async () => {
  const fixture = await sessionFixture();
  const quiet = fixture.server.people.channel('quiet', [fixture.meg, fixture.otto]);
  const {session, open} = gatedSession(fixture, 'getTopics');
  await started(session);
  const {shows} = rendered(session, TopicList, messagesView(channelNarrow(quiet)));
  await shows('Loading topics…');
  open();
  await shows('No topics yet. c begins one.');
  await fixture.server.as(fixture.otto).post('/messages', {type: 'stream', to: quiet, topic: 'news', content: 'one'});
  await shows(/All messages\n {2}news/);
});

test('TopicList: an error says why and how to try again, which loads the topics', async () => {
  const fixture = await sessionFixture();
  await fixture.postMessage('hello', 'talk');
  await refuse(fixture, '/users/me/');
  const session = await started(fixture.session());
  const {shows, text, press} = rendered(session, TopicList, messagesView(channelNarrow(fixture.channelId)));
  await shows('Topics could not be loaded: Injected fault. · Ctrl-L tries again');
  await fixture.hook('clear-faults');
  press('Ctrl-L');
  await waitForState(session, ({topics}) => topics.get(fixture.channelId)?.complete === true);
  await expect.poll(text).toMatch(/^ {2}#general\n▐ All messages\n {2}talk\n\s*$/);
});

test('TopicList: offline it shows the topics that are known, and says so', async () => {
  const fixture = await sessionFixture();
  const id = await fixture.postMessage('hello', 'talk');
  const session = await started(fixture.session());
  await waitForState(session, hasMessage(id));
  await loseServer(fixture, session);
  const {shows} = rendered(session, TopicList, messagesView(channelNarrow(fixture.channelId)));
  await shows(/talk\n\n {2}Offline: showing saved topics/);
});

test('MessagePane: loading, then the messages; an event adds one', async () => {
  const fixture = await sessionFixture();
  await fixture.postMessage('hello');
  const {session, open} = gatedSession(fixture, 'getMessages');
  session.start();
  await waitForState(session, ({connection}) => connection.phase === 'online');
  const {shows} = rendered(session, MessagePane, talk(fixture));
  await shows('Loading messages…');
  open();
  await shows('hello');
  await fixture.postMessage('again');
  await shows(/hello.*again/s);
});

test('MessagePane: a topic without messages', async () => {
  const fixture = await sessionFixture();
  const session = await started(fixture.session());
  await rendered(session, MessagePane, talk(fixture)).shows('No messages in #general › talk yet.');
});

test('MessagePane: an error says why and how to try again, which loads the messages', async () => {
  const fixture = await sessionFixture();
  await fixture.postMessage('hello');
  await refuse(fixture, '/messages');
  const session = await started(fixture.session());
  const {shows, press} = rendered(session, MessagePane, talk(fixture));
  await shows(/These messages could not be loaded: Injected fault\.\n {2}j tries again/);
  await fixture.hook('clear-faults');
  press('j');
  await shows('hello');
});

test('MessagePane: offline it shows the saved messages, and says so', async () => {
  const fixture = await sessionFixture();
  const id = await fixture.postMessage('hello');
  const session = await started(fixture.session());
  await waitForState(session, hasMessage(id));
  await loseServer(fixture, session);
  await rendered(session, MessagePane, talk(fixture)).shows(/hello.*Offline: showing saved messages/s);
});

test('Composer: where a reply would go, the text that is written, and the draft that remains', async () => {
  const fixture = await sessionFixture();
  await fixture.postMessage('hello');
  const session = await started(fixture.session());
  const {shows, press, type} = rendered(session, Composer, talk(fixture));
  await shows('r writes to #general › talk');
  press('r');
  type('good morning');
  await shows('good morning');
  press('Esc');
  await shows(/good morning +✎ draft/);
});

test('Composer: an event that takes away the right to post is said in its place', async () => {
  const fixture = await sessionFixture();
  const session = await started(fixture.session());
  const {shows} = rendered(session, Composer, talk(fixture));
  await shows('r writes to #general › talk');
  const admins = [...session.cache.state.groups.values()].find(({name}) => name === 'role:administrators')?.id;
  const owner = fixture.server.as(fixture.server.people.owner());
  await owner.patch(`/streams/${fixture.channelId}`, {can_send_message_group: {new: admins}});
  await shows('You do not have permission to write in #general.');
});

test('DraftsPanel: loading, empty, and the draft of another client that an event adds', async () => {
  const fixture = await sessionFixture();
  const session = fixture.session();
  const {shows} = rendered(session, DraftsPanel, drafts);
  await shows('Loading…');
  await started(session);
  await shows('No drafts.');
  const draft = {type: 'stream', to: [fixture.channelId], topic: 'lunch', content: 'soup?', timestamp: 1_700_000_000};
  await fixture.server.as(fixture.meg).post('/drafts', {drafts: [draft]});
  await shows(/#general › lunch.*soup\?/s);
});

test('DraftsPanel: offline it shows what is on disk and not on the server', async () => {
  const fixture = await sessionFixture();
  const session = await started(fixture.session());
  await loseServer(fixture, session);
  session.drafts.edit(undefined, {target: topicConversation(fixture.channelId, 'talk'), content: 'later'});
  await rendered(session, DraftsPanel, drafts).shows(/#general › talk +not synced yet.*later/s);
});

test('DraftsPanel: a message that the server refused is in the outbox with the reason', async () => {
  const fixture = await sessionFixture();
  const session = await started(fixture.session());
  const {shows} = rendered(session, DraftsPanel, outbox);
  await shows('The outbox is empty.');
  await refuse(fixture, '/messages', 'POST');
  session.outbox.send({conversation: topicConversation(fixture.channelId, 'talk'), content: 'hello'});
  await shows(/#general › talk +not sent.*hello\n +! Injected fault\./s);
});
