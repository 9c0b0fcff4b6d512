import {bel, osc} from './control-sequences.ts';

/** A fraction from 0 to 1 on the window's tab or in the task bar. */
export function progressSequence(fraction: number): string {
  const percent = Math.round(Math.min(1, Math.max(0, fraction)) * 100);
  return osc(`9;4;1;${percent}`, bel);
}

export const progressEnd = osc('9;4;0', bel);
