import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {encodePng} from '#terminal/images/pixels.ts';
import type {ApiClient, Params} from '#test/support/api-client.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import type {Person} from '#test/support/people.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {type TestServer, testServer} from '#test/support/server.ts';

const minute = 60_000;
const hour = 60 * minute;

/** When the screens are looked at: noon of a Tuesday. */
const noon = Date.UTC(2026, 2, 10, 12);

/** An organization of a harbour whose owner, Mira, looks at the screen. */
interface HarbourWorld {
  readonly server: TestServer;
  readonly clock: ManualClock;
  readonly mira: Person;
}

/** The harbour as a file. */
interface SavedWorld {
  readonly database: Uint8Array;
  readonly secrets: TestServer['context']['secrets'];
  readonly mira: Person;
}

let saved: Promise<SavedWorld> | undefined;

/** Starts a server with a small organization, in which two days of messages were sent. They are sent once for all tests. */
export async function harbourWorld(): Promise<HarbourWorld> {
  saved ??= sendEverything();
  const {database, secrets, mira} = await saved;
  const file = join(scratchDirectory(), 'harbour.db');
  writeFileSync(file, database);
  const clock = new ManualClock(noon);
  const server = await testServer({database: file, secrets, clock, testHooks: true, rateLimited: false});
  return {server, clock, mira};
}

async function sendEverything(): Promise<SavedWorld> {
  const clock = new ManualClock(Date.UTC(2026, 2, 9, 9));
  const server = await testServer({clock, rateLimited: false});
  const {people} = server;
  const mira = people.owner('Mira Holt');
  const otto = people.member('Otto Brandt');
  const ada = people.admin('Ada Okafor');
  const jonas = people.member('Jonas Weiss');
  const lea = people.guest('Lea Park');
  const bot = people.bot('Tide Bot', ada);
  const crew = [mira, otto, ada, jonas];
  people.channel('harbour', [...crew, lea, bot]);
  people.channel('engines', crew);
  people.channel('winter storage of the sailing club', [mira, otto]);
  people.channel('crew', [mira, ada], {invite_only: 1});
  people.channel('social', [otto, jonas]);
  people.setting('name', 'Harbour');
  const as = (person: Person): ApiClient => server.as(person);
  const send = async (person: Person, to: string, topic: string, content: string): Promise<number> =>
    (await as(person).post('/messages', {type: 'stream', to, topic, content, read_by_sender: true})).id;
  const direct = (person: Person, to: readonly Person[], content: string) =>
    as(person).post('/messages', {type: 'direct', to: to.map(({id}) => id), content, read_by_sender: true});
  const react = (person: Person, id: number, name: string) =>
    as(person).post(`/messages/${id}/reactions`, {emoji_name: name});

  await describeChannels(as(mira), server);
  const oil = await send(
    otto,
    'engines',
    'oil pressure',
    'The old pump loses pressure after an hour. Has anybody seen it?',
  );
  await send(mira, 'engines', 'oil pressure', 'Yes, on Friday. I noted the values in the log.');
  clock.advance(2 * hour);
  await send(
    ada,
    'harbour',
    'berths in April',
    'We have **twelve** guests and ten berths, see #**engines** for the crane.',
  );
  await send(lea, 'harbour', 'berths in April', 'Two boats may lie side by side at the north quay.');
  clock.advance(4 * hour);
  const chat = await send(
    mira,
    'harbour',
    'winch',
    'The winch stops after ten metres. Here is what the controller says:',
  );
  await send(mira, 'harbour', 'winch', winchLog);
  clock.advance(12 * minute);
  await send(otto, 'harbour', 'winch', quotation(mira, chat));
  clock.advance(15 * hour);
  const poll = await send(ada, 'harbour', 'winch', '/poll When do we repair it?\nToday\nTomorrow\nNext week');
  await vote(as(otto), poll, 0);
  await vote(as(jonas), poll, 1);
  await vote(as(lea), poll, 1);
  const parts = await send(jonas, 'harbour', 'winch', partsList);
  await react(mira, parts, '+1');
  await react(otto, parts, '+1');
  await react(lea, parts, 'tada');
  const {body} = await as(jonas).upload('/user_uploads', 'winch.png', new Uint8Array(encodePng(blank(320, 200))));
  await send(jonas, 'harbour', 'winch', `[winch.png](${body.url})`);
  await markRead(as(mira), 'harbour', 'winch');
  clock.advance(3 * hour);
  await send(bot, 'harbour', 'tides', 'High water at 16:05, 3.4 m. Low water at 22:20, 0.6 m.');
  await send(otto, 'harbour', 'tides', '@**Mira Holt** can you move the pilot boat before four?');
  await send(jonas, 'engines', 'oil pressure', 'I ordered a new pump, it arrives on Thursday.');
  await send(
    otto,
    'winter storage of the sailing club',
    'which boats stay outside until the end of April',
    'Four so far.',
  );
  await react(ada, oil, 'eyes');
  await direct(otto, [mira], 'Are you at the quay this afternoon?');
  await direct(ada, [mira, jonas], 'Shall we meet about the berths tomorrow at nine?');
  await as(ada).post('/users/me/status', {status_text: 'On the crane', emoji_name: 'construction'});
  await personalItems(as(mira), server, clock);
  clock.advance(noon - clock.now());
  await as(otto).post('/users/me/presence', {status: 'active', ping_only: false});
  await as(jonas).post('/users/me/presence', {status: 'idle', ping_only: false});
  const file = join(scratchDirectory(), 'harbour.db');
  await server.context.db.copyTo(file);
  return {database: readFileSync(file), secrets: server.context.secrets, mira};
}

