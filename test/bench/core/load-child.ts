/** Registers once and prints the duration of each step as one line of JSON. */
import {makeApi} from '#api/api.ts';
import {Connection} from '#api/connection.ts';
import {inboxRows} from '#state/selectors/inbox/inbox.ts';
import {registerArgs} from '#state/snapshot/register-args.ts';
import {stateFromSnapshot} from '#state/snapshot/state-from-snapshot.ts';

export interface LoadReport {
  readonly request: number;
  readonly toState: number;
  readonly inbox: number;
  readonly total: number;
  readonly unread: number;
  readonly users: number;
  readonly rssBefore: number;
  readonly rssAfter: number;
}

const [site = '', email = '', apiKey = ''] = process.argv.slice(2);
const rss = () => Math.round(process.memoryUsage.rss() / 1024 / 1024);
const api = makeApi(new Connection({site, credentials: {email, apiKey}, userAgent: 'ParleyBench/1.0'}));
const rssBefore = rss();
await api.getServerSettings();
const start = performance.now();
const snapshot = await api.register(registerArgs(api.connection.level));
const answered = performance.now();
const state = stateFromSnapshot(snapshot, {url: site, now: Date.now()});
const made = performance.now();
inboxRows(state);
const end = performance.now();
if (snapshot.queue_id !== null) await api.deleteQueue({queue_id: snapshot.queue_id});
const report: LoadReport = {
  request: answered - start,
  toState: made - answered,
  inbox: end - made,
  total: end - start,
  unread: state.unreads.byId.size,
  users: state.users.size,
  rssBefore,
  rssAfter: rss(),
};
console.log(JSON.stringify(report));
await api.connection.close();
