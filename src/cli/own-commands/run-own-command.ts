import {changeMessageText} from '#app/composer/change-composer.ts';
import {openComposer} from '#app/composer/open-composer.ts';
import type {App} from '#app/core/app.ts';
import {openFetchedCard} from '#app/overlays/cards.ts';
import {actionTargets, currentConversation} from '#app/targets/action-target.ts';
import {describeMessage, describeScreen} from '#cli/control/describe-screen.ts';
import type {CliIo} from '#cli/io.ts';
import type {Env} from '#config/paths.ts';
import {conversationKey} from '#state/model/conversation.ts';
import {withoutIsolates} from '#std/composed-text.ts';
import {errorText} from '#std/error-text.ts';
import {printable, printableLine, withoutControls} from '#std/printable.ts';
import {type LimitedRun, runLimited} from '#terminal/run-program.ts';
import {sameTarget} from '#ui/composer/destination.ts';
import {paragraph} from '#ui/overlays/card-lines.ts';
import {insert, insertBlock} from '#ui/text/text-field.ts';
import type {OwnCommand} from './load-own-commands.ts';

const maxOutputBytes = 64 * 1024;
const maxToastLength = 300;

type Machine = Pick<CliIo, 'env' | 'home'>;

/**
 * Runs the program of an own command, and shows its output as the command says. `running` are the apps in which it runs now:
 * one that starts itself again is refused.
 */
export function runOwnCommand(app: App, command: OwnCommand, machine: Machine, running: Set<App>): void {
  if (app.warn(running.has(app) ? `“${command.name}” is still running` : undefined)) return;
  const conversation = command.output === 'composer' ? currentConversation(app) : undefined;
  const started = () => {
    running.add(app);
    return start(app, command, machine).finally(() => running.delete(app));
  };
  const {output, name} = command;
  if (output === 'pager') {
    openFetchedCard(app, {
      id: command.id,
      title: name,
      columns: 100,
      // Each run has its own output.
      request: {key: ['own command', command.id, app.clock.monotonic()], isConstant: true, fetch: started},
      lines: (_frame, width, text) =>
        paragraph(printable(text).trimEnd() || 'The program printed nothing.', 'text', width),
    });
    return;
  }
  // Before the composer opens, because it reads what is selected.
  const finished = started();
  if (conversation !== undefined) openComposer(app, {target: conversation});
  const target = app.screen.focus === 'composer' ? app.screen.composer.target : undefined;
  app.toast(`Running “${name}”…`);
  finished.then(
    (text) => {
      if (output === 'toast') app.toast(printableLine(text).slice(0, maxToastLength) || `“${name}” is done`);
      else if (output === 'nothing') app.toast(`“${name}” is done`);
      else insertOutput(app, withoutControls(text).trimEnd(), target, name);
    },
    (error: unknown) => app.toast(errorText(error), 'error'),
  );
}

/** Inserts the output where the composer was opened. It is never sent by itself. */
function insertOutput(
  app: App,
  text: string,
  target: App['screen']['composer']['target'] | undefined,
  name: string,
): void {
  const {composer} = app.screen;
  if (text === '') app.toast(`“${name}” printed nothing`, 'warning');
  else if (
    target !== undefined &&
    composer.isOpen &&
    composer.editing === undefined &&
    sameTarget(composer.target, target)
  ) {
    // On lines of its own, so that it does not join the words of a draft.
    changeMessageText(app, (field) => (field.text.trim() === '' ? insert(field, text) : insertBlock(field, text)));
    app.toast(`Inserted the output of “${name}”`);
  } else {
    app.device.copy(text).then(
      (hint) => app.toast({text: 'You left the message, so the output is not inserted', hint}, 'warning'),
      (error: unknown) => app.toast(errorText(error), 'error'),
    );
  }
}

/** Resolves with what the program printed. Rejects with a sentence that says why there is no output. */
async function start(app: App, {name, run, needs, input, seconds}: OwnCommand, {env, home}: Machine): Promise<string> {
  const ending = new AbortController();
  app.onEnd(() => ending.abort());
  const screen = describeScreen(app);
  const messages = needs === 'conversation' ? conversationMessages(app) : [screen.message ?? []].flat();
  const result = await runLimited(run, {
    env: programEnvironment(env, screen),
    cwd: home,
    input: input === 'text' ? messagesText(messages) : `${JSON.stringify({...screen, messages})}\n`,
    timeoutMs: seconds * 1000,
    maxOutputBytes,
    signal: ending.signal,
  });
  const problem = problemOf(result, run[0] ?? '', seconds);
  if (problem !== undefined) throw new Error(`“${name}” ${problem}`);
  return result.output;
}

type DescribedMessage = ReturnType<typeof describeMessage>;

const maxMessages = 200;

/** Returns the last loaded messages of the conversation that is shown or selected. */
function conversationMessages(app: App): readonly DescribedMessage[] {
  const {state} = app;
  const [target] = actionTargets(app);
  const conversation = target?.kind === 'conversation' ? target.conversation : undefined;
  const ids = conversation && state.messages.byConversation.get(conversationKey(conversation))?.toArray();
  const now = app.clock.now();
  return (ids ?? []).slice(-maxMessages).flatMap((id) => {
    const message = state.messages.byId.get(id);
    return message === undefined ? [] : [describeMessage(state, message, now)];
  });
}

/** Returns the text of one message, or of several with the names of their senders. */
function messagesText(messages: readonly DescribedMessage[]): string {
  const [only, ...others] = messages;
  if (only !== undefined && others.length === 0) return `${only.text}\n`;
  return messages.map(({senderName, text}) => `${senderName}: ${text}\n`).join('');
}

function problemOf({end, code, errors}: LimitedRun, program: string, seconds: number): string | undefined {
  const [line = ''] = printable(errors).trim().split('\n', 1);
  const said = line === '' ? '' : `: ${printableLine(line).slice(0, maxToastLength)}`;
  switch (end) {
    case 'exited':
      return code === 0 ? undefined : `failed with exit code ${code}${said}`;
    case 'notFound':
      return `cannot run: there is no program ${program}`;
    case 'notStarted':
      return `cannot run${said}`;
    case 'tooLong':
      return `was ended after ${seconds} seconds`;
    case 'tooMuch':
      return `was ended, because it printed more than ${maxOutputBytes / 1024} KiB`;
    case 'killed':
      return 'was ended';
  }
}

/**
 * Returns the environment of a program: that of the user without the variables of Parley, which may contain passwords, and what
 * the command is about. Message text is not part of it: it comes on standard input.
 */
function programEnvironment(
  env: Env,
  {account, organization, message, selection}: ReturnType<typeof describeScreen>,
): Env {
  const own = Object.entries(env).filter(([name]) => !/^(?:PARLEY|ZULIP)_/.test(name));
  const [target] = message === null ? selection : [message.conversation];
  const about: Env = {
    PARLEY_ACCOUNT: account,
    PARLEY_ORGANIZATION: organization,
    PARLEY_MESSAGE_ID: message === null ? undefined : String(message.id),
    PARLEY_SENDER: message?.senderName,
    PARLEY_CONVERSATION: target !== undefined && 'to' in target ? target.to : undefined,
    PARLEY_CHANNEL: target !== undefined && 'channel' in target ? target.channel : undefined,
    PARLEY_TOPIC: target !== undefined && 'topic' in target ? target.topic : undefined,
  };
  const clean = Object.entries(about).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, withoutIsolates(printableLine(value))]],
  );
  return Object.fromEntries([...own, ...clean]);
}
