import type {App} from '#app/app.ts';
import {changeText, setComposer} from '#app/compose/changing.ts';
import {targetTitle} from '#app/compose/destination.ts';
import {pressSend} from '#app/compose/entering.ts';
import {closeComposer, stashText} from '#app/compose/opening.ts';
import {insert} from '#app/text/text-field.ts';
import {placeText} from './saying.ts';

export interface Talk {
  readonly print: (text: string) => void;
  /** Undefined at the end of the input. */
  readonly ask: (question: string) => Promise<string | undefined>;
}

/** Writes in the composer that is open, and sends; with no text given, asks for lines until one is a single dot. */
export async function writeAndSend(app: App, given: string, {print, ask}: Talk): Promise<void> {
  const where = placeText(targetTitle(app.state, app.screen.composer.target));
  const text = given === '' ? await lines(where, ask) : given;
  if (text.trim() === '') {
    closeComposer(app);
    print('Nothing was sent.');
    return;
  }
  if (app.screen.composer.field.text !== '') stashBegun(app);
  changeText(app, (field) => insert(field, text));
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
  const isOnline = app.state.connection.phase === 'online';
  if (app.state.outbox.length > waiting || isOnline)
    print(isOnline ? `Sent to ${where}.` : `To ${where} as soon as there is a connection.`);
}

/** What was begun there before is a draft of its own; what is to happen after sending stays. */
function stashBegun(app: App): void {
  const {onSent, anchor} = app.screen.composer;
  stashText(app);
  setComposer(app, {...app.screen.composer, onSent, anchor});
}

function isHeldBack({screen}: App): boolean {
  return screen.composer.warnings.length > 0 && screen.composer.field.text !== '';
}

export function isYes(answer: string | undefined): boolean {
  return /^\s*y(?:es)?\s*$/i.test(answer ?? '');
}

async function lines(where: string, ask: Talk['ask']): Promise<string> {
  const written: string[] = [];
  let question = `To ${where}. End with a line that is only a dot; a dot alone sends nothing.\n`;
  for (;;) {
    const line = await ask(question);
    question = '';
    if (line === undefined || line === '.') return written.join('\n');
    written.push(line);
  }
}
