/** A separate Parley process that sends one message per line of its standard input, and reports when it is on disk. */
import {writeSync} from 'node:fs';
import {createInterface} from 'node:readline';
import type {Conversation} from '#state/model/conversation.ts';
import type {Person} from '#test/support/people.ts';
import {FastClock} from './fast-clock.ts';
import {openHeadlessClient} from './headless-client.ts';

export interface QueueingScript {
  readonly person: Person;
  readonly site: string;
  readonly directory: string;
  readonly seed: number;
  readonly conversation: Conversation;
  readonly clock: {readonly start: number; readonly rate: number};
}

const script: QueueingScript = JSON.parse(process.argv[2] ?? '');
const {conversation} = script;
const {session, close} = openHeadlessClient({...script, clock: new FastClock(script.clock), log: () => {}});
session.start();
writeSync(1, 'ready\n');
for await (const content of createInterface({input: process.stdin})) {
  session.outbox.send({conversation, content});
  writeSync(1, 'queued\n');
}
await close();
