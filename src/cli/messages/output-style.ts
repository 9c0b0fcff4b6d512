import type {CliIo} from '#cli/io.ts';
import type {CommonOptions} from '#cli/verbs/verb.ts';

/** Functions that emphasise text on a terminal. */
export interface OutputStyle {
  readonly name: (text: string) => string;
  readonly heading: (text: string) => string;
  readonly faint: (text: string) => string;
}

const painted = (code: number) => (text: string) => `\u001b[${code}m${text}\u001b[0m`;
const plain = (text: string) => text;

export const plainStyle: OutputStyle = {name: plain, heading: plain, faint: plain};

/** Returns colours when the output is a terminal or the user asks for them. https://no-color.org */
export function outputStyle({env, outputIsTty}: CliIo, color: CommonOptions['color']): OutputStyle {
  const isDisabled = (env.NO_COLOR ?? '') !== '' || env.TERM === 'dumb';
  const isEnabled = color === 'always' || (color !== 'never' && outputIsTty && !isDisabled);
  return isEnabled ? {name: painted(1), heading: painted(36), faint: painted(2)} : plainStyle;
}
