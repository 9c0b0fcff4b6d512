import type {CliIo} from '#cli/io.ts';
import type {CommonOptions} from '#cli/verbs/verb.ts';

/** How to make text stand out, or not at all. */
export interface OutputStyle {
  readonly name: (text: string) => string;
  readonly heading: (text: string) => string;
  readonly faint: (text: string) => string;
}

const painted = (code: number) => (text: string) => `\u001b[${code}m${text}\u001b[0m`;
const plain = (text: string) => text;

export const plainStyle: OutputStyle = {name: plain, heading: plain, faint: plain};

/** Colours for somebody who looks at them: never into a pipe unless that is asked for. https://no-color.org */
export function outputStyle({env, outputIsTty}: CliIo, color: CommonOptions['color']): OutputStyle {
  const wantsNone = (env.NO_COLOR ?? '') !== '' || env.TERM === 'dumb';
  const isOn = color === 'always' || (color !== 'never' && outputIsTty && !wantsNone);
  return isOn ? {name: painted(1), heading: painted(36), faint: painted(2)} : plainStyle;
}
