/**
 * A separate Parley process that writes and sends messages, and is killed at a given step. It prints what is
 * reported as saved, one JSON text per line.
 */
import {writeSync} from 'node:fs';
import {setImmediate as nextTurn} from 'node:timers/promises';
import type {Conversation} from '#state/model/conversation.ts';
import type {Person} from '#test/support/people.ts';
import {FastClock} from './fast-clock.ts';
import {openHeadlessClient} from './headless-client.ts';
import {killAtStep} from './kill-at-step.ts';

export interface ClientScript {
  readonly person: Person;
  readonly site: string;
  readonly directory: string;
  readonly seed: number;
  readonly dieAt: number;
  readonly conversation: Conversation;
  /** Two versions of a draft, which is then sent. */
  readonly thought: readonly [string, string];
  readonly plain: readonly string[];
}

function safe(text: string): void {
  writeSync(1, `${JSON.stringify(text)}\n`);
}

const script: ClientScript = JSON.parse(process.argv[2] ?? '');
const {conversation, thought, plain} = script;
const clock = new FastClock();
const {session, store, close} = openHeadlessClient({
  ...script,
  clock,
  log: (line, error) => {
    if (error !== undefined) console.error(line, error);
  },
  wrap: (outside) => killAtStep(outside, script.dieAt),
});

let draftId: string | undefined;
function write(content: string): void {
  draftId = session.drafts.edit(draftId, {target: conversation, content})?.id;
  safe(content);
}

session.start();
write(thought[0]);
await session.ready();
await session.drafts.flush();
write(thought[1]);
await session.drafts.flush();
session.outbox.send({conversation, content: thought[1], draftId});
safe(thought[1]);
for (const content of plain) {
  session.outbox.send({conversation, content});
  safe(content);
}
// A message whose response came too late for the fast clock waits for the user, and is left to the next process.
while (store.outbox.all().some(({status}) => status === 'queued' || status === 'sending')) {
  await session.outbox.idle();
  // Idle may be over at once, and then no response would ever be read.
  await nextTurn();
}
await session.drafts.flush();
await close();
