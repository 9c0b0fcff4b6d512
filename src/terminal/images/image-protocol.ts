import type {Capabilities} from '#terminal/capabilities.ts';
import type {TerminalEnvironment} from '#terminal/environment.ts';
import {isAtLeast, type TerminalProgram} from '#terminal/terminal-program.ts';

/**
 * How images are drawn. `kitty-placeholders` and `half-blocks` are text, which scrolls and is covered like other text; `kitty` is
 * placed at the cursor; `iterm2` and `sixel` are drawn into the cells, and text over them removes them.
 */
export type ImageProtocol = 'kitty-placeholders' | 'kitty' | 'iterm2' | 'sixel' | 'half-blocks' | 'none';

/** The user's setting. */
export type ImageSetting = 'auto' | 'off' | 'kitty' | 'iterm2' | 'sixel' | 'half-blocks';

export interface ChosenProtocol {
  readonly protocol: ImageProtocol;
  /** Why, for `parley doctor`; completes “half blocks: ”. */
  readonly reason: string;
  /** Whether sequences for images must be wrapped for the terminal around tmux. */
  readonly inTmux: boolean;
}

type Known = Pick<
  Capabilities,
  | 'program'
  | 'terminalName'
  | 'isUtf8'
  | 'sixel'
  | 'kittyGraphics'
  | 'itermImages'
  | 'outer'
  | 'tmuxPassthrough'
  | 'cellSize'
  | 'areaSize'
>;

/** Chooses the protocol by what the terminal answered. `hasColors`: enough for half blocks. */
export function chooseProtocol(
  known: Known,
  environment: TerminalEnvironment,
  setting: ImageSetting,
  hasColors: boolean,
): ChosenProtocol {
  const choice = (protocol: ImageProtocol, reason: string): ChosenProtocol => ({
    protocol,
    reason,
    inTmux: protocol === 'kitty-placeholders' && environment.inTmux,
  });
  if (setting === 'off') return choice('none', 'the setting “images” is “off”');
  if (environment.kind !== 'xterm') return choice('none', `a terminal with TERM=${environment.term} shows no images`);
  if (known.program?.name === 'mosh') return choice('none', 'mosh does not pass images on');
  if (setting !== 'auto') return forced(setting, known, environment, choice);
  const graphics = environment.inTmux ? throughTmux(known) : answered(known);
  if ('protocol' in graphics) return choice(graphics.protocol, graphics.reason);
  if (known.isUtf8 && hasColors) return choice('half-blocks', graphics.reason);
  const lack = known.isUtf8 ? 'has fewer than 256 colours' : 'does not show UTF-8';
  return choice('none', `${graphics.reason}, and the terminal ${lack}`);
}

type Choice = (protocol: ImageProtocol, reason: string) => ChosenProtocol;

function forced(
  setting: Exclude<ImageSetting, 'auto' | 'off'>,
  known: Known,
  {inTmux}: TerminalEnvironment,
  choice: Choice,
) {
  const reason = `the setting “images” is “${setting}”`;
  const program = inTmux ? known.outer : known.program;
  if (setting === 'kitty' && (inTmux || hasPlaceholders(program))) return choice('kitty-placeholders', reason);
  return choice(setting, reason);
}

type Found = {readonly protocol: ImageProtocol; readonly reason: string} | {readonly reason: string};

/** tmux redraws the text of placeholders itself; an image at the cursor would stay behind when a pane moves. */
function throughTmux({outer, tmuxPassthrough}: Known): Found {
  if (!hasPlaceholders(outer)) return {reason: 'tmux, in a terminal that is not known to show images inside of it'};
  const name = programText(outer);
  if (!tmuxPassthrough) return {reason: `tmux does not pass images on to ${name} while allow-passthrough is off`};
  return {protocol: 'kitty-placeholders', reason: `tmux passes images on to ${name}`};
}

function answered({program, terminalName, kittyGraphics, itermImages, sixel, cellSize, areaSize}: Known): Found {
  const name = terminalName ?? (program === undefined ? 'the terminal' : programText(program));
  if (kittyGraphics) {
    const protocol = hasPlaceholders(program) ? 'kitty-placeholders' : 'kitty';
    return {protocol, reason: `${name} answered the query of the graphics protocol`};
  }
  if (itermImages || program?.name === 'iterm') return {protocol: 'iterm2', reason: `${name} has inline images`};
  if (sixel && cellSize === undefined && areaSize === undefined) {
    return {reason: `${name} reports sixel graphics, but not the size of its cells`};
  }
  if (sixel) return {protocol: 'sixel', reason: `${name} reports sixel graphics`};
  return {reason: `${name} reports no graphics`};
}

/** Unicode placeholders, by the version that brought them. */
function hasPlaceholders(program: TerminalProgram | undefined): boolean {
  if (program?.name === 'ghostty') return true;
  return program?.name === 'kitty' && isAtLeast(program.version, [0, 28]);
}

function programText(program: TerminalProgram | undefined): string {
  return program === undefined ? 'the terminal' : `${program.name} ${program.version}`.trim();
}
