import {ReadStream} from 'node:tty';
import {type CliIo, writeControls} from '#cli/io.ts';
import type {Capabilities} from '#terminal/capabilities.ts';
import {privateMode} from '#terminal/control-sequences.ts';
import {escapeTimeoutMs, type TerminalEnvironment} from '#terminal/environment.ts';
import {KeySource} from '#terminal/input/key-source.ts';
import {TerminalProbe} from '#terminal/probe.ts';
import type {DoctorCheck} from './check.ts';

const alternateScreen = 1049;
/** The time to wait for replies: long, because a report should be correct even over a slow connection. */
const replyTimeoutMs = 2000;

/** Asks the terminal about its capabilities. Returns undefined when it cannot be asked. */
export async function probeTerminal(
  environment: TerminalEnvironment,
  {stdin, stdout, outputIsTty, clock}: CliIo,
): Promise<Capabilities | undefined> {
  if (environment.kind !== 'xterm' || !outputIsTty || !(stdin instanceof ReadStream)) return undefined;
  const {promise, resolve} = Promise.withResolvers<Capabilities>();
  const onChange = (capabilities: Capabilities) => {
    if (capabilities.isSettled) resolve(capabilities);
  };
  const probe = new TerminalProbe({environment, clock, timeoutMs: replyTimeoutMs, onChange});
  const keys = new KeySource({stdin, clock, escapeTimeoutMs: escapeTimeoutMs(environment)});
  keys.onEvents((events) => {
    for (const event of events) probe.handleEvent(event);
  });
  keys.onEnd(() => resolve(probe.capabilities));
  stdin.setRawMode(true);
  keys.start();
  try {
    // On the alternate screen, because one query moves the cursor and writes.
    writeControls(stdout, privateMode(alternateScreen, true) + probe.startQuery());
    return await promise;
  } finally {
    probe.stop();
    keys.stop();
    stdin.setRawMode(false);
    writeControls(stdout, privateMode(alternateScreen, false));
  }
}

/** Summarises the capabilities in the terms of the user. */
export function capabilitiesCheck(capabilities: Capabilities): DoctorCheck {
  const {terminalName, background, isUtf8, kittyKeyboard, modifyOtherKeys} = capabilities;
  const {synchronizedOutput, hyperlinks, osc52, notifications} = capabilities;
  const what = 'features';
  if (!isUtf8) {
    return {
      status: 'warn',
      what,
      detail: 'the terminal does not show UTF-8: other letters are replaced by similar ones or “?”',
    };
  }
  const abilities = {
    'Shift-Enter': kittyKeyboard || modifyOtherKeys,
    links: hyperlinks,
    clipboard: osc52 === true,
    notifications: notifications !== 'bell',
    'flicker-free drawing': synchronizedOutput === true,
  };
  const names = (isSupported: boolean) =>
    Object.entries(abilities)
      .filter(([, has]) => has === isSupported)
      .map(([name]) => name)
      .join(', ') || 'none';
  const name = terminalName ?? 'unknown terminal';
  const colour = background === undefined ? '' : `, ${background}`;
  return {
    status: 'ok',
    what,
    detail: `${name}${colour}; supported: ${names(true)}; not confirmed: ${names(false)}`,
  };
}
