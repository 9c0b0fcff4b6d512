import {expect, test} from 'vitest';
import {withFacts} from '#content/message-facts.ts';
import {parseMessage} from '#content/parse-message.ts';
import {plainText} from '#content/plain-text.ts';
import type {ServerOptions} from '#server/server.ts';
import {topicNarrow} from '#state/model/narrow.ts';
import {restoreState} from '#state/persistence/persistence.ts';
import type {Session, SessionOptions} from '#state/session.ts';
import type {AccountState} from '#state/state.ts';
import {systemClock} from '#std/clock.ts';
import {openAccountStore} from '#storage/open-account-store.ts';
import {clientOf} from '#test/api/client.ts';
import {expectTimeline, hasMessage, sessionFixture, waitForState} from '#test/state/session-fixture.ts';
import {messageContext} from '#ui/format/message-context.ts';

type Rename = {readonly user?: string; readonly group?: string; readonly channel?: string};

/** A server with an owner who renames, and Meg's sessions, which record their requests for renderings. */
async function factsFixture(options: ServerOptions = {}) {
  const fixture = await sessionFixture(options);
  const {server, meg, otto, channelId} = fixture;
  const owner = server.as(server.people.owner());
  const group = await owner.post('/user_groups/create', {name: 'crew', description: '', members: [otto.id]});
  const {store} = openAccountStore({path: ':memory:', clock: systemClock, random: () => 0.5, log: () => {}});
  const renderings: (readonly number[] | 'range')[] = [];
  const lost = {count: 0};
  /** Requests for events wait for this. */
  const polling = {mayStart: Promise.resolve()};
  const session = (given: Partial<SessionOptions> = {}) => {
    const api = clientOf(server, meg);
    api.connection.level = 0;
    const getMessages: typeof api.getMessages = (args, callOptions) => {
      if (args?.apply_markdown !== false) {
        renderings.push(args?.message_ids ?? 'range');
        if (lost.count-- > 0) return Promise.reject(new Error('lost'));
      }
      return api.getMessages(args, callOptions);
    };
    const getEvents: typeof api.getEvents = async (args, callOptions) => {
      await polling.mayStart;
      return api.getEvents(args, callOptions);
    };
    return fixture.session({api: {...api, getMessages, getEvents}, store, ...given});
  };
  const rename = async ({user, group: groupName, channel}: Rename) => {
    if (user !== undefined) await owner.patch(`/users/${otto.id}`, {full_name: user});
    if (groupName !== undefined) await owner.patch(`/user_groups/${group.group_id}`, {name: groupName});
    if (channel !== undefined) await owner.patch(`/streams/${channelId}`, {new_name: channel});
  };
  const talk = topicNarrow(channelId, 'talk');
  /** Shows the topic, as a screen does. */
  const show = async (shown: Session) => {
    await shown.timelines.open(talk, 'newest');
    shown.timelines.keepOpen(talk);
    shown.timelines.setViewedMessage(talk, shown.cache.state.maxMessageId);
  };
  return {...fixture, owner, store, renderings, lost, polling, session, rename, show, talk};
}

function textOf(state: AccountState, id: number): string | undefined {
  const message = state.messages.byId.get(id);
  return message && plainText(parseMessage(message.content, withFacts(messageContext(state), message.facts)));
}

/** Returns the ids of the users that a message mentions, as shown. */
function mentionsOf(state: AccountState, id: number): readonly number[] {
  const message = state.messages.byId.get(id);
  const tokens = parseMessage(message?.content ?? '', withFacts(messageContext(state), message?.facts));
  return [...JSON.stringify(tokens).matchAll(/"userId":(\d+)/g)].map(([, userId]) => Number(userId));
}

const showsText = (id: number, text: string) => (state: AccountState) => textOf(state, id) === text;
const isRendered = (id: number) => (state: AccountState) => state.messages.byId.get(id)?.facts?.isRendered === true;
const hasFacts = (id: number) => (state: AccountState) => state.messages.byId.get(id)?.facts !== undefined;
const everyName = '@**Otto** @*crew* #**general** #**general>tea**';

async function started(session: Session): Promise<Session> {
  session.start();
  await session.ready();
  return session;
}

