import {accessSync, constants, existsSync, mkdtempSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {ReadStream} from 'node:tty';
import type {AccountFlags} from '#cli/account-access/lazy-account.ts';
import {readConfigSettings} from '#cli/account-access/open-store.ts';
import {type CliIo, exitCodes, print, writeControls} from '#cli/io.ts';
import {chosenProtocol} from '#cli/screen/screen-images.ts';
import {verbWithHelp} from '#cli/verbs/parse-verb-arguments.ts';
import {versionLine} from '#cli/version.ts';
import {displayPath} from '#config/paths.ts';
import {errorCode} from '#config/private-files.ts';
import {readSettings} from '#config/settings.ts';
import {errorText} from '#std/error-text.ts';
import {type Capabilities, initialCapabilities, withOuterProgram} from '#terminal/capabilities.ts';
import {privateMode} from '#terminal/control-sequences.ts';
import {
  canDraw,
  escapeTimeoutMs,
  type TerminalEnvironment,
  terminalEnvironment,
  withReportedProgram,
} from '#terminal/environment.ts';
import type {ImageProtocol} from '#terminal/images/image-protocol.ts';
import {KeySource} from '#terminal/input/key-source.ts';
import {TerminalProbe} from '#terminal/probe.ts';
import {programRunner} from '#terminal/run-program.ts';
import {outerProgram, passesThrough, type TmuxSetup, tmuxAdvice, tmuxSetup} from '#terminal/tmux.ts';
import {type ColorDepth, colorDepthOf} from '#theme/color-depth.ts';
import {accountChecks, type DoctorCheck, fail, ok, warn} from './account-checks.ts';

export const doctorHelp = `parley doctor: check the machine, the account and the terminal

  --account NAME         check this account
  --config FILE          check the account in this zuliprc
  --json                 print JSON

Exit code 0 when no check failed (there may be warnings), 1 otherwise.
`;

export const doctor = verbWithHelp('doctor', doctorHelp, async ({values}, io) => {
  const checks: DoctorCheck[] = [];
  for await (const check of allChecks(values, io)) {
    checks.push(check);
    if (!values.json) show(check, io);
  }
  const isOk = checks.every(({status}) => status !== 'FAIL');
  const exitCode = isOk ? exitCodes.ok : exitCodes.failed;
  return {json: {ok: isOk, checks}, text: undefined, exitCode};
});

async function* allChecks(values: AccountFlags, io: CliIo): AsyncGenerator<DoctorCheck> {
  yield* machineChecks(io);
  yield* keyChecks(io);
  yield* themeChecks(io);
  yield* ruleChecks(io);
  yield* accountChecks(values, io);
  yield* terminalChecks(io);
}

function show({status, what, detail, lines = []}: DoctorCheck, io: CliIo): void {
  print(io, `${status.padEnd(4)}  ${what.padEnd(9)}  ${detail}`);
  for (const line of lines) print(io, `${' '.repeat(17)}${line}`);
}

/** Returns a warning for each problem of a file, or that it has none. */
function problemChecks(what: string, problems: readonly string[]): readonly DoctorCheck[] {
  return problems.length === 0 ? [ok(what, 'no problems')] : problems.map((problem) => warn(what, problem));
}

/**
 * Checks the program, its directories and its settings. `write` tries to write into a directory and throws on failure.
 */
export function* machineChecks({env, home, paths}: CliIo, write = writeTestFile): Generator<DoctorCheck> {
  yield ok('program', versionLine());
  const {runtime, ...persistent} = paths;
  for (const [what, path] of Object.entries({...persistent, runtime})) {
    const {status, detail} = directoryCheck(what, path, displayPath(path, home), write);
    yield {what, status, detail};
  }
  yield* problemChecks('settings', readSettings(persistent.config, env).warnings);
}

async function* keyChecks(io: CliIo): AsyncGenerator<DoctorCheck> {
  const {loadUserKeys} = await import('#cli/load-user-keys.ts');
  yield* problemChecks('keys', loadUserKeys(io.paths, io).problems);
}

async function* themeChecks(io: CliIo): AsyncGenerator<DoctorCheck> {
  const {themeOfName} = await import('#cli/screen/app-settings.ts');
  const {theme} = readSettings(io.paths.config, io.env).settings;
  const {problems} = await themeOfName(theme, io);
  if (problems.length > 0) yield* problemChecks('theme', problems);
}

async function* ruleChecks(io: CliIo): AsyncGenerator<DoctorCheck> {
  const {rulesFile} = await import('#cli/rules/rules-file.ts');
  const {rules, problems} = await rulesFile(io).read();
  if (rules.length > 0 || problems.length > 0) yield* problemChecks('rules', problems);
}

function directoryCheck(what: string, path: string, displayed: string, write: typeof writeTestFile): DoctorCheck {
  const stats = statSync(path, {throwIfNoEntry: false});
  if (stats === undefined) {
    const parent = existingParent(path);
    return isWritable(parent)
      ? ok(what, `${displayed} (created when needed)`)
      : fail(what, `${displayed} cannot be created: ${parent} is not writable.`);
  }
  if (!stats.isDirectory()) return fail(what, `${displayed} is not a directory.`);
  if (!isWritable(path)) return fail(what, `${displayed} is not writable.`);
  const problem = problemOf(() => write(path));
  if (problem !== undefined) return fail(what, `Writing to ${displayed} failed: ${problem}.`);
  const isOpenToOthers = (stats.mode & 0o077) !== 0;
  return isOpenToOthers
    ? warn(what, `Other users can read ${displayed}. Make it private: chmod 700.`)
    : ok(what, displayed);
}

/** Writes about as much as a small database: a full disk and an exceeded quota show only then. */
function writeTestFile(directory: string): void {
  const folder = mkdtempSync(join(directory, '.doctor-'));
  try {
    writeFileSync(join(folder, 'probe'), Buffer.alloc(256 * 1024, 1));
  } finally {
    rmSync(folder, {recursive: true, force: true});
  }
}

function problemOf(body: () => void): string | undefined {
  try {
    body();
    return undefined;
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOSPC') return 'the disk is full';
    return code === 'EDQUOT' ? 'your disk quota is exceeded' : errorText(error);
  }
}

function existingParent(path: string): string {
  const parent = dirname(path);
  return existsSync(parent) || parent === path ? parent : existingParent(parent);
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Checks the terminal: TERM, its replies to queries, the locale, ssh, tmux and screen. */
async function* terminalChecks(io: CliIo): AsyncGenerator<DoctorCheck> {
  const {env} = io;
  const environment = terminalEnvironment(env, true);
  yield termCheck(environment, io);
  const capabilities = await probeTerminal(environment, io);
  if (capabilities !== undefined) yield capabilitiesCheck(capabilities);
  // A terminal that was not asked may have graphics.
  const known = capabilities ?? (environment.kind === 'xterm' ? undefined : initialCapabilities(environment));
  if (known !== undefined) yield imagesCheck(await withTmux(known, environment, io), environment, io);
  yield localeCheck(env.LC_ALL || env.LC_CTYPE || env.LANG || '');
  if (environment.overSsh) {
    yield ok('ssh', 'connected over ssh, which often does not forward COLORTERM');
  }
  if (environment.hasTmuxCommand) yield tmuxCheck(await tmuxSetup(programRunner(env)));
  else if (withReportedProgram(environment, capabilities?.program ?? environment.program).inScreen) {
    const detail = 'inside GNU screen: no focus events, no hyperlinks; notifications only ring the bell';
    yield warn('screen', detail);
  }
}

/** Adds what tmux says of itself and of the terminal around it. */
async function withTmux(capabilities: Capabilities, {hasTmuxCommand}: TerminalEnvironment, {env}: CliIo) {
  if (!hasTmuxCommand) return capabilities;
  const run = programRunner(env);
  const [outer, isPassed] = await Promise.all([outerProgram(run), passesThrough(run)]);
  return outer === undefined ? capabilities : withOuterProgram(capabilities, outer, isPassed);
}

const protocols: Readonly<Record<ImageProtocol, string>> = {
  'kitty-placeholders': 'kitty graphics in the text',
  kitty: 'kitty graphics',
  iterm2: 'iTerm2 images',
  sixel: 'sixel',
  'half-blocks': 'half blocks',
  none: 'not shown',
};

/** Says how images are shown, and why. */
function imagesCheck(capabilities: Capabilities, guessed: TerminalEnvironment, io: CliIo): DoctorCheck {
  const settings = readConfigSettings(io);
  const {protocol, reason} = chosenProtocol({
    setting: settings.images,
    hasScreenReader: settings.screenReader !== 'off',
    capabilities: {...capabilities, isUtf8: capabilities.isUtf8 && settings.glyphs !== 'ascii'},
    environment: withReportedProgram(guessed, capabilities.program),
    depth: colorDepthOf(io.env, true, capabilities),
  });
  const {cellSize} = capabilities;
  const cell =
    protocol === 'none' || cellSize === undefined ? '' : `; cells of ${cellSize.width}×${cellSize.height} pixels`;
  return ok('images', `${protocols[protocol]}: ${reason}${cell}`);
}

const colours: Readonly<Record<ColorDepth, string>> = {
  never: 'no colours',
  mono: 'no colours',
  '16': '16 colours',
  '256': '256 colours',
  true: 'true colour',
};

function termCheck(environment: TerminalEnvironment, {env, columns}: CliIo): DoctorCheck {
  const {term} = environment;
  if (!canDraw(environment)) {
    const found = term === '' ? 'not set' : term;
    return warn('terminal', `TERM is ${found}: the full screen does not work, only commands do`);
  }
  const size = columns === undefined ? '' : `, ${columns} columns`;
  return ok('terminal', `TERM=${term}, ${colours[colorDepthOf(env, true)]}${size}`);
}

function localeCheck(locale: string): DoctorCheck {
  if (/utf-?8/i.test(locale)) return ok('locale', locale);
  const current = locale === '' ? 'LANG is not set' : `LANG is ${locale}`;
  return warn('locale', `${current}: set a UTF-8 locale, or non-ASCII text may be garbled`);
}

function tmuxCheck(setup: TmuxSetup): DoctorCheck {
  const lines = tmuxAdvice(setup);
  const name = setup.version === undefined ? '' : `${setup.version}, `;
  if (lines.length === 0) return ok('tmux', `${name}configured for all features of Parley`);
  return {...warn('tmux', `${name}for notifications, images, clipboard, links and keys, add to ~/.tmux.conf:`), lines};
}

const alternateScreen = 1049;
/** The time to wait for replies: long, because a report should be correct even over a slow connection. */
const replyTimeoutMs = 2000;

/** Asks the terminal about its capabilities. Returns undefined when it cannot be asked. */
async function probeTerminal(
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

/** What `bidi = "auto"` chooses, and why. */
const bidiTexts: Readonly<Record<Capabilities['bidi'], string>> = {
  none: 'Parley orders right-to-left text, because the terminal does not',
  own: 'the terminal orders right-to-left text, and cannot be told to stop',
  switchable: 'Parley orders right-to-left text, and the terminal is told to stop',
  words:
    'Parley orders the words of right-to-left text, and the terminal the letters of each, as kitty does; with force_ltr in kitty.conf, set bidi = "reorder"',
};

/** Summarises the capabilities in the terms of the user. */
function capabilitiesCheck(capabilities: Capabilities): DoctorCheck {
  const {terminalName, background, isUtf8, kittyKeyboard, modifyOtherKeys} = capabilities;
  const {synchronizedOutput, hyperlinks, osc52, notifications, bidi} = capabilities;
  if (!isUtf8) {
    return warn('features', 'the terminal does not show UTF-8: other letters are replaced by similar ones or “?”');
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
  const count = capabilities.indexedColor ? ', reports 256 colours' : '';
  return ok(
    'features',
    `${name}${colour}${count}; supported: ${names(true)}; not confirmed: ${names(false)}; with bidi = auto, ${bidiTexts[bidi]}`,
  );
}
