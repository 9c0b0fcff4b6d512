import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {findUser} from '#server/db/users.ts';
import {fillTemplate, parseBotScripts, readBotScripts, replyPicker} from '#server/demo-bots/bot-runtime.ts';
import {startDemoBots} from '#server/demo-bots/start-demo-bots.ts';
import {seedDemoWorld} from '#server/seed/demo-world.ts';
import {type RunningServer, startServer} from '#server/server.ts';
import {Random} from '#std/random.ts';
import {ApiClient, type Reply} from '#test/support/api-client.ts';
import {ManualClock} from '#test/support/manual-clock.ts';

const minute = 60_000;
/** Longer than any bot thinks and types. */
const maxReplyMs = 15_000;

const clock = new ManualClock(new Date(2026, 10, 11, 14, 0).getTime());
const loggedErrors: unknown[] = [];
let server: RunningServer;
let you: ApiClient;

beforeAll(async () => {
  const random = new Random(7);
  server = await startServer({
    clock,
    random: () => random.next(),
    prepare: seedDemoWorld,
    bots: 'quiet',
    log: (line, error) => loggedErrors.push(line, error),
  });
  you = as('you');
});
afterAll(() => server.close());

function idOf(key: string): number {
  const userIds = JSON.parse(server.context.db.value<string>(`SELECT value FROM meta WHERE key = 'cast'`) ?? '{}');
  return userIds[key];
}

function as(key: string): ApiClient {
  const user = findUser(server.context.db, idOf(key));
  if (user === undefined) throw new Error(`No user has the key ${key}`);
  const apiKey = server.context.secrets.apiKey(user);
  const person = {id: user.id, email: user.delivery_email, fullName: user.full_name, apiKey};
  return new ApiClient(server.url, person, {isChecked: true});
}

const channelId = (name: string): number => server.context.db.value('SELECT id FROM channel WHERE name = ?', name) ?? 0;
const newestId = () => server.context.db.value('SELECT MAX(id) FROM message') ?? 0;
const messagesAfter = (id: number) =>
  server.context.db.all<Reply>('SELECT * FROM message WHERE id > ? ORDER BY id', id);

async function sendDirect(client: ApiClient, keys: string[], content: string): Promise<number> {
  const {id} = await client.post('/messages', {type: 'direct', to: keys.map(idOf), content});
  return id;
}

async function sendToChannel(client: ApiClient, channel: string, topic: string, content: string): Promise<number> {
  const {id} = await client.post('/messages', {type: 'channel', to: channelId(channel), topic, content});
  return id;
}

describe('a bot that gets a direct message', () => {
  test('types, then answers once by its rules', async () => {
    const listener = await you.listen({event_types: ['message', 'typing']});
    const id = await sendDirect(you, ['pilot'], 'where are my drafts?');
    expect(messagesAfter(id)).toEqual([]);
    clock.advance(maxReplyMs);
    const answers = messagesAfter(id);
    expect(answers).toHaveLength(1);
    expect(answers[0]).toMatchObject({sender_id: idOf('pilot')});
    clock.advance(5 * minute);
    expect(messagesAfter(id)).toHaveLength(1);
    const events = (await listener.events()).map(({type, op}) => (op === undefined ? type : `${type} ${op}`));
    expect(events).toEqual(['message', 'typing start', 'typing stop', 'message']);
    expect(loggedErrors).toEqual([]);
  });

  test('answers the newest of several quick messages', async () => {
    await sendDirect(you, ['kettle'], 'soup?');
    const id = await sendDirect(you, ['kettle'], 'no, coffee');
    clock.advance(maxReplyMs);
    const answers = messagesAfter(id);
    expect(answers).toHaveLength(1);
    expect(answers[0]?.content).toMatch(/coffee|pot|Fresh/);
  });

  test('does not answer when its script says mentions only, or none', async () => {
    await sendDirect(you, ['tide'], 'high?');
    const id = await sendDirect(you, ['shipwright'], 'built?');
    clock.advance(maxReplyMs);
    expect(messagesAfter(id)).toEqual([]);
  });

  test('answers in a group conversation only when it is mentioned', async () => {
    const id = await sendDirect(you, ['pilot', 'priya'], 'how do I search?');
    clock.advance(maxReplyMs);
    expect(messagesAfter(id)).toEqual([]);
    const next = await sendDirect(you, ['pilot', 'priya'], '@**Pilot** how do I search?');
    clock.advance(maxReplyMs);
    expect(messagesAfter(next)).toMatchObject([
      {sender_id: idOf('pilot'), content: expect.stringMatching(/search|finds/i)},
    ]);
  });
});

