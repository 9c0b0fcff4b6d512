/** Starts a session as the program does, and prints when there was content to show, as one line of JSON. */
import {makeApi} from '#api/api.ts';
import {Connection} from '#api/connection.ts';
import {restoreState} from '#state/persistence/persistence.ts';
import {inboxRows} from '#state/selectors/inbox/inbox.ts';
import {createSession} from '#state/session.ts';
import {systemClock} from '#std/clock.ts';
import {openAccountStore} from '#storage/open-account-store.ts';

/** Returns the milliseconds since the process started. */
export interface StartReport {
  readonly loaded: number;
  readonly restored: number | undefined;
  readonly online: number;
  readonly rows: number;
  readonly rss: number;
}

const [site = '', email = '', apiKey = '', path = ''] = process.argv.slice(2);
const loaded = performance.now();
const {store} = openAccountStore({path, clock: systemClock, random: Math.random, log: () => {}});
const initial = restoreState(store);
let restored: number | undefined;
if (initial !== undefined) {
  inboxRows(initial);
  restored = performance.now();
}
const connection = new Connection({site, credentials: {email, apiKey}, userAgent: 'ParleyBench/1.0'});
const session = createSession({
  api: makeApi(connection),
  store,
  clock: systemClock,
  random: Math.random,
  log: () => {},
  initial,
});
session.start();
await session.ready();
const rows = inboxRows(session.cache.state).length;
const online = performance.now();
const rss = Math.round(process.memoryUsage.rss() / 1024 / 1024);
await session.stop();
store.close();
await connection.close();
const report: StartReport = {loaded, restored, online, rows, rss};
console.log(JSON.stringify(report));
