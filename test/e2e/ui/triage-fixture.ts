import {expect, onTestFinished} from 'vitest';
import type {Person} from '#test/support/people.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {ServeProcess} from '#test/support/serve-process.ts';
import type {OpenParleyOptions} from '#test/support/terminal/parley.ts';
import type {Size, Terminal} from '#test/support/terminal/terminal.ts';
import {currentLevel} from '#wire/levels.ts';
import {readState, type TwoUserFixture, twoUserFixture} from './two-user-fixture.ts';

/** A size with the preview beside the list. */
export const wideSize: Size = {cols: 120, rows: 40};

/** The unread conversations of `twoUserFixture`: Otto, and the topics about ropes and tides. */
const initialConversations = 3;

export interface CrowdedInbox {
  readonly chat: TwoUserFixture;
  readonly terminal: Terminal;
  readonly home: string;
  /** The unread message ids at the start. */
  readonly before: readonly number[];
  /** The id of Otto's direct message to Meg. */
  readonly direct: number;
  /** The message ids of `topic 0`, `topic 1` and so on. */
  readonly topics: readonly number[];
}

/** Adds `count` topics with one message each and opens Meg's inbox, in which all of them are unread. */
export async function crowdedInbox(count: number, options: OpenParleyOptions = {}): Promise<CrowdedInbox> {
  const {size = wideSize, home = scratchDirectory(), ...others} = options;
  const chat = await twoUserFixture();
  const direct = (await chat.unread(chat.meg)).at(-1) ?? 0;
  const topics: number[] = [];
  for (let nth = 0; nth < count; nth++) {
    topics.push(await chat.sendToTopic(chat.otto, `topic ${nth}`, `word ${nth}`));
  }
  const before = await chat.unread(chat.meg);
  const terminal = chat.open(chat.meg, {size, home, ...others});
  await waitForInboxCount(terminal, count + initialConversations);
  return {chat, terminal, home, before, direct, topics};
}

/** A server that can be killed, and Meg's unread messages there. */
interface KillableServer {
  readonly server: ServeProcess;
  readonly meg: Person;
  /** The message ids in the order of the inbox: newest first. */
  readonly ids: readonly number[];
  unread(): Promise<readonly number[]>;
}

/** For `expect.poll` of what a killable server answers: it limits requests as any server does. */
export const rarely = {interval: 500};

/** Starts a server in its own process with `count` unread topics of one message each. */
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
  for (let nth = 0; nth < count; nth++) {
    const message = {type: 'stream', to: 'harbour', topic: `topic ${nth}`, content: `word ${nth}`};
    ids.unshift((await server.as(otto).post('/messages', message)).id);
  }
  return {server, meg, ids, unread: async () => (await readState(server.as(meg))).unread};
}

/** Waits until the inbox shows this number of conversations. On the smallest screen a toast covers the number. */
export async function waitForInboxCount(terminal: Terminal, count: number): Promise<void> {
  await terminal.waitFor(inboxCountPattern(count), `${count} conversations`);
}

function inboxCountPattern(count: number): RegExp {
  // Before the first server response the number is approximate.
  return new RegExp(`Inbox .* unread.* in ≈?${count} conversations?\\b`);
}

/** Waits until the cursor is on a row that contains all these texts. */
export async function waitForCursorOn(terminal: Terminal, ...texts: readonly string[]): Promise<void> {
  await terminal.waitFor(
    ({lines}) => lines.some((line) => line.includes('▌') && texts.every((text) => line.includes(text))),
    `cursor on ${texts.join(' ')}`,
  );
}

export async function waitForUnread({meg, unread}: TwoUserFixture, ids: readonly number[]): Promise<void> {
  await expect.poll(() => unread(meg)).toEqual(ids);
}

/** Returns the ids without the given ones. */
export function without(ids: readonly number[], ...removed: readonly (number | undefined)[]): readonly number[] {
  return ids.filter((id) => !removed.includes(id));
}