describe('a bot that is mentioned in a channel', () => {
  test('answers in the topic, by the text beside its name', async () => {
    const id = await sendToChannel(you, 'galley', 'soup', '@**Kettle** what is for lunch?');
    clock.advance(maxReplyMs);
    const answers = messagesAfter(id);
    expect(answers).toMatchObject([{sender_id: idOf('kettle'), channel_id: channelId('galley'), topic: 'soup'}]);
    expect(answers[0]?.content).toMatch(/leek|bowls|rota/);
  });

  test('ignores silent mentions', async () => {
    const id = await sendToChannel(you, 'galley', 'soup', '@_**Kettle** makes soup');
    clock.advance(maxReplyMs);
    expect(messagesAfter(id)).toEqual([]);
  });

  test('sends nothing and logs nothing where it may not post', async () => {
    const id = await sendToChannel(you, 'skerry', 'price', '@**Kettle** coffee?');
    clock.advance(maxReplyMs);
    expect(messagesAfter(id)).toEqual([]);
    expect(loggedErrors).toEqual([]);
  });
});

describe('bots and simulated people', () => {
  test('bots do not answer each other', async () => {
    const tide = as('tide');
    await sendDirect(tide, ['kettle'], 'coffee?');
    const id = await sendToChannel(tide, 'galley', 'soup', '@**Kettle** soup?');
    clock.advance(5 * minute);
    expect(messagesAfter(id)).toEqual([]);
  });

  test('simulated people answer you but not each other', async () => {
    const id = await sendDirect(you, ['finn', 'sana'], "@**Finn O'Dowd** @**Sana Yusufi** tea?");
    clock.advance(5 * minute);
    expect(
      messagesAfter(id)
        .map(({sender_id}) => sender_id)
        .sort(),
    ).toEqual([idOf('finn'), idOf('sana')].sort());
  });
});

describe('a simulated person', () => {
  test('answers, and marks the message as read', async () => {
    const id = await sendDirect(you, ['finn'], 'cribbage?');
    clock.advance(maxReplyMs);
    expect(messagesAfter(id)).toMatchObject([{sender_id: idOf('finn')}]);
    const flags = 'SELECT flags FROM user_message WHERE user_id = ? AND message_id = ?';
    expect(server.context.db.value(flags, idOf('finn'), id)).toBeUndefined();
  });

  test('does not answer while a client is signed in as them', async () => {
    await as('sana').listen();
    const id = await sendDirect(you, ['sana'], 'yes, of course');
    clock.advance(maxReplyMs);
    expect(messagesAfter(id)).toEqual([]);
  });

  test('keeps their presence while a client is connected', async () => {
    const listener = await you.listen();
    for (let passed = 0; passed < 30; passed += 5) {
      clock.advance(5 * minute);
      await listener.events();
    }
    const activeAt = 'SELECT active_at FROM presence WHERE user_id = ?';
    const age = (key: string) => clock.now() / 1000 - (server.context.db.value(activeAt, idOf(key)) ?? 0);
    expect(age('priya')).toBeLessThan(90);
    expect(age('teo')).toBeGreaterThan(20 * 60);
    expect(age('kaito')).toBeGreaterThan(90 * 60);
  });
});

