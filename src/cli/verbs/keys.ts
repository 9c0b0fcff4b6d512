import {
  type CliIo,
  type ExitCode,
  exitCodes,
  print,
  printJson,
  printNotice,
  UsageError,
  writeControls,
} from '#cli/io.ts';
import {loadCommandsAndKeys} from '#cli/load-user-keys.ts';
import {type KeyTableRow, keyContexts, keyTable} from '#commands/keymap.ts';
import {textColumns} from '#content/styled-text/text-width.ts';
import {printable} from '#std/printable.ts';
import {keyboardProtocol} from '#terminal/capabilities.ts';
import {esc, privateMode} from '#terminal/control-sequences.ts';
import {escapeTimeoutMs, terminalEnvironment} from '#terminal/environment.ts';
import type {InputEvent} from '#terminal/input/input-events.ts';
import {keyName} from '#terminal/input/key.ts';
import {KeySource} from '#terminal/input/key-source.ts';
import {keyboardMode, leaveModes} from '#terminal/modes.ts';
import {TerminalProbe} from '#terminal/probe.ts';
import type {VerbRunner} from './verb-table.ts';

export const keys: VerbRunner<'keys'> = async ({values}, io, signal) => {
  if (values.probe) {
    if (!io.inputIsTty || !io.outputIsTty) throw new UsageError('“parley keys --probe” needs a terminal.');
    return probeKeys(io, signal);
  }
  const {keymap, problems, commands} = await loadCommandsAndKeys(io.paths, io);
  for (const problem of problems) printNotice(io, problem);
  const rows = keyTable(keymap, commands);
  if (values.json) printJson(io, rows);
  else print(io, values.markdown ? keysMarkdown(rows) : keysText(rows));
  return exitCodes.ok;
};

/** Formats the keys, one section for each context. */
function keysText(rows: readonly KeyTableRow[]): string {
  const keysOf = rows.map(({keys: keyNames}) => foldRange(keyNames).join(', '));
  const width = Math.min(28, Math.max(...keysOf.map(textColumns)));
  const lines: string[] = [];
  for (const [at, {context, title, id}] of rows.entries()) {
    if (context !== rows[at - 1]?.context) lines.push(...(at === 0 ? [] : ['']), keyContexts[context].title);
    const keyNames = keysOf[at] ?? '';
    const padding = ' '.repeat(Math.max(0, width - textColumns(keyNames)));
    lines.push(`  ${keyNames}${padding}  ${title}  (${id})`);
  }
  return lines.join('\n');
}

export function keysMarkdown(rows: readonly KeyTableRow[]): string {
  const lines: string[] = [];
  for (const [at, {context, keys: keyNames, title, id}] of rows.entries()) {
    if (context !== rows[at - 1]?.context) {
      lines.push(...(at === 0 ? [] : ['']), `**${keyContexts[context].title}** (\`${context}\`)`, '');
      lines.push('| keys | does | command |', '| --- | --- | --- |');
    }
    lines.push(`| ${foldRange(keyNames).map(keyMarkdown).join(' ')} | ${cell(title)} | \`${id}\` |`);
  }
  return lines.join('\n');
}

/** Folds `Alt-1`, `Alt-2` … `Alt-9` into `Alt-1…Alt-9`. */
function foldRange(keyNames: readonly string[]): readonly string[] {
  const [first = '', last = ''] = [keyNames[0], keyNames.at(-1)];
  const isRow = keyNames.every((key, at) => key === first.replace(/1$/, String(at + 1)));
  return keyNames.length > 3 && isRow ? [`${first}…${last}`] : keyNames;
}

/** Formats a key as code. A backtick needs double backticks, and a bar would end the table cell. */
function keyMarkdown(key: string): string {
  return key.includes('`') ? `\`\` ${key} \`\`` : `\`${key.replaceAll('|', '\\|')}\``;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

const exitKey = 'Ctrl-C';
const pasteMode = 2004;
/** Clears the screen, because the terminal queries move the cursor. */
const clear = `${esc}[2J`;

/** Prints what the terminal sends, as the program understands it, until Ctrl-C is pressed twice in a row. */
function probeKeys(io: CliIo, signal: AbortSignal): Promise<ExitCode> {
  const {promise, resolve} = Promise.withResolvers<ExitCode>();
  const environment = terminalEnvironment(io.env, true);
  const keys = new KeySource({
    stdin: process.stdin,
    clock: io.clock,
    escapeTimeoutMs: escapeTimeoutMs(environment),
  });
  const write = (sequence: string) => writeControls(io.stdout, sequence);
  const printLine = (text: string) => write(`${printable(text)}\r\n`);
  const probe = new TerminalProbe({
    environment,
    clock: io.clock,
    onChange: ({bracketedPaste}) => keys.setBracketedPaste(bracketedPaste === true),
    onKeyboard: (protocol) => {
      write(keyboardMode(protocol));
      keys.setKittyFlags(protocol === 'kitty' ? 5 : 0);
      printLine(`(keyboard protocol: ${protocol})`);
    },
  });
  let exitPresses = 0;
  const end = () => {
    keys.stop();
    probe.stop();
    write(leaveModes(environment, {alternateScreen: false}));
    process.stdin.setRawMode(false);
    resolve(exitCodes.ok);
  };
  keys.onEvents((events) => {
    for (const event of events) {
      probe.handleEvent(event);
      const line = eventLine(event);
      if (line !== undefined) printLine(line);
      exitPresses = event.kind === 'key' && keyName(event.key) === exitKey ? exitPresses + 1 : 0;
      if (exitPresses === 2) end();
    }
  });
  keys.onEnd(end);
  signal.addEventListener('abort', end, {once: true});
  process.stdin.setRawMode(true);
  write(clear + privateMode(pasteMode, true) + probe.startQuery());
  printLine(`Press keys to see what they send. Press ${exitKey} twice to quit.`);
  keys.start();
  if (probe.capabilities.isSettled) printLine(`(keyboard protocol: ${keyboardProtocol(probe.capabilities)})`);
  return promise;
}

function eventLine(event: InputEvent): string | undefined {
  switch (event.kind) {
    case 'key': {
      const marks = [event.isBurst && 'in a burst', event.isWheel && 'from the wheel'].filter(Boolean);
      const text = event.key.text === undefined ? '' : `   text ${JSON.stringify(event.key.text)}`;
      return `key ${keyName(event.key)}${text}${marks.length > 0 ? `   (${marks.join(', ')})` : ''}`;
    }
    case 'paste':
      return `paste of ${event.text.length} characters`;
    case 'focus':
      return event.gained ? 'the window has the focus' : 'the window lost the focus';
    case 'mouse':
      return `mouse ${event.action} ${event.wheel ?? event.button} at ${event.x + 1},${event.y + 1}`;
    case 'unknown':
      return `unknown ${JSON.stringify(event.bytes)}`;
    default:
      return undefined;
  }
}
