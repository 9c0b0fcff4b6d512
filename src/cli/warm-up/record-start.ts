import {type Api, makeApi} from '#api/api.ts';
import {Connection} from '#api/connection.ts';
import {findUser} from '#server/db/users.ts';
import {seedWorld} from '#server/seed/seed-world.ts';
import {startServer} from '#server/server.ts';
import {createSession} from '#state/session.ts';
import {systemClock} from '#std/clock.ts';
import {openAccountStore} from '#storage/open-account-store.ts';
import type {RecordedStart} from './run-recorded-start.tsx';

const messageCount = 300;

/** Starts a client on the demo organization and records what it finds and saves, for the warm-up of a snapshot. */
export async function recordStart(): Promise<RecordedStart> {
  const server = await startServer({
    database: ':memory:',
    demo: true,
    rateLimited: false,
    prepare: (world) => seedWorld(world, {world: 'demo', size: 'small'}, () => {}),
    log: () => {},
  });
  const [id = 0]: number[] = JSON.parse(
    server.context.db.value<string>(`SELECT value FROM meta WHERE key = 'accounts'`) ?? '[]',
  );
  const user = findUser(server.context.db, id);
  if (user === undefined) throw new Error('The demo organization has no account.');
  const credentials = {email: user.delivery_email, apiKey: server.context.secrets.apiKey(user)};
  const connection = new Connection({site: server.url, credentials, userAgent: 'Parley'});
  const {store} = openAccountStore({path: ':memory:', clock: systemClock, random: Math.random, log: () => {}});
  const results: Record<string, unknown> = {};
  const session = createSession({
    api: recordingApi(connection, results),
    store,
    clock: systemClock,
    random: Math.random,
    log: () => {},
    isExploring: true,
  });
  try {
    session.start();
    await session.ready();
    await session.recentMessages();
    await session.stop();
    const saved = store.savedState.load();
    if (saved === undefined) throw new Error('The state was not saved.');
    return {saved, messages: store.messages.newest(messageCount), results};
  } finally {
    await connection.close();
    store.close();
    await server.close();
  }
}

/** Returns an API that also keeps the first result of each call, except of the endless long poll. */
function recordingApi(connection: Connection, results: Record<string, unknown>): Api {
  const record = async (name: string, response: Promise<unknown>): Promise<unknown> => {
    const result = await response;
    if (name !== 'getEvents') results[name] ??= result;
    return result;
  };
  const api = makeApi(connection);
  const recording = Object.entries(api).map(([name, call]) =>
    typeof call === 'function'
      ? [name, (...args: never[]) => record(name, Reflect.apply(call, api, args))]
      : [name, call],
  );
  return Object.fromEntries(recording);
}