describe('small talk', () => {
  const sendersAfter = (id: number) => new Set(messagesAfter(id).map(({sender_id}) => sender_id));

  test('is sent only while a client is connected', async () => {
    const bots = startDemoBots(server.context);
    server.context.queues.expireAll();
    const id = newestId();
    clock.advance(2 * 60 * minute);
    expect(messagesAfter(id)).toEqual([]);
    const listener = await you.listen();
    for (let passed = 0; passed < 60; passed += 5) {
      clock.advance(5 * minute);
      await listener.events();
    }
    expect(sendersAfter(id)).toContain(idOf('shipwright'));
    expect(sendersAfter(id)).toContain(idOf('wes'));
    bots.stop();
    const end = newestId();
    clock.advance(5 * minute);
    await listener.events();
    clock.advance(5 * minute);
    expect(messagesAfter(end)).toEqual([]);
    expect(loggedErrors).toEqual([]);
  });

  test('continues its numbering after a restart, and ends when every line was sent', async () => {
    const {db} = server.context;
    const builds = db
      .pluck<string>(
        `SELECT content FROM message WHERE sender_id = ? AND client = 'ParleyBot' AND topic = 'almanac' ORDER BY id`,
        idOf('shipwright'),
      )
      .flatMap((content) => /#(\d+)\*\*/.exec(content)?.[1] ?? []);
    expect(builds.length).toBeGreaterThan(2);
    expect(builds.map(Number)).toEqual(builds.map(Number).toSorted((a, b) => a - b));
    expect(new Set(builds).size).toBe(builds.length);
    const script = readBotScripts().find(({bot}) => bot === 'shipwright');
    const talk = script?.smalltalk.find(({topic}) => topic === 'almanac');
    const sentCount = db.value(
      `SELECT COUNT(*) FROM message WHERE sender_id = ? AND client = 'ParleyBot' AND topic = 'almanac'`,
      idOf('shipwright'),
    );
    expect(sentCount).toBe(talk?.say.length);
  });
});

test('startDemoBots: stopping cancels pending answers', async () => {
  const bots = startDemoBots(server.context, {smallTalk: false});
  const id = await sendDirect(you, ['pilot'], 'help');
  bots.stop();
  clock.advance(maxReplyMs);
  // The bots that the server started still answer; the stopped ones do not.
  expect(messagesAfter(id)).toHaveLength(1);
});

describe('bot scripts', () => {
  test('fillTemplate fills in random and counted numbers', () => {
    expect(fillTemplate('{{n:3:25}} min', () => 0.999, 0)).toBe('25 min');
    expect(fillTemplate('{{n:48:56:0.1}} m', () => 0, 0)).toBe('4.8 m');
    expect(fillTemplate('#{{seq:2223}}', () => 0, 4)).toBe('#2227');
  });

  test('replyPicker never gives the same reply twice in a row', () => {
    const random = new Random(3);
    const replyTo = replyPicker([{when: /x/i, say: ['a', 'b']}], () => random.next());
    const sent = Array.from({length: 8}, () => replyTo('X'));
    expect(sent.join('')).toMatch(/^(ab){4}$|^(ba){4}$/);
    expect(replyTo('y')).toBeUndefined();
  });

  test('small talk of every bot goes to an existing channel', () => {
    const topics = readBotScripts().flatMap(({smalltalk}) => smalltalk);
    for (const {channel} of topics) expect(channelId(channel), channel).toBeGreaterThan(0);
  });

  test('a bad pattern is an error that names the bot', () => {
    const script = [{bot: 'pilot', answers: 'dm', replies: [{when: '(', say: ['x']}], smalltalk: []}];
    expect(() => parseBotScripts('bots.json', JSON.stringify(script))).toThrow('bots.json:pilot: “(” is not a pattern');
  });
});