test('facts: emoticons are emoji by the setting of the sender, not of the reader', async () => {
  const {session, show, server, meg, otto, channelId} = await factsFixture();
  await server.as(meg).patch('/settings', {translate_emoticons: true});
  const reader = await started(session());
  await show(reader);
  const content = {type: 'stream', to: channelId, topic: 'talk', content: 'done :)'};
  const his = await server.as(otto).post('/messages', content);
  const mine = await server.as(meg).post('/messages', content);
  // The facts of a message are known soon after it has arrived, in the order of the messages.
  await waitForState(reader, showsText(mine.id, 'done 🙂'));
  expect(textOf(reader.cache.state, his.id)).toBe('done :)');
  await server.as(otto).patch('/settings', {translate_emoticons: true});
  await server.as(otto).patch(`/messages/${his.id}`, {content: 'all done :)'});
  await waitForState(reader, showsText(his.id, 'all done 🙂'));
});

test('facts: a rename shows today’s names in messages from before it, without a request', async () => {
  const {session, rename, show, postMessage, renderings, otto} = await factsFixture();
  const old = await postMessage(`@**Otto|${otto.id}** ${everyName}`);
  const client = await started(session());
  await show(client);
  const live = await postMessage(`\`\`\`quote\n${everyName}\n\`\`\``);
  await waitForState(client, (state) => hasFacts(old)(state) && hasFacts(live)(state));
  await rename({user: 'Otto the Great', group: 'sailors', channel: 'main hall'});
  const today = '@sailors #main hall #main hall > tea';
  await waitForState(client, showsText(old, `@Otto the Great @Otto the Great ${today}`));
  expect(textOf(client.cache.state, live)).toBe(`Otto the Great ${today.slice(1)}`);
  expect(renderings).toEqual([]);
});

test('facts: names that were given up before the start are read from one rendering', async () => {
  const {session, rename, show, postMessage, renderings, ...fixture} = await factsFixture();
  const ids = [await postMessage(everyName), await postMessage('plain'), await postMessage('@**Otto**')];
  const [first = 0, , third = 0] = ids;
  await rename({user: 'Otto the Great', group: 'sailors', channel: 'main hall'});
  const client = await started(session());
  await show(client);
  await waitForState(client, showsText(first, '@Otto the Great @sailors #main hall #main hall > tea'));
  expect(textOf(client.cache.state, third)).toBe('@Otto the Great');
  expect(renderings).toEqual([[third, first]]);
  await expectTimeline({...fixture, session, postMessage}, client, fixture.talk);
});

test('facts: a former name that one rendering explained is known in other conversations', async () => {
  const {session, rename, show, postMessage, renderings, channelId} = await factsFixture();
  const [talk, tea] = [await postMessage('@**Otto** talks'), await postMessage('@**Otto** drinks', 'tea')];
  await rename({user: 'Otto the Great'});
  const client = await started(session());
  await show(client);
  await waitForState(client, isRendered(talk));
  await client.timelines.open(topicNarrow(channelId, 'tea'));
  await waitForState(client, showsText(tea, '@Otto the Great drinks'));
  expect(renderings).toEqual([[talk]]);
});

test('facts: what is known is not requested again, neither after a new registration nor by the next start', async () => {
  const {session, store, rename, show, postMessage, renderings, hook} = await factsFixture();
  const id = await postMessage('@**Otto** here');
  await rename({user: 'Otto the Great'});
  const first = await started(session());
  await show(first);
  await waitForState(first, isRendered(id));
  await first.stop();
  expect(renderings).toEqual([[id]]);
  const second = await started(session({initial: restoreState(store)}));
  await show(second);
  await hook('expire-queues');
  const live = await postMessage('@**Nobody** there');
  await waitForState(second, isRendered(live));
  expect(textOf(second.cache.state, id)).toBe('@Otto the Great here');
  expect(renderings).toEqual([[id], [live]]);
});

test('facts: a restart without a connection shows names of today', async () => {
  const {session, store, rename, postMessage, hook} = await factsFixture();
  const client = await started(session());
  const id = await postMessage(everyName);
  await waitForState(client, hasFacts(id));
  await rename({user: 'Otto the Great', group: 'sailors', channel: 'main hall'});
  await waitForState(client, showsText(id, '@Otto the Great @sailors #main hall #main hall > tea'));
  await client.stop();
  await hook('fault', {kind: 'drop_before', times: 100_000});
  const offline = session({initial: restoreState(store)});
  expect(textOf(offline.cache.state, id)).toBe('@Otto the Great @sailors #main hall #main hall > tea');
});

