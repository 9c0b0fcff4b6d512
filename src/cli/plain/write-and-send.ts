import {changeMessageText, setComposer} from '#app/compose/change-composer.ts';
import {pressSend} from '#app/compose/composer-keys.ts';
import {destinationTitle} from '#app/compose/destination.ts';
import {closeComposer, saveTextAsDraft} from '#app/compose/open-composer.ts';
import type {App} from '#app/core/app.ts';
import {insert} from '#app/text/text-field.ts';
import {plainTitle} from './plain-text.ts';

export interface LineDialog {
  readonly print: (text: string) => void;
  /** Undefined at the end of the input. */
  readonly ask: (question: string) => Promise<string | undefined>;
}

/** How long the server's answer to a message is waited for, to say that it is there. */
const answerMs = 3000;

/** Writes in the composer that is open, and sends; with no text given, asks for lines until one is a single dot. */
export async function writeAndSend(app: App, given: string, {print, ask}: LineDialog): Promise<void> {
  const where = plainTitle(destinationTitle(app.state, app.screen.composer.target));
  const {text, isWhole} = given === '' ? await lines(where, ask) : {text: given, isWhole: true};
  if (text.trim() === '') {
    closeComposer(app);
    print('Nothing was sent.');
    return;
  }
  if (app.screen.composer.field.text !== '') stashBegun(app);
  changeMessageText(app, (field) => insert(field, text));
  if (!isWhole) {
    closeComposer(app);
    print('It was not sent, and is kept as a draft.');
    return;
  }
  const waiting = app.state.outbox.length;
  pressSend(app);
  while (isHeldBack(app)) {
    const {warnings} = app.screen.composer;
    for (const warning of warnings) print(warning.text);
    const isBlocked = warnings.some(({isBlocking}) => isBlocking);
    if (isBlocked || !isYes(await ask('Send it all the same? yes or no: '))) {
      closeComposer(app);
      print('It was not sent, and is kept as a draft.');
      return;
    }
    pressSend(app);
  }
  if (app.screen.focus === 'composer') closeComposer(app);
  if (app.screen.composer.field.text === text) return;
  const isSent = await leftOutbox(app, waiting);
  print(isSent ? `Sent to ${where}.` : `On its way to ${where}: kept here until the server has it.`);
}

/** Whether the server has it, after a moment for its answer. */
async function leftOutbox(app: App, waiting: number): Promise<boolean> {
  const {promise, resolve} = Promise.withResolvers<void>();
  const hasLeft = () => app.state.outbox.length <= waiting;
  const look = () => {
    if (hasLeft() || app.state.connection.phase !== 'online') resolve();
  };
  const leave = app.session.cache.subscribe(['outbox', 'connection'], look);
  const cancel = app.clock.after(answerMs, resolve);
  look();
  await promise;
  cancel();
  leave();
  return hasLeft();
}

/** What was begun there before is a draft of its own; what is to happen after sending stays. */
function stashBegun(app: App): void {
  const {onSent, anchor} = app.screen.composer;
  saveTextAsDraft(app);
  setComposer(app, {...app.screen.composer, onSent, anchor});
}

function isHeldBack({screen}: App): boolean {
  return screen.composer.warnings.length > 0 && screen.composer.field.text !== '';
}

export function isYes(answer: string | undefined): boolean {
  return /^\s*y(?:es)?\s*$/i.test(answer ?? '');
}

interface TypedMessage {
  readonly text: string;
  /** Whoever wrote it said that it is. What breaks off is not sent. */
  readonly isWhole: boolean;
}

async function lines(where: string, ask: LineDialog['ask']): Promise<TypedMessage> {
  const written: string[] = [];
  let question = `To ${where}. End with a line that is only a dot; a dot alone sends nothing.\n`;
  for (;;) {
    const line = await ask(question);
    question = '';
    if (line === undefined || line === '.') return {text: written.join('\n'), isWhole: line !== undefined};
    written.push(line);
  }
}
