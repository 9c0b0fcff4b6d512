import {expect, onTestFinished} from 'vitest';
import type {Person} from '#test/support/people.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {ServeProcess} from '#test/support/serve-process.ts';
import type {OpenParleyOptions} from '#test/support/terminal/parley.ts';
import type {Size, Terminal} from '#test/support/terminal/terminal.ts';
import {currentLevel} from '#wire/levels.ts';
import {readState, smallSize, type TwoUserFixture, twoUserFixture, usualSize} from './two-user-fixture.ts';

export const wideSize: Size = {cols: 120, rows: 40};
/** Preview beside the list, preview below it, and the smallest that people live with. */
export const triageSizes: readonly Size[] = [wideSize, usualSize, smallSize];

/** Of the harbour: what Otto told Meg, and the topics about ropes and tides. */
const harbourConversations = 3;

export interface CrowdedInbox {
  readonly stage: TwoUserFixture;
  readonly terminal: Terminal;
  readonly home: string;
  /** What was unread before anything was done. */
  readonly before: readonly number[];
  /** What Otto told Meg. */
  readonly direct: number;
  /** What was said in `topic 0`, `topic 1` and so on. */
  readonly topics: readonly number[];
}

/** So many topics more with one message each, and the inbox of somebody who has read none of them. */
export async function crowdedInbox(count: number, options: OpenParleyOptions = {}): Promise<CrowdedInbox> {
  const {size = wideSize, home = scratchDirectory(), ...others} = options;
  const stage = await twoUserFixture();
  const direct = (await stage.unread(stage.meg)).at(-1) ?? 0;
  const topics: number[] = [];
  for (let at = 0; at < count; at++) topics.push(await stage.say(stage.otto, `topic ${at}`, `word ${at}`));
  const before = await stage.unread(stage.meg);
  const terminal = stage.open(stage.meg, {size, home, ...others});
  await waitForInboxCount(terminal, count + harbourConversations);
  return {stage, terminal, home, before, direct, topics};
}

/** A server that can be killed, and what somebody has not read there. */
export interface KillableServer {
  readonly server: ServeProcess;
  readonly meg: Person;
  /** In the order of the inbox: by topic, the newest first. */
  readonly ids: readonly number[];
  unread(): Promise<readonly number[]>;
}

/** A server in a process of its own, with so many topics of one message each. */
export async function killableServer(count: number): Promise<KillableServer> {
  const server = await ServeProcess.start({directory: scratchDirectory(), level: currentLevel});
  onTestFinished(() => server.kill());
  const meg = await server.person('Meg Member');
  const otto = await server.person('Otto Other');
  await server.channel('harbour', [meg, otto]);
  await server.as(meg).patch('/settings', {enter_sends: true});
  const before = (await readState(server.as(meg))).unread;
  await server.as(meg).post('/messages/flags', {messages: before, op: 'add', flag: 'read'});
  const ids: number[] = [];
  for (let at = 0; at < count; at++) {
    const message = {type: 'stream', to: 'harbour', topic: `topic ${at}`, content: `word ${at}`};
    ids.unshift((await server.as(otto).post('/messages', message)).id);
  }
  return {server, meg, ids, unread: async () => (await readState(server.as(meg))).unread};
}

/** The inbox says how many conversations wait. On the smallest screen a toast takes the place of the number. */
export async function waitForInboxCount(terminal: Terminal, count: number): Promise<void> {
  const wanted = counted(terminal.size, count);
  await terminal.waitFor(wanted, `${count} conversations`);
}

function counted({cols}: Size, count: number): RegExp {
  // Before the server has answered they are about as many.
  if (cols >= 100) return new RegExp(`Inbox · ≈?${count} conversations?,`);
  return cols >= 60 ? new RegExp(`inbox ≈?${count}\\b`) : new RegExp(`^Inbox +≈?${count}$`, 'm');
}

/** The cursor is on a row that says all of this. */
export async function waitForCursorOn(terminal: Terminal, ...words: readonly string[]): Promise<void> {
  await terminal.waitFor(
    ({lines}) => lines.some((line) => line.includes('▌') && words.every((word) => line.includes(word))),
    `cursor on ${words.join(' ')}`,
  );
}

export async function waitForUnread({meg, unread}: TwoUserFixture, ids: readonly number[]): Promise<void> {
  await expect.poll(() => unread(meg)).toEqual(ids);
}

/** Ids without those that were dealt with. */
export function without(ids: readonly number[], ...gone: readonly (number | undefined)[]): readonly number[] {
  return ids.filter((id) => !gone.includes(id));
}