test('facts: an edit brings its rendering; facts about the text before it are dropped', async () => {
  const {server, otto, session, rename, show, postMessage, renderings} = await factsFixture();
  const id = await postMessage('@**Otto** here');
  const client = await started(session());
  await show(client);
  await waitForState(client, hasFacts(id));
  await rename({user: 'Otto the Great'});
  await server.as(otto).patch(`/messages/${id}`, {content: '@**Otto** there'});
  await waitForState(client, (state) => isRendered(id)(state) && showsText(id, '@Otto there')(state));
  expect(client.cache.state.messages.byId.get(id)?.facts).toEqual({isRendered: true});
  expect(renderings).toEqual([]);
});

const preview =
  '<p><a href="https://tide.example">https://tide.example</a></p><div class="message_embed"><div class="data-container">' +
  '<div class="message_embed_title"><a href="https://tide.example" title="Tides">Tides</a></div>' +
  '<div class="message_embed_description">High water.</div></div></div>';
const tides = {url: 'https://tide.example', title: 'Tides', description: 'High water.'};

test('facts: a link preview that the server makes later appears without a request', async () => {
  const {session, postMessage, renderings, hook} = await factsFixture();
  const client = await started(session());
  const id = await postMessage('https://tide.example');
  await waitForState(client, hasMessage(id));
  await hook('rendering', {message_id: id, html: preview});
  await waitForState(client, isRendered(id));
  expect(client.cache.state.messages.byId.get(id)?.facts?.previews).toEqual([tides]);
  expect(renderings).toEqual([]);
});

test('facts: a new rendering of a message that is only on disk is saved', async () => {
  const {session, store, postMessage, hook} = await factsFixture({rateLimited: false});
  const client = await started(session());
  const id = await postMessage('https://tide.example', 'tea');
  await waitForState(client, hasMessage(id));
  await client.stop();
  // More than a start fetches.
  for (let i = 0; i < 201; i++) await postMessage(`tide ${i}`);
  const next = await started(session());
  await hook('rendering', {message_id: id, html: preview});
  await expect.poll(() => store.messages.byIds([id])[0]?.facts?.previews).toEqual([tides]);
  expect(next.cache.state.messages.byId.has(id)).toBe(false);
});

test('facts: the dimensions of an image near the screen are fetched', async () => {
  const {server, otto, session, show, postMessage} = await factsFixture();
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  const {body} = await server.as(otto).upload('/user_uploads', 'dot.png', png, 'image/png');
  const id = await postMessage(`[dot.png](${body.url})`);
  const client = await started(session());
  await show(client);
  await waitForState(client, isRendered(id));
  expect(client.cache.state.messages.byId.get(id)?.facts?.images).toEqual({
    [body.url]: {width: 1, height: 1, contentType: 'image/png'},
  });
});

test('facts: after a change of linkifiers, older messages keep the links that they were sent with', async () => {
  const {owner, session, show, postMessage, renderings, polling} = await factsFixture();
  // The change and the message after it arrive in one response.
  const {promise, resolve: startPolling} = Promise.withResolvers<void>();
  polling.mayStart = promise;
  const pattern = 'T-(?P<id>[0-9]+)';
  const {id: linkifier} = await owner.post('/realm/filters', {pattern, url_template: 'https://old.example/{id}'});
  const ids = [await postMessage('see T-7'), await postMessage('no link')];
  const client = await started(session());
  await show(client);
  await owner.patch(`/realm/filters/${linkifier}`, {pattern, url_template: 'https://new.example/{id}'});
  const later = await postMessage('see T-8');
  startPolling();
  await waitForState(client, (state) => isRendered(ids[0] ?? 0)(state) && hasMessage(later)(state));
  expect(client.cache.state.messages.byId.get(ids[0] ?? 0)?.facts?.links).toEqual({'T-7': 'https://old.example/7'});
  expect(renderings).toEqual([[ids[0]]]);
});

test('facts: nothing is fetched for messages that are not near the screen', async () => {
  const {session, show, postMessage, renderings} = await factsFixture();
  const away = await postMessage('@**Nobody** away', 'elsewhere');
  const far: number[] = [];
  for (let i = 0; i < 60; i++) far.push(await postMessage('@**Nobody** far'));
  const near: number[] = [];
  for (let i = 0; i < 60; i++) near.push(await postMessage('@**Nobody** near'));
  const client = await started(session());
  await client.timelines.open(topicNarrow(1, 'elsewhere'));
  await show(client);
  await waitForState(client, isRendered(near.at(-1) ?? 0));
  expect(renderings.flat().length).toBeLessThanOrEqual(100);
  expect(renderings).toHaveLength(1);
  expect(renderings.flat()).toContain(away);
  expect(renderings.flat()).not.toContain(far[0]);
});

