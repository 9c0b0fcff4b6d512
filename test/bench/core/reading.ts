import {rmSync} from 'node:fs';
import {makeApi} from '#api/api.ts';
import {Connection} from '#api/connection.ts';
import {topicNarrow} from '#state/model/narrow.ts';
import {restoreState} from '#state/persistence/persistence.ts';
import {createSession, type Session} from '#state/session.ts';
import {type Clock, systemClock} from '#std/clock.ts';
import {openAccountStore} from '#storage/open-account-store.ts';
import {BenchApiClient, startBenchServer, worldDirectory} from '#test/bench/bench-server.ts';
import {printTable} from '#test/bench/table.ts';

const conversationCount = 100;
const messagesEach = 20;
/** Delays are shortened, so that reading takes seconds. */
const clockFactor = 20;
const fastClock: Clock = {...systemClock, after: (ms, task) => systemClock.after(ms / clockFactor, task)};
/** Longer than the delay before renderings are fetched. */
const lookMs = 100;

interface Reading {
  pages: number;
  pageBytes: number;
  renderings: number;
  renderingBytes: number;
}

/**
 * Measures the requests of a day's reading: 100 conversations of 20 messages, of which one in five mentions a user or
 * links a topic, and one in fifty has an image. Most conversations then have a message that needs its rendering only when
 * a name was given up.
 */
export async function readingCosts(): Promise<void> {
  const data = worldDirectory('reading');
  rmSync(data, {recursive: true, force: true});
  const served = await startBenchServer('--data', data, '--world', 'demo', '--size', 'small');
  const [you, other] = served.accounts;
  if (you === undefined || other === undefined) throw new Error('nobody to sign in as');
  const admin = new BenchApiClient(served, you);
  const writer = new BenchApiClient(served, other);
  const {members} = await admin.call('GET', '/users');
  const {full_name: name} = members.find(({user_id}: {user_id: number}) => user_id === other.user_id);
  const rows: string[][] = [];
  try {
    const add = async (title: string, text: (n: number) => string, rename?: () => Promise<void>) => {
      const channelId = await fill(admin, writer, title, text);
      await rename?.();
      const {store} = openAccountStore({path: ':memory:', clock: systemClock, random: Math.random, log: () => {}});
      for (const when of ['', ', next start']) {
        const connection = new Connection({
          site: served.url,
          credentials: {email: you.email, apiKey: you.api_key},
          userAgent: 'ParleyBench/1.0',
        });
        rows.push(rowOf(`${title}${when}`, await read(connection, store, channelId)));
        await connection.close();
      }
      store.close();
    };
    const mention = (n: number) => (n % 5 === 0 ? `@**${name}** see #**names>topic 1**` : `plain ${n}`);
    await add('names', mention);
    await add('images', (n) => (n % 50 === 7 ? `[p.png](/user_uploads/1/aa/${n}.png)` : `plain ${n}`));
    const renamed = () => writer.call('PATCH' as never, '/settings', {full_name: `${name} II`});
    await add('names, one renamed', (n) => (n % 5 === 0 ? `@**${name}** here` : `plain ${n}`), renamed);
  } finally {
    await served.stop();
    rmSync(data, {recursive: true, force: true});
  }
  printTable(
    `A day's reading: ${conversationCount} conversations of ${messagesEach} messages`,
    ['world', 'pages', 'KiB', 'renderings', 'KiB', 'requests each'],
    rows,
  );
}

async function fill(admin: BenchApiClient, writer: BenchApiClient, name: string, text: (n: number) => string) {
  const both = JSON.stringify([admin.account.user_id, writer.account.user_id]);
  await admin.call('POST', '/users/me/subscriptions', {subscriptions: [{name}], principals: both});
  const {stream_id: id} = await admin.call('GET', '/get_stream_id', {stream: name});
  for (let n = 0; n < conversationCount * messagesEach; n++) {
    const topic = `topic ${n % conversationCount}`;
    // Seven is prime to 5 and 50: the messages with references are spread over all topics.
    const content = text(Math.floor(n / conversationCount) * 7 + (n % conversationCount) * 3);
    await writer.call('POST', '/messages', {type: 'stream', to: String(id), topic, content});
  }
  return Number(id);
}

async function read(
  connection: Connection,
  store: ReturnType<typeof openAccountStore>['store'],
  channelId: number,
): Promise<Reading> {
  const reading: Reading = {pages: 0, pageBytes: 0, renderings: 0, renderingBytes: 0};
  const session = createSession({
    api: countingApi(connection, reading),
    store,
    clock: fastClock,
    random: Math.random,
    log: () => {},
    initial: restoreState(store),
  });
  session.start();
  await session.ready();
  for (let n = 0; n < conversationCount; n++) await look(session, channelId, `topic ${n}`);
  await session.stop();
  return reading;
}

/** Opens a conversation and looks at it, as the screen does. */
async function look(session: Session, channelId: number, topic: string): Promise<void> {
  const narrow = topicNarrow(channelId, topic);
  await session.timelines.open(narrow, 'newest');
  const release = session.timelines.keepOpen(narrow);
  session.timelines.setViewedMessage(narrow, session.cache.state.maxMessageId);
  await new Promise<void>((resolve) => void systemClock.after(lookMs, resolve));
  release();
}

function countingApi(connection: Connection, reading: Reading): ReturnType<typeof makeApi> {
  const api = makeApi(connection);
  const getMessages: typeof api.getMessages = async (args = {}, options) => {
    const result = await api.getMessages(args, options);
    const bytes = JSON.stringify(result).length;
    if (args.apply_markdown === false) {
      reading.pages += 1;
      reading.pageBytes += bytes;
    } else {
      reading.renderings += 1;
      reading.renderingBytes += bytes;
    }
    return result;
  };
  return {...api, getMessages};
}

function rowOf(name: string, {pages, pageBytes, renderings, renderingBytes}: Reading): string[] {
  const kib = (bytes: number) => String(Math.round(bytes / 1024));
  const each = ((pages + renderings) / conversationCount).toFixed(2);
  return [name, String(pages), kib(pageBytes), String(renderings), kib(renderingBytes), each];
}
