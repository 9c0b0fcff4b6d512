import type {Clock} from '#std/clock.ts';
import {changeMessageText, setComposer} from '#ui/composer/change-composer.ts';
import {pressSend} from '#ui/composer/composer-keys.ts';
import {destinationTitle} from '#ui/composer/destination.ts';
import {closeComposer, saveTextAsDraft} from '#ui/composer/open-composer.ts';
import type {App} from '#ui/core/app.ts';
import {insert} from '#ui/text/text-field.ts';
import {plainTitle} from './plain-text.ts';

/** Prints lines and asks for lines. */
export interface LineDialog {
  readonly print: (text: string) => void;
  /** Prompts and returns a line, or undefined at the end of the input. */
  readonly ask: (question: string) => Promise<string | undefined>;
}

/** The time to wait for the server's response to a message before reporting it as pending. */
const responseTimeoutMs = 3000;

/** Puts text into the open composer and sends it. Without text, it reads lines until one is a single dot. */
export async function writeAndSend(app: App, argument: string, {print, ask}: LineDialog): Promise<void> {
  const where = plainTitle(destinationTitle(app.state, app.screen.composer.target));
  const {text, isComplete} = argument === '' ? await readMessage(where, ask) : {text: argument, isComplete: true};
  if (text.trim() === '') {
    closeComposer(app);
    print('Nothing was sent.');
    return;
  }
  if (app.screen.composer.field.text !== '') stashExistingText(app);
  changeMessageText(app, (field) => insert(field, text));
  if (!isComplete) {
    closeComposer(app);
    print('Not sent. Saved as a draft.');
    return;
  }
  const outboxLength = app.state.outbox.length;
  pressSend(app);
  while (hasWarnings(app)) {
    const {warnings} = app.screen.composer;
    for (const warning of warnings) print(warning.text);
    const isBlocked = warnings.some(({isBlocking}) => isBlocking);
    if (isBlocked || !isYes(await ask('Send anyway? (yes or no) '))) {
      closeComposer(app);
      print('Not sent. Saved as a draft.');
      return;
    }
    pressSend(app);
  }
  if (app.screen.focus === 'composer') closeComposer(app);
  if (app.screen.composer.field.text === text) return;
  const isSent = await leftOutbox(app, outboxLength);
  print(isSent ? `Sent to ${where}.` : `Not sent to ${where} yet. It is in the outbox until the server has it.`);
}

/** Waits briefly and returns whether the message has left the outbox. */
async function leftOutbox(app: App, outboxLength: number): Promise<boolean> {
  const hasLeft = () => app.state.outbox.length <= outboxLength;
  const isDone = () => hasLeft() || app.state.connection.phase !== 'online';
  const subscribe = (check: () => void) => app.session.cache.subscribe(['outbox', 'connection'], check);
  await waitUntil(isDone, subscribe, app.clock, responseTimeoutMs);
  return hasLeft();
}

/** Waits until the condition holds, which is checked with each change, but no longer than `maxMs`. */
export async function waitUntil(
  isDone: () => boolean,
  subscribe: (check: () => void) => () => void,
  clock: Clock,
  maxMs: number,
): Promise<void> {
  const {promise, resolve} = Promise.withResolvers<void>();
  const check = () => {
    if (isDone()) resolve();
  };
  const unsubscribe = subscribe(check);
  const cancel = clock.after(maxMs, resolve);
  check();
  await promise;
  cancel();
  unsubscribe();
}

/** Saves the text that was already in the composer as a separate draft; the action after sending stays. */
function stashExistingText(app: App): void {
  const {onSent, anchor} = app.screen.composer;
  saveTextAsDraft(app);
  setComposer(app, {...app.screen.composer, onSent, anchor});
}

function hasWarnings({screen}: App): boolean {
  return screen.composer.warnings.length > 0 && screen.composer.field.text !== '';
}

export function isYes(answer: string | undefined): boolean {
  return /^\s*y(?:es)?\s*$/i.test(answer ?? '');
}

/** Reads the lines of a message. It is complete if the user ended it with a dot; what ends with the input is not sent. */
async function readMessage(where: string, ask: LineDialog['ask']) {
  const written: string[] = [];
  let question = `To ${where}. End the message with a line that contains only a dot; a dot alone cancels.\n`;
  for (;;) {
    const line = await ask(question);
    question = '';
    if (line === undefined || line === '.') return {text: written.join('\n'), isComplete: line !== undefined};
    written.push(line);
  }
}