test('facts: a server that does not return messages by id is asked for the range on screen', async () => {
  const {session, rename, show, postMessage, renderings} = await factsFixture({level: 250});
  const id = await postMessage('@**Otto** here');
  await rename({user: 'Otto the Great'});
  const client = await started(session());
  await show(client);
  await waitForState(client, showsText(id, '@Otto the Great here'));
  expect(renderings).toEqual(['range']);
});

test('facts: a failed request is repeated later', async () => {
  const {session, rename, show, postMessage, renderings, lost} = await factsFixture();
  lost.count = 1;
  const id = await postMessage('@**Otto** here');
  await rename({user: 'Otto the Great'});
  const client = await started(session());
  await show(client);
  await waitForState(client, isRendered(id));
  expect(renderings).toEqual([[id], [id]]);
});

/** As after an import, which gives users other ids and changes them in renderings only. */
test('facts: where id and name of a mention disagree, the rendering says who is mentioned', async () => {
  const {session, show, postMessage, renderings, hook, server, meg, otto} = await factsFixture();
  const twin = server.people.add('Otto', {email: 'twin@example.com'});
  const span = (id: number) => `<span class="user-mention" data-user-id="${id}">@Otto</span>`;
  const silent = (id: number) => `<span class="user-mention silent" data-user-id="${id}">Otto</span>`;
  const cases = [
    [`@**Otto|${meg.id}** and @**Otto|9991**`, `<p>${span(otto.id)} and ${span(twin.id)}</p>`],
    [`@_**Otto|9992**`, `<p>${silent(twin.id)}</p>`],
    [`> @**Otto|${meg.id}**`, `<blockquote><p>${silent(otto.id)}</p></blockquote>`],
    [`@**Meg|${otto.id}** is text`, `<p>@<strong>Meg|${otto.id}</strong> is text</p>`],
  ] as const;
  const ids: number[] = [];
  for (const [content, html] of cases) {
    const id = await postMessage(content);
    await hook('rendering', {message_id: id, html});
    ids.push(id);
  }
  const agreed = await postMessage(`@**Otto|${twin.id}** @**Otto|${otto.id}**`);
  const client = await started(session());
  await show(client);
  await waitForState(client, (state) => ids.every((id) => isRendered(id)(state)));
  const {state} = client.cache;
  expect(mentionsOf(state, ids[0] ?? 0)).toEqual([otto.id, twin.id]);
  expect(mentionsOf(state, ids[1] ?? 0)).toEqual([twin.id]);
  expect(mentionsOf(state, ids[2] ?? 0)).toEqual([otto.id]);
  expect(mentionsOf(state, ids[3] ?? 0)).toEqual([]);
  expect(mentionsOf(state, agreed)).toEqual([twin.id, otto.id]);
  expect(renderings).toHaveLength(1);
  expect(renderings.flat()).not.toContain(agreed);
});

test('facts: a mention with the former name of a user and their id stays a mention of them', async () => {
  const {session, rename, show, postMessage, renderings, otto, server} = await factsFixture();
  const id = await postMessage(`@**Otto|${otto.id}** here`);
  await rename({user: 'Otto the Great'});
  server.people.add('Otto', {email: 'twin@example.com'});
  const client = await started(session());
  await show(client);
  await waitForState(client, isRendered(id));
  expect(mentionsOf(client.cache.state, id)).toEqual([otto.id]);
  expect(textOf(client.cache.state, id)).toBe('@Otto the Great here');
  expect(renderings).toEqual([[id]]);
});

test('facts: a name is text in a message from before the group, channel or user of that name', async () => {
  let aheadMs = 0;
  const clock = {...systemClock, now: () => systemClock.now() + aheadMs};
  const {owner, session, show, postMessage, renderings, server} = await factsFixture({clock});
  const before = await postMessage('@*night* #**dock** #**dock>tea** @**Zoe**');
  aheadMs = 40 * 86_400_000;
  await owner.post('/user_groups/create', {name: 'night', description: '', members: []});
  await owner.post('/channels/create', {name: 'dock', subscribers: []});
  const zoe = server.people.member('Zoe');
  const after = await postMessage('@*night* #**dock** #**dock>tea** @**Zoe**');
  const client = await started(session());
  await show(client);
  await waitForState(client, isRendered(before));
  expect(textOf(client.cache.state, before)).toBe('@night #dock #dock>tea @Zoe');
  expect(mentionsOf(client.cache.state, before)).toEqual([]);
  expect(mentionsOf(client.cache.state, after)).toEqual([zoe.id]);
  expect(renderings).toEqual([[before]]);
});
