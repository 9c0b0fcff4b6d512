import {mkdtempSync, readdirSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {onTestFinished} from 'vitest';
import type {AccountStore, NewOutboxEntry} from '#state/account-store.ts';
import type {LocalDraft} from '#state/model/draft.ts';
import type {ChannelMessage, DirectMessage} from '#state/model/message.ts';
import {Random} from '#std/random.ts';
import {openAccountStore, type StoreOptions} from '#storage/open-account-store.ts';
import {ManualClock} from '#test/support/manual-clock.ts';

/** Returns the path of a new file in a directory that is removed when the test ends. */
export function scratchFile(): string {
  const directory = mkdtempSync(join(tmpdir(), 'parley-test-'));
  onTestFinished(() => rmSync(directory, {recursive: true, force: true}));
  return join(directory, 'account.db');
}

interface OpenedStore {
  readonly store: AccountStore;
  readonly notice: string | undefined;
  readonly clock: ManualClock;
  readonly log: readonly string[];
  /** The notices after opening. */
  readonly notices: readonly string[];
}

let seed = 1;

export function openTestStore(path: string, options: Partial<StoreOptions> & {clock?: ManualClock} = {}): OpenedStore {
  const clock = options.clock ?? new ManualClock();
  const random = new Random(seed++);
  const log: string[] = [];
  const notices: string[] = [];
  const {store, notice} = openAccountStore({
    path,
    random: () => random.next(),
    log: (line) => log.push(line),
    onNotice: (line) => notices.push(line),
    ...options,
    clock,
  });
  onTestFinished(() => store.close());
  return {store, notice, clock, log, notices};
}

/** Returns the names of the files beside it with the same prefix. */
export function filesBeside(path: string): string[] {
  return readdirSync(dirname(path)).sort();
}

export function entry(id: string, changes: Partial<NewOutboxEntry> = {}): NewOutboxEntry {
  return {
    id,
    conversation: {kind: 'topic', channelId: 1, topic: 'lunch'},
    content: `text of ${id}`,
    createdAt: 1000,
    draftId: undefined,
    ...changes,
  };
}

export function draft(id: string, changes: Partial<LocalDraft> = {}): LocalDraft {
  return {
    id,
    serverId: undefined,
    target: {kind: 'direct', userIds: [4, 5]},
    content: `draft ${id}`,
    editedAt: 2000,
    base: undefined,
    status: 'dirty',
    ...changes,
  };
}

export function channelMessage(id: number, changes: Partial<ChannelMessage> = {}): ChannelMessage {
  return {
    kind: 'channel',
    id,
    conversationKey: 'c1:lunch',
    senderId: 7,
    senderName: 'Iris Field',
    content: `message ${id}`,
    timestamp: 1_700_000_000 + id,
    flags: ['read'],
    reactions: [],
    submessages: [],
    isMe: false,
    editedAt: undefined,
    movedAt: undefined,
    channelId: 1,
    topic: 'lunch',
    topicLinks: [],
    ...changes,
  };
}

export function directMessage(id: number, changes: Partial<DirectMessage> = {}): DirectMessage {
  return {
    kind: 'direct',
    id,
    conversationKey: 'd7',
    senderId: 7,
    senderName: 'Iris Field',
    content: `message ${id}`,
    timestamp: 1_700_000_000 + id,
    flags: [],
    reactions: [],
    submessages: [],
    isMe: false,
    editedAt: undefined,
    movedAt: undefined,
    userIds: [7],
    names: {7: 'Iris Field'},
    ...changes,
  };
}
