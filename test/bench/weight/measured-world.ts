import {cpSync, existsSync, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {
  BenchApiClient,
  type BenchServer,
  freePort,
  startBenchServer,
  worldDirectory,
} from '#test/bench/bench-server.ts';
import {parleyCommand, type SignIn} from '#test/support/terminal/parley-command.ts';
import {type Size, Terminal} from '#test/support/terminal/terminal.ts';

/** The channel of the measured conversations. */
export const channel = 'weight';
export const conversationCount = 60;
export const conversation = (at: number): string => `conversation ${String(at).padStart(2, '0')}`;

/** An organization of its own for one measurement, and the home of one user's program. */
export interface MeasuredWorld {
  readonly name: string;
  readonly home: string;
  /** The account of the user who reads. */
  readonly signIn: SignIn;
  /** The user who writes while the other reads. */
  readonly writer: BenchApiClient;
  /** Returns how many requests the server has answered so far, without polls. */
  requestCount(): Promise<number>;
  open(size: Size, args?: readonly string[]): Terminal;
  command(args: readonly string[]): ReturnType<typeof parleyCommand>;
  stop(): Promise<void>;
}

/** Copies a generated organization, so that no run changes it for the next, and adds the measured conversations. */
export async function measuredWorld(name: string): Promise<MeasuredWorld> {
  const scratch = mkdtempSync(join(tmpdir(), 'parley-weight-'));
  const kept = worldDirectory(`weight-${name}`);
  if (!existsSync(kept)) await (await serve(kept, name)).stop();
  cpSync(kept, join(scratch, 'data'), {recursive: true});
  const metrics = `127.0.0.1:${await freePort()}`;
  const served = await serve(join(scratch, 'data'), name, '--metrics', metrics);
  const [you, other] = served.accounts;
  if (you === undefined || other === undefined) throw new Error('The organization has fewer than two accounts.');
  const reader = new BenchApiClient(served, you);
  const writer = new BenchApiClient(served, other);
  const principals = [you.user_id, other.user_id];
  await reader.call('POST', '/users/me/subscriptions', {subscriptions: [{name: channel}], principals});
  for (let at = 0; at < conversationCount; at++) {
    for (let count = 0; count < 3; count++) await say(writer, at, `Earlier message ${count} of ${conversation(at)}`);
  }
  const home = join(scratch, 'home');
  const signIn = {site: served.url, email: you.email, apiKey: you.api_key};
  const command = (args: readonly string[]) => parleyCommand({home, args, signIn, env: {PARLEY_ENTER_SENDS: 'yes'}});
  return {
    name,
    home,
    signIn,
    writer,
    command,
    async requestCount() {
      const text = await (await fetch(`http://${metrics}/metrics`)).text();
      const counts = text.matchAll(/^parley_requests_total\{method="(.*?)",route="(.*?)".* (\d+)$/gm);
      return [...counts].reduce((sum, [, method, route = '', count]) => {
        return method === 'GET' && route.endsWith('/events') ? sum : sum + Number(count);
      }, 0);
    },
    open(size, args = []) {
      const {file, args: words, env, cwd} = command(args);
      return Terminal.open(file, words, {size, env, cwd});
    },
    async stop() {
      await served.stop();
      rmSync(scratch, {recursive: true, force: true});
    },
  };
}

/** Sends a message to one of the measured conversations. */
export async function say(writer: BenchApiClient, at: number, content: string): Promise<void> {
  await writer.call('POST', '/messages', {type: 'stream', to: channel, topic: conversation(at), content});
}

function serve(directory: string, world: string, ...flags: string[]): Promise<BenchServer> {
  return startBenchServer('--data', directory, '--size', world, '--bots', 'off', ...flags);
}

/** Resolves when the program has written nothing for this long. */
export async function quiet(terminal: Terminal, milliseconds = 400): Promise<void> {
  await new Promise<void>((resolve) => {
    let timer = setTimeout(done, milliseconds);
    const stop = terminal.onFrame(() => {
      clearTimeout(timer);
      timer = setTimeout(done, milliseconds);
    });
    function done(): void {
      stop();
      resolve();
    }
  });
}
