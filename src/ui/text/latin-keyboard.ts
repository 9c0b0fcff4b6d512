import {keyOf} from '#terminal/input/key.ts';
import {commandKey} from '#terminal/input/layout-map.ts';

/** Returns the text that the same keys type on a Latin keyboard: `вуздщн` becomes `deploy`. */
export function latinText(text: string): string {
  return Array.from(text, (sign) => commandKey(keyOf(sign)).name).join('');
}
