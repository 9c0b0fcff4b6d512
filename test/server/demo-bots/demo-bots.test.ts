import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {findUser} from '#server/db/users.ts';
import {parseBotScripts, readBotScripts} from '#server/demo-bots/bot-script.ts';
import {fillTemplate, Replies} from '#server/demo-bots/replies.ts';
import {startDemoBots} from '#server/demo-bots/start-demo-bots.ts';
import {seedDemoWorld} from '#server/seed/demo-world.ts';
import {type RunningServer, startServer} from '#server/server.ts';
import {Random} from '#std/random.ts';
import {ApiClient, type Reply} from '#test/support/api-client.ts';
import {ManualClock} from '#test/support/manual-clock.ts';

const minute = 60_000;
/** Longer than anybody thinks and types. */
const longEnough = 15_000;

const clock = new ManualClock(new Date(2026, 10, 11, 14, 0).getTime());
const problems: unknown[] = [];
let server: RunningServer;
let you: ApiClient;

beforeAll(async () => {
  const random = new Random(7);
  server = await startServer({
    clock,
    random: () => random.next(),
    prepare: seedDemoWorld,
    bots: 'quiet',
    log: (line, error) => problems.push(line, error),
  });
  you = as('you');
});
afterAll(() => server.close());

function idOf(key: string): number {
  const cast = JSON.parse(server.world.db.value<string>(`SELECT value FROM meta WHERE key = 'cast'`) ?? '{}');
  return cast[key];
}

function as(key: string): ApiClient {
  const user = findUser(server.world.db, idOf(key));
  if (user === undefined) throw new Error(`Nobody is ${key}`);
  const apiKey = server.world.secrets.apiKey(user);
  return new ApiClient(server.url, {
    id: user.id,
    email: user.delivery_email,
    fullName: user.full_name,
    apiKey,
  });
}

const channelId = (name: string): number =>
  server.world.db.value('SELECT id FROM channel WHERE name = ?', name) ?? 0;
const newest = () => server.world.db.value('SELECT MAX(id) FROM message') ?? 0;
const since = (id: number) =>
  server.world.db.all<Reply>('SELECT * FROM message WHERE id > ? ORDER BY id', id);

async function tell(client: ApiClient, keys: string[], content: string): Promise<number> {
  const {id} = await client.post('/messages', {type: 'direct', to: keys.map(idOf), content});
  return id;
}

async function write(client: ApiClient, channel: string, topic: string, content: string): Promise<number> {
  const {id} = await client.post('/messages', {type: 'channel', to: channelId(channel), topic, content});
  return id;
}

describe('a bot that is told something', () => {
  test('types and answers by what it knows, once', async () => {
    const listener = await you.listen({event_types: ['message', 'typing']});
    const id = await tell(you, ['pilot'], 'where are my drafts?');
    expect(since(id)).toEqual([]);
    clock.advance(longEnough);
    const answers = since(id);
    expect(answers).toHaveLength(1);
    expect(answers[0]).toMatchObject({sender_id: idOf('pilot')});
    clock.advance(5 * minute);
    expect(since(id)).toHaveLength(1);
    const events = (await listener.events()).map(({type, op}) => (op === undefined ? type : `${type} ${op}`));
    expect(events).toEqual(['message', 'typing start', 'typing stop', 'message']);
    expect(problems).toEqual([]);
  });

  test('answers the newest of several quick messages', async () => {
    await tell(you, ['kettle'], 'soup?');
    const id = await tell(you, ['kettle'], 'no, coffee');
    clock.advance(longEnough);
    const answers = since(id);
    expect(answers).toHaveLength(1);
    expect(answers[0]?.content).toMatch(/coffee|pot|Fresh/);
  });

  test('keeps quiet if it answers only mentions, or nothing', async () => {
    await tell(you, ['tide'], 'high?');
    const id = await tell(you, ['shipwright'], 'built?');
    clock.advance(longEnough);
    expect(since(id)).toEqual([]);
  });

  test('keeps quiet in a larger conversation unless it is mentioned', async () => {
    const id = await tell(you, ['pilot', 'priya'], 'how do I search?');
    clock.advance(longEnough);
    expect(since(id)).toEqual([]);
    const next = await tell(you, ['pilot', 'priya'], '@**Pilot** how do I search?');
    clock.advance(longEnough);
    expect(since(next)).toMatchObject([
      {sender_id: idOf('pilot'), content: expect.stringMatching(/search|finds/i)},
    ]);
  });
});

describe('a bot that is mentioned', () => {
  test('answers there, by what was said beside its name', async () => {
    const id = await write(you, 'galley', 'soup', '@**Kettle** what is for lunch?');
    clock.advance(longEnough);
    const answers = since(id);
    expect(answers).toMatchObject([
      {sender_id: idOf('kettle'), channel_id: channelId('galley'), topic: 'soup'},
    ]);
    expect(answers[0]?.content).toMatch(/leek|bowls|rota/);
  });

  test('does not hear silent mentions', async () => {
    const id = await write(you, 'galley', 'soup', '@_**Kettle** makes soup');
    clock.advance(longEnough);
    expect(since(id)).toEqual([]);
  });

  test('says nothing where it may not, and lives on', async () => {
    const id = await write(you, 'skerry', 'price', '@**Kettle** coffee?');
    clock.advance(longEnough);
    expect(since(id)).toEqual([]);
    expect(problems).toEqual([]);
  });
});