const winchLog = [
  '```python',
  'for metre in range(12):',
  '    if load(metre) > 4.5:',
  '        raise Overload(metre)  # stops at 10',
  '```',
].join('\n');

const partsList = [
  'What we need:',
  '* a **brake pad** ([catalogue](https://parts.example/pads))',
  '* `M12` bolts',
  '',
  '| part | price |',
  '| --- | ---: |',
  '| pad | 84 |',
  '| bolts | 6 |',
].join('\n');

function quotation(author: Person, id: number): string {
  const link = `[said](#narrow/channel/1-harbour/topic/winch/near/${id})`;
  return `@_**${author.fullName}|${author.id}** ${link}:\n\`\`\`quote\nThe winch stops after ten metres.\n\`\`\`\nThat is the brake. ~~Motor~~ :wrench:`;
}

function blank(width: number, height: number) {
  return {rgba: new Uint8Array(width * height * 4).fill(255), width, height};
}

async function describeChannels(mira: ApiClient, {context}: TestServer): Promise<void> {
  const idOf = (name: string) => context.db.value<number>('SELECT id FROM channel WHERE name = ?', name);
  await mira.patch(`/streams/${idOf('harbour')}`, {description: 'Berths, tides and the weather.'});
  await mira.patch(`/streams/${idOf('engines')}`, {description: 'Everything that has a **motor**.'});
  const change = {stream_id: idOf('harbour'), property: 'pin_to_top', value: true};
  await mira.post('/users/me/subscriptions/properties', {subscription_data: [change]});
}

function vote(client: ApiClient, poll: number, option: number): Promise<unknown> {
  const content = JSON.stringify({type: 'vote', key: `canned,${option}`, vote: 1});
  return client.post('/submessage', {message_id: poll, msg_type: 'widget', content});
}

function markRead(client: ApiClient, channel: string, topic: string): Promise<unknown> {
  const narrow = [
    {operator: 'channel', operand: channel},
    {operator: 'topic', operand: topic},
  ];
  const range = {anchor: 'newest', num_before: 100, num_after: 0, include_anchor: true};
  return client.post('/messages/flags/narrow', {...range, narrow, op: 'add', flag: 'read'});
}

/** Adds a draft and a scheduled message. */
async function personalItems(mira: ApiClient, {context}: TestServer, clock: ManualClock): Promise<void> {
  const channelId = context.db.value<number>("SELECT id FROM channel WHERE name = 'harbour'");
  const draft: Params = {
    type: 'stream',
    to: [channelId],
    topic: 'berths in April',
    content: 'The yard has room for three more if we',
    timestamp: clock.seconds(),
  };
  await mira.post('/drafts', {drafts: [draft]});
  const scheduled_delivery_timestamp = clock.seconds() + 86_400;
  const later = {type: 'channel', to: channelId, topic: 'tides', content: 'Spring tide today.'};
  await mira.post('/scheduled_messages', {...later, scheduled_delivery_timestamp});
}
