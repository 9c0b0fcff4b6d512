import {withoutControls} from '#std/printable.ts';
import {bel, osc, screenPassthrough} from './control-sequences.ts';
import type {Env} from './env.ts';
import type {TerminalEnvironment} from './environment.ts';
import type {RunProgram} from './run-program.ts';

export type CopyOutcome =
  | {readonly kind: 'copied'; readonly by: string}
  /** Sent to the terminal, which does not report success. */
  | {readonly kind: 'sent'}
  /** Copying is impossible: show the text, so that the user can select it. */
  | {readonly kind: 'shown'; readonly why: 'too_long' | 'no_way'};

export interface ClipboardParts {
  readonly environment: TerminalEnvironment;
  /** Whether OSC 52 is known to work, known not to, or neither. */
  readonly osc52: boolean | undefined;
  readonly env: Env;
  readonly platform: string;
  readonly run: RunProgram;
  readonly write: (sequence: string) => void;
}

/** Terminals drop sequences of more than 100 kB, and base64 makes the text a third longer. */
const maxBytes = 74_000;

/**
 * Copies text to the clipboard of the user's machine, which over ssh is not the machine that runs the
 * program. It never reads the clipboard, which may contain passwords.
 */
export async function copyText(copied: string, parts: ClipboardParts): Promise<CopyOutcome> {
  // A control character could end a bracketed paste, so that the rest is run as a command.
  const text = withoutControls(copied);
  const {environment, osc52} = parts;
  if (environment.hasTmuxCommand && (await runCopyCommand(tmuxCommand, text, parts.run))) {
    return {kind: 'copied', by: 'tmux'};
  }
  if (osc52 === true && sendOsc52(text, parts)) return {kind: 'copied', by: 'terminal'};
  if (!environment.overSsh) {
    for (const command of localCommands(parts)) {
      if (await runCopyCommand(command, text, parts.run)) return {kind: 'copied', by: command[0]};
    }
  }
  if (osc52 === undefined && sendOsc52(text, parts)) return {kind: 'sent'};
  return {kind: 'shown', why: isTooLong(text) ? 'too_long' : 'no_way'};
}

type CopyCommand = readonly [string, ...string[]];

/** Loads the text into a tmux buffer; `-w` also sends it to the terminal around tmux, without configuration. */
const tmuxCommand: CopyCommand = ['tmux', 'load-buffer', '-w', '-'];

async function runCopyCommand([command, ...args]: CopyCommand, text: string, run: RunProgram): Promise<boolean> {
  const outcome = await run(command, args, text);
  return outcome.kind === 'ended' && outcome.code === 0;
}

function localCommands({env, platform}: ClipboardParts): CopyCommand[] {
  if (platform === 'darwin') return [['pbcopy']];
  const commands: CopyCommand[] = [];
  if (env.WAYLAND_DISPLAY) commands.push(['wl-copy']);
  if (env.DISPLAY) commands.push(['xclip', '-selection', 'clipboard', '-in'], ['xsel', '--clipboard', '--input']);
  if (env.WSL_DISTRO_NAME) commands.push(['clip.exe']);
  if (env.TERMUX_VERSION) commands.push(['termux-clipboard-set']);
  return commands;
}

function isTooLong(text: string): boolean {
  return Buffer.byteLength(text) > maxBytes;
}

function sendOsc52(text: string, {environment, write}: ClipboardParts): boolean {
  const sequence = isTooLong(text) ? '' : clipboardSequence(text, environment);
  if (sequence !== '') write(sequence);
  return sequence !== '';
}

/** Returns the OSC 52 sequence, or '' for terminals that would print it. */
export function clipboardSequence(text: string, {kind, inScreen}: TerminalEnvironment): string {
  if (kind !== 'xterm') return '';
  const sequence = osc(`52;c;${Buffer.from(text).toString('base64')}`, bel);
  return inScreen ? screenPassthrough(sequence) : sequence;
}
