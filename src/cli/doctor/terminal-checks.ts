import type {CliIo} from '#cli/io.ts';
import {canDraw, type TerminalEnvironment, terminalEnvironment} from '#terminal/environment.ts';
import {programRunner} from '#terminal/run-program.ts';
import {type TmuxSetup, tmuxAdvice, tmuxSetup} from '#terminal/tmux.ts';
import {type ColorDepth, colorDepthOf} from '#theme/color-depth.ts';
import type {DoctorCheck} from './check.ts';
import {capabilitiesCheck, probeTerminal} from './probe-terminal.ts';

/** What the terminal says about itself. */
export async function* terminalChecks(io: CliIo): AsyncGenerator<DoctorCheck> {
  const {env} = io;
  const environment = terminalEnvironment(env, true);
  yield termCheck(environment, io);
  const answers = await probeTerminal(environment, io);
  if (answers !== undefined) yield capabilitiesCheck(answers);
  yield localeCheck(env.LC_ALL || env.LC_CTYPE || env.LANG || '');
  if (environment.overSsh) {
    yield {status: 'ok', what: 'ssh', detail: 'over ssh: COLORTERM is often not passed on'};
  }
  if (environment.hasTmuxCommand) yield tmuxCheck(await tmuxSetup(programRunner(env)));
  else if (environment.inScreen) {
    const detail = 'inside GNU screen: no focus events, no hyperlinks; notifications are bells only';
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
    const detail = `TERM is ${term === '' ? 'not set' : term}: there is nothing to draw on, only verbs work`;
    return {status: 'warn', what, detail};
  }
  const size = columns === undefined ? '' : `, ${columns} columns`;
  return {status: 'ok', what, detail: `TERM=${term}, ${colours[colorDepthOf(env, true)]}${size}`};
}

function localeCheck(locale: string): DoctorCheck {
  const what = 'locale';
  if (/utf-?8/i.test(locale)) return {status: 'ok', what, detail: locale};
  const said = locale === '' ? 'LANG is not set' : `LANG is ${locale}`;
  return {
    status: 'warn',
    what,
    detail: `${said}: set a UTF-8 locale, or text beyond ASCII may come out wrong`,
  };
}

function tmuxCheck(setup: TmuxSetup): DoctorCheck {
  const lines = tmuxAdvice(setup);
  const name = setup.version === undefined ? '' : `${setup.version}, `;
  const what = 'tmux';
  if (lines.length === 0)
    return {status: 'ok', what, detail: `${name}set up for everything that Parley uses`};
  const detail = `${name}for notifications, the clipboard, links and keys add to ~/.tmux.conf:`;
  return {status: 'warn', what, detail, lines};
}
