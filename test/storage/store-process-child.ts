/**
 * A separate process on a store: `store-process-child.ts PATH ROLE [ARGUMENT]`. It reports what it has done on standard
 * output, one line per operation, each written before the next one, and runs until its standard input ends.
 */
import {writeSync} from 'node:fs';
import type {Message} from '#state/model/message.ts';
import {systemClock} from '#std/clock.ts';
import {Random} from '#std/random.ts';
import {openAccountStore} from '#storage/open-account-store.ts';
import {saveStateTexts} from './save-state-texts.ts';

const [path = '', role = '', argument = ''] = process.argv.slice(2);

function report(...parts: (string | number)[]): void {
  writeSync(1, `${parts.join(' ')}\n`);
}

// Root can write anywhere, and this role tests an unprivileged user.
if (role === 'unprivileged' && process.geteuid?.() === 0) process.seteuid?.(65_534);

const {store, notice} = openAccountStore({
  path,
  clock: systemClock,
  random: Math.random,
  log: () => {},
});

function entry(id: string) {
  const conversation = {kind: 'direct', userIds: [1]} as const;
  return {id, conversation, content: `text of ${id}`, createdAt: 1, draftId: undefined};
}

function message(id: number): Message {
  return {
    kind: 'direct',
    id,
    conversationKey: 'd',
    senderId: 1,
    senderName: 'Iris',
    content: `message ${id}`,
    timestamp: id,
    flags: [],
    reactions: [],
    submessages: [],
    isMe: false,
    editedAt: undefined,
    movedAt: undefined,
    userIds: [],
    names: {},
  };
}

const roles: Readonly<Record<string, () => void>> = {
  claim() {
    for (const {id} of store.outbox.all()) {
      if (store.outbox.claim(id, {sentAt: 1, afterMessageId: 1}) !== undefined) report('claimed', id);
    }
    report('done');
  },
  hold() {
    for (const id of argument.split(',')) {
      const claimed = store.outbox.claim(id, {sentAt: 1, afterMessageId: 1});
      report('holds', claimed?.owner ?? 'nothing');
    }
    const [change] = store.pendingChanges.all();
    if (change !== undefined) report('deed', String(store.pendingChanges.claim(change.id)));
  },
  adopt() {
    for (const {id} of store.outbox.adoptOrphans()) report('adopted', id);
    report('done');
  },
  add() {
    for (let serial = 0; serial < 50; serial++) report('added', store.outbox.add(entry(`${argument}-${serial}`)).id);
    report('done');
  },
  /** Changes data until it is killed. */
  churn() {
    const random = new Random(Number(argument));
    for (let serial = 0; ; serial++) {
      const id = `${argument}-${serial}`;
      const draftId = `draft ${id}`;
      store.drafts.put({
        id: draftId,
        serverId: undefined,
        target: {kind: 'none', topic: ''},
        content: id,
        editedAt: 1,
        base: undefined,
        status: 'dirty',
      });
      report('drafted', draftId);
      report('sending', draftId);
      store.outbox.add({...entry(id), draftId});
      report('added', id);
      store.messages.save([message(serial)]);
      store.keyValues.set(`last of ${argument}`, String(serial));
      const [first] = store.outbox.all().filter(({status}) => status === 'queued');
      if (first !== undefined && store.outbox.claim(first.id, {sentAt: 1, afterMessageId: 1}) !== undefined) {
        report('claimed', first.id);
        if (random.below(2) === 0) {
          store.outbox.update(first.id, ['sending'], {status: 'sent', messageId: serial});
          report('sent', first.id);
          if (random.below(2) === 0) {
            report('removing', first.id);
            store.outbox.remove(first.id);
            report('removed', first.id);
          }
        }
      }
      saveStateTexts(store, {part: 'x'.repeat(random.below(40_000))}, serial);
    }
  },
  /** Writes until the disk is full. */
  fill() {
    store.drafts.put(draftOf(1000));
    report('fits');
    try {
      for (let size = 10_000; ; size *= 2) store.drafts.put(draftOf(size));
    } catch (error) {
      report('refused', error instanceof Error && 'reason' in error ? String(error.reason) : String(error));
    }
    saveStateTexts(store, {part: String(Math.random()).repeat(1_000_000)}, 1);
    report('still has', store.drafts.all().length);
    store.outbox.add(entry('small'));
    report('added small');
  },
  unprivileged() {
    store.outbox.add(entry('a'));
    report('added', store.outbox.all().length);
  },
};

function draftOf(size: number) {
  const text = Array.from({length: size}, (_, index) => String.fromCharCode(97 + ((index * index) % 26))).join('');
  const target = {kind: 'none', topic: ''} as const;
  return {
    id: `${size}`,
    serverId: undefined,
    target,
    content: text,
    editedAt: 1,
    base: undefined,
    status: 'dirty',
  } as const;
}

report('ready', notice ?? '');
process.stdin.once('data', () => roles[role]?.());
process.stdin.once('end', () => store.close());
