import {readdirSync, statSync} from 'node:fs';
import {readFile} from 'node:fs/promises';
import {basename} from 'node:path';
import type {Device} from '#app/core/host.ts';
import type {Env} from '#config/paths.ts';
import type {Clock} from '#std/clock.ts';
import {homeDirectory} from '#std/home-directory.ts';
import type {Capabilities} from '#terminal/capabilities.ts';
import {type CopyOutcome, copyText} from '#terminal/clipboard.ts';
import {bel, progressEnd, progressSequence} from '#terminal/control-sequences.ts';
import {type EditOutcome, editText} from '#terminal/editor.ts';
import type {TerminalEnvironment} from '#terminal/environment.ts';
import type {TerminalLifecycle} from '#terminal/lifecycle.ts';
import {mouseMode} from '#terminal/modes.ts';
import {openUrl} from '#terminal/open-url.ts';
import {launchProgram, programRunner, type RunProgram, runInTerminal} from '#terminal/run-program.ts';
import {saveDownload} from '#terminal/save-file.ts';
import type {TerminalOutput} from '#terminal/terminal-output.ts';
import {notificationSequence, TitleWriter} from '#terminal/title.ts';
import {doNotDisturbFile} from './do-not-disturb-file.ts';

export interface TerminalDeviceParts {
  readonly env: Env;
  /** Runs the programs of the clipboard; the usual one by default. */
  readonly run?: RunProgram | undefined;
  /** The terminal as far as it is known now. */
  readonly environment: () => TerminalEnvironment;
  readonly capabilities: () => Capabilities;
  readonly write: (sequence: string) => void;
  /** The folder for temporary files, such as text that is open in an editor. */
  readonly runtimeDirectory: string;
  /** The folder for what survives a restart. */
  readonly stateDirectory: string;
  /** Gives the terminal to another program while the body runs. */
  readonly lend: <T>(body: () => Promise<T>) => Promise<T>;
  readonly redraw: () => void;
  readonly suspend: () => void;
  readonly quit: () => void;
}

export interface TerminalDevice extends Device {
  readonly title: TitleWriter;
}

export function terminalDevice(parts: TerminalDeviceParts): TerminalDevice {
  const {env, environment, capabilities, write} = parts;
  const title = new TitleWriter(environment, write);
  const clipboard = () => ({
    environment: environment(),
    osc52: capabilities().osc52,
    env,
    platform: process.platform,
    run: parts.run ?? programRunner(env),
    write,
  });
  const copy = (text: string) => copyText(text, clipboard());
  let notifications = 0;
  return {
    copy: async (text) => copyResultText(await copy(text)),
    open: async (url) => {
      const outcome = await openUrl(url, {
        environment: environment(),
        env,
        platform: process.platform,
        launch: launchProgram,
        copy,
      });
      if (outcome.kind === 'opened') return `Opened ${url}`;
      if (outcome.kind === 'refused') return outcome.problem;
      if (outcome.kind === 'copied') return `No browser found. ${copyResultText(outcome.copy)}: ${url}`;
      await parts.lend(() => runInTerminal(outcome.command, outcome.args));
      return `Opened ${url}`;
    },
    edit: async (text, header) => {
      const request = {env, directory: parts.runtimeDirectory, run: runInTerminal};
      const outcome = await parts.lend(() => editText({text, header}, request));
      if (outcome.kind === 'failed') throw new Error(editFailureText(outcome));
      return outcome.kind === 'changed' ? outcome.text : undefined;
    },
    bell: () => write(bel),
    notify: (heading, body) => {
      const notification = {id: ++notifications, title: heading, body};
      write(notificationSequence(notification, capabilities().notifications, environment()));
    },
    doNotDisturb: doNotDisturbFile(parts.stateDirectory),
    title,
    setTitle: (text) => title.show(text),
    setMouse: (isOn) => write(mouseMode(environment(), isOn)),
    setProgress: (percent) => {
      if (capabilities().progress) write(percent === undefined ? progressEnd : progressSequence(percent / 100));
    },
    redraw: parts.redraw,
    suspend: parts.suspend,
    quit: parts.quit,
    get reportsShiftEnter() {
      const {kittyKeyboard, modifyOtherKeys} = capabilities();
      return kittyKeyboard || modifyOtherKeys;
    },
    isRemote: environment().overSsh,
    readFile: async (path) => {
      const bytes = await readFile(homePath(env, path)).catch((error: unknown) => {
        throw new Error(readErrorText(path, error));
      });
      return {name: basename(path), bytes, size: bytes.length};
    },
    clipboardImage: async (maxBytes) => {
      const {clipboardImage} = await import('#terminal/clipboard-image.ts');
      const found = await clipboardImage(env, process.platform, maxBytes);
      if (found.kind === 'none') throw new Error(found.problem);
      return found.bytes;
    },
    saveFile: (name, bytes) => saveDownload(env, name, bytes),
    listFiles: (directory) => {
      const path = homePath(env, directory);
      return readdirSync(path, {withFileTypes: true}).map((entry) => ({
        name: entry.name,
        isDirectory: entry.isDirectory() || (entry.isSymbolicLink() && isDirectory(`${path}/${entry.name}`)),
      }));
    },
  };
}

/** Expands `~` to the home directory, as a shell does. */
function homePath(env: Env, path: string): string {
  return /^~(?:\/|$)/.test(path) ? homeDirectory(env) + path.slice(1) : path;
}

function readErrorText(path: string, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') return `There is no file ${path}.`;
  if (code === 'EISDIR') return `${path} is a directory.`;
  return `${path} cannot be read.`;
}

function isDirectory(path: string): boolean {
  return statSync(path, {throwIfNoEntry: false})?.isDirectory() ?? false;
}

/** Returns the problem, and the file with the text that the editor had saved by then. */
function editFailureText({problem, keptAt}: Extract<EditOutcome, {kind: 'failed'}>): string {
  return keptAt === undefined ? problem : `${problem} The saved text is in ${keptAt}.`;
}

function copyResultText(outcome: CopyOutcome): string {
  if (outcome.kind === 'copied') return 'Copied';
  if (outcome.kind === 'sent') return 'Sent to the terminal’s clipboard';
  return outcome.why === 'too_long' ? 'Too long to copy' : 'No clipboard program found';
}

/** The time to wait for the terminal to read pending output before it is handed over. */
const drainTimeoutMs = 200;

/**
 * Returns functions that hand the terminal to another program or to the shell, and take it back. `onResumed` is called when the
 * program continues after it was suspended.
 */
export function terminalHandover(
  lifecycle: Pick<TerminalLifecycle, 'pause' | 'resume' | 'suspend'>,
  output: Pick<TerminalOutput, 'whenDrained'>,
  clock: Clock,
  onResumed: () => void,
) {
  const waitForDrain = () => {
    const {promise, resolve} = Promise.withResolvers<void>();
    const cancel = clock.after(drainTimeoutMs, resolve);
    void output.whenDrained().then(() => {
      cancel();
      resolve();
    });
    return promise;
  };
  return {
    async lend<T>(body: () => Promise<T>): Promise<T> {
      await waitForDrain();
      lifecycle.pause();
      try {
        return await body();
      } finally {
        lifecycle.resume();
      }
    },
    async suspend(): Promise<void> {
      await waitForDrain();
      await lifecycle.suspend();
      onResumed();
    },
  };
}
