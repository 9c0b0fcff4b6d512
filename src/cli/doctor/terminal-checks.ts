import type {CliIo} from '#cli/io.ts';
import {canDraw, type TerminalEnvironment, terminalEnvironment, withReportedProgram} from '#terminal/environment.ts';
import {programRunner} from '#terminal/run-program.ts';
import {type TmuxSetup, tmuxAdvice, tmuxSetup} from '#terminal/tmux.ts';
import {type ColorDepth, colorDepthOf} from '#theme/color-depth.ts';
import type {DoctorCheck} from './check.ts';
import {capabilitiesCheck, probeTerminal} from './probe-terminal.ts';

/** Checks the terminal: TERM, its replies to queries, the locale, ssh, tmux and screen. */
export async function* terminalChecks(io: CliIo): AsyncGenerator<DoctorCheck> {
  const {env} = io;
  const environment = terminalEnvironment(env, true);
  yield termCheck(environment, io);
  const capabilities = await probeTerminal(environment, io);
  if (capabilities !== undefined) yield capabilitiesCheck(capabilities);
  yield localeCheck(env.LC_ALL || env.LC_CTYPE || env.LANG || '');
  if (environment.overSsh) {
    yield {status: 'ok', what: 'ssh', detail: 'connected over ssh, which often does not forward COLORTERM'};
  }
  if (environment.hasTmuxCommand) yield tmuxCheck(await tmuxSetup(programRunner(env)));
  else if (withReportedProgram(environment, capabilities?.program ?? environment.program).inScreen) {
    const detail = 'inside GNU screen: no focus events, no hyperlinks; notifications only ring the bell';
    yield {status: 'warn', what: 'screen', detail};
  }
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
  const what = 'terminal';
  if (!canDraw(environment)) {
    const detail = `TERM is ${term === '' ? 'not set' : term}: the full screen does not work, only commands do`;
    return {status: 'warn', what, detail};
  }
  const size = columns === undefined ? '' : `, ${columns} columns`;
  return {status: 'ok', what, detail: `TERM=${term}, ${colours[colorDepthOf(env, true)]}${size}`};
}

function localeCheck(locale: string): DoctorCheck {
  const what = 'locale';
  if (/utf-?8/i.test(locale)) return {status: 'ok', what, detail: locale};
  const current = locale === '' ? 'LANG is not set' : `LANG is ${locale}`;
  return {
    status: 'warn',
    what,
    detail: `${current}: set a UTF-8 locale, or non-ASCII text may be garbled`,
  };
}

function tmuxCheck(setup: TmuxSetup): DoctorCheck {
  const lines = tmuxAdvice(setup);
  const name = setup.version === undefined ? '' : `${setup.version}, `;
  const what = 'tmux';
  if (lines.length === 0) return {status: 'ok', what, detail: `${name}configured for all features of Parley`};
  const detail = `${name}for notifications, clipboard, links and keys, add to ~/.tmux.conf:`;
  return {status: 'warn', what, detail, lines};
}
