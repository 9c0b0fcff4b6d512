import {keyOf} from '#terminal/input/key.ts';
import {commandKey} from '#terminal/input/layout-map.ts';

/** What the same keys write on a Latin keyboard: `вуздщн` is `deploy`. */
export function latinText(text: string): string {
  return Array.from(text, (sign) => commandKey(keyOf(sign)).name).join('');
}