describe('bots among themselves', () => {
  test('do not answer each other', async () => {
    const tide = as('tide');
    await tell(tide, ['kettle'], 'coffee?');
    const id = await write(tide, 'galley', 'soup', '@**Kettle** soup?');
    clock.advance(5 * minute);
    expect(since(id)).toEqual([]);
  });

  test('nor do people whom the demo plays', async () => {
    const id = await tell(you, ['finn', 'sana'], "@**Finn O'Dowd** @**Sana Yusufi** tea?");
    clock.advance(5 * minute);
    expect(
      since(id)
        .map(({sender_id}) => sender_id)
        .sort(),
    ).toEqual([idOf('finn'), idOf('sana')].sort());
  });
});

describe('a person of the demo', () => {
  test('answers, and has read what they answer', async () => {
    const id = await tell(you, ['finn'], 'cribbage?');
    clock.advance(longEnough);
    expect(since(id)).toMatchObject([{sender_id: idOf('finn')}]);
    const flags = 'SELECT flags FROM user_message WHERE user_id = ? AND message_id = ?';
    expect(server.world.db.value(flags, idOf('finn'), id)).toBeUndefined();
  });

  test('is left to whoever signs in as them', async () => {
    await as('sana').listen();
    const id = await tell(you, ['sana'], 'yes, of course');
    clock.advance(longEnough);
    expect(since(id)).toEqual([]);
  });

  test('stays at their desk while somebody looks', async () => {
    const listener = await you.listen();
    for (let passed = 0; passed < 30; passed += 5) {
      clock.advance(5 * minute);
      await listener.events();
    }
    const activeAt = 'SELECT active_at FROM presence WHERE user_id = ?';
    const age = (key: string) => clock.now() / 1000 - (server.world.db.value(activeAt, idOf(key)) ?? 0);
    expect(age('priya')).toBeLessThan(90);
    expect(age('teo')).toBeGreaterThan(20 * 60);
    expect(age('kaito')).toBeGreaterThan(90 * 60);
  });
});

describe('small talk', () => {
  const speaking = (id: number) => new Set(since(id).map(({sender_id}) => sender_id));

  test('is made while somebody is connected, and only then', async () => {
    const bots = startDemoBots(server.world);
    server.world.queues.expireAll();
    const id = newest();
    clock.advance(2 * 60 * minute);
    expect(since(id)).toEqual([]);
    const listener = await you.listen();
    for (let passed = 0; passed < 60; passed += 5) {
      clock.advance(5 * minute);
      await listener.events();
    }
    expect(speaking(id)).toContain(idOf('shipwright'));
    expect(speaking(id)).toContain(idOf('wes'));
    bots.stop();
    const end = newest();
    clock.advance(5 * minute);
    await listener.events();
    clock.advance(5 * minute);
    expect(since(end)).toEqual([]);
    expect(problems).toEqual([]);
  });

  test('counts on where it stopped, and ends when everything is said', async () => {
    const {db} = server.world;
    const builds = db
      .pluck<string>(
        `SELECT content FROM message WHERE sender_id = ? AND client = 'ParleyBot' AND topic = 'almanac' ORDER BY id`,
        idOf('shipwright'),
      )
      .flatMap((content) => /#(\d+)\*\*/.exec(content)?.[1] ?? []);
    expect(builds.length).toBeGreaterThan(2);
    expect(builds.map(Number)).toEqual(builds.map(Number).toSorted((a, b) => a - b));
    expect(new Set(builds).size).toBe(builds.length);
    const script = readBotScripts().find(({key}) => key === 'shipwright');
    const talk = script?.smallTalk.find(({topic}) => topic === 'almanac');
    const said = db.value(
      `SELECT COUNT(*) FROM message WHERE sender_id = ? AND client = 'ParleyBot' AND topic = 'almanac'`,
      idOf('shipwright'),
    );
    expect(said).toBe(talk?.say.length);
  });
});

test('stopping forgets the answers that were on their way', async () => {
  const bots = startDemoBots(server.world, {smallTalk: false});
  const id = await tell(you, ['pilot'], 'help');
  bots.stop();
  clock.advance(longEnough);
  // The server's own bots are still there, these are not.
  expect(since(id)).toHaveLength(1);
});

describe('lines', () => {
  test('have numbers filled in', () => {
    expect(fillTemplate('{{n:3:25}} min', () => 0.999, 0)).toBe('25 min');
    expect(fillTemplate('{{n:48:56:0.1}} m', () => 0, 0)).toBe('4.8 m');
    expect(fillTemplate('#{{seq:2223}}', () => 0, 4)).toBe('#2227');
  });

  test('are not the same twice running', () => {
    const random = new Random(3);
    const replies = new Replies([{when: /x/i, say: ['a', 'b']}], () => random.next());
    const said = Array.from({length: 8}, () => replies.replyTo('X'));
    expect(said.join('')).toMatch(/^(ab){4}$|^(ba){4}$/);
    expect(replies.replyTo('y')).toBeUndefined();
  });

  test('of every bot go where it may speak', () => {
    const topics = readBotScripts().flatMap(({smallTalk}) => smallTalk);
    for (const {channel} of topics) expect(channelId(channel), channel).toBeGreaterThan(0);
  });

  test('with a bad pattern are told by the bot’s name', () => {
    const script = [{bot: 'pilot', answers: 'dm', replies: [{when: '(', say: ['x']}], smalltalk: []}];
    expect(() => parseBotScripts('bots.json', JSON.stringify(script))).toThrow(
      'bots.json:pilot: “(” is not a pattern',
    );
  });
});
