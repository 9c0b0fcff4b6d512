import {ReadStream} from 'node:tty';
import type {CliIo} from '#cli/io.ts';
import type {Capabilities} from '#terminal/capabilities.ts';
import {privateMode} from '#terminal/control-sequences.ts';
import {escapeTimeoutMs, type TerminalEnvironment} from '#terminal/environment.ts';
import {KeySource} from '#terminal/input/key-source.ts';
import {TerminalProbe} from '#terminal/probe.ts';
import type {DoctorCheck} from './check.ts';

const alternateScreen = 1049;
/** Whoever asks for a report wants what is true, also at the end of a slow line. */
const patienceMs = 2000;

/** What the terminal answers when it is asked; undefined where nobody could. It takes as long as its answers do. */
export async function probeTerminal(
  environment: TerminalEnvironment,
  {stdin, stdout, outputIsTty, clock}: CliIo,
): Promise<Capabilities | undefined> {
  if (environment.kind !== 'xterm' || !outputIsTty || !(stdin instanceof ReadStream)) return undefined;
  const {promise, resolve} = Promise.withResolvers<Capabilities>();
  const onChange = (capabilities: Capabilities) => {
    if (capabilities.isSettled) resolve(capabilities);
  };
  const probe = new TerminalProbe({environment, clock, patienceMs, onChange});
  const keys = new KeySource({stdin, clock, escapeTimeoutMs: escapeTimeoutMs(environment)});
  keys.onEvents((events) => {
    for (const event of events) probe.handleEvent(event);
  });
  keys.onEnd(() => resolve(probe.capabilities));
  stdin.setRawMode(true);
  keys.start();
  try {
    // One question moves the cursor and writes.
    stdout.write(privateMode(alternateScreen, true) + probe.startQuery());
    return await promise;
  } finally {
    probe.stop();
    keys.stop();
    stdin.setRawMode(false);
    stdout.write(privateMode(alternateScreen, false));
  }
}

/** What it means for the reader. */
export function capabilitiesCheck(capabilities: Capabilities): DoctorCheck {
  const {terminalName, background, isUtf8, kittyKeyboard, modifyOtherKeys} = capabilities;
  const {synchronizedOutput, hyperlinks, osc52, notifications} = capabilities;
  const what = 'answers';
  if (!isUtf8) {
    return {
      status: 'warn',
      what,
      detail: 'the terminal does not show UTF-8: letters beyond ASCII come out wrong',
    };
  }
  const abilities = {
    'Shift-Enter': kittyKeyboard || modifyOtherKeys,
    links: hyperlinks,
    clipboard: osc52 === true,
    notifications: notifications !== 'bell',
    'whole frames': synchronizedOutput === true,
  };
  const names = (isThere: boolean) =>
    Object.entries(abilities)
      .filter(([, has]) => has === isThere)
      .map(([name]) => name)
      .join(', ') || 'nothing';
  const name = terminalName ?? 'a terminal that does not say its name';
  const colour = background === undefined ? '' : `, ${background}`;
  return {status: 'ok', what, detail: `${name}${colour}; can: ${names(true)}; unsure: ${names(false)}`};
}
