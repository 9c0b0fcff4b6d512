import {execFile} from 'node:child_process';
import type {Env} from './env.ts';

type ClipboardImage =
  | {readonly kind: 'image'; readonly bytes: Uint8Array<ArrayBuffer>}
  /** A sentence for the user. */
  | {readonly kind: 'none'; readonly problem: string};

const maxRunMs = 5000;

/** Reads the PNG in the clipboard, and never anything else of it. Larger images than `maxBytes` are refused. */
export async function clipboardImage(env: Env, platform: string, maxBytes: number): Promise<ClipboardImage> {
  const commands = commandsFor(env, platform);
  if (commands.length === 0) return none('There is no clipboard here: neither WAYLAND_DISPLAY nor DISPLAY is set.');
  const missing: string[] = [];
  for (const [command, ...args] of commands) {
    const {code, bytes} = await output(command, args, env, maxBytes);
    if (code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') {
      return none(`The image in the clipboard is larger than ${Math.floor(maxBytes / 1024 / 1024)} MiB.`);
    }
    if (code === undefined && bytes.length > 0) return {kind: 'image', bytes: new Uint8Array(bytes)};
    if (code === 'ENOENT') missing.push(command);
  }
  return missing.length < commands.length
    ? none('The clipboard contains no image.')
    : none(`To take an image from the clipboard, install ${missing.join(' or ')}.`);
}

function none(problem: string): ClipboardImage {
  return {kind: 'none', problem};
}

type Command = readonly [string, ...string[]];

function commandsFor(env: Env, platform: string): readonly Command[] {
  if (platform === 'darwin') return [['pngpaste', '-']];
  const commands: Command[] = [];
  if (env.WAYLAND_DISPLAY) commands.push(['wl-paste', '--no-newline', '--type', 'image/png']);
  if (env.DISPLAY) commands.push(['xclip', '-selection', 'clipboard', '-t', 'image/png', '-o']);
  return commands;
}

interface Output {
  /** Undefined when the program succeeded. */
  readonly code: string | number | undefined;
  readonly bytes: Buffer;
}

function output(command: string, args: readonly string[], env: Env, maxBuffer: number): Promise<Output> {
  return new Promise((resolve) => {
    const options = {env, maxBuffer, timeout: maxRunMs, encoding: 'buffer'} as const;
    execFile(command, args, options, (error, bytes) =>
      resolve({code: error === null ? undefined : (error.code ?? 1), bytes}),
    );
  });
}
