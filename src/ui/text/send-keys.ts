/** The keys around Enter, which send a message or break the line. */

import {keyOf} from '#terminal/input/key.ts';
import {commandKey} from '#terminal/input/layout-map.ts';

export type SendKey = 'Enter' | 'Alt-Enter' | 'Ctrl-Enter' | 'Shift-Enter' | 'Ctrl-J' | 'Ctrl-D';

export interface SendKeyContext {
  /** The account's setting that Enter sends. */
  readonly entersSends: boolean;
  readonly isInFence: boolean;
  readonly endsWithBackslash: boolean;
  /** Whether keys arrive faster than anyone types: an unmarked paste. Such keys never send. */
  readonly isBurst: boolean;
}

export type SendOutcome = 'send' | 'newline' | 'newlineWithoutBackslash';

export function sendOutcome(key: SendKey, context: SendKeyContext): SendOutcome {
  switch (key) {
    case 'Ctrl-D':
      return 'send';
    case 'Ctrl-J':
    case 'Shift-Enter':
      return 'newline';
    case 'Alt-Enter':
    case 'Ctrl-Enter':
      // The opposite of the setting, inside a fence too: a user who breaks lines with it must not send half a block.
      return context.entersSends || context.isBurst ? 'newline' : 'send';
    case 'Enter':
      if (!context.entersSends || context.isInFence || context.isBurst) return 'newline';
      return context.endsWithBackslash ? 'newlineWithoutBackslash' : 'send';
  }
}

/** The keys that the terminal reports differently from Enter. The others are always reported. */
interface ReportedKeys {
  readonly shiftEnter: boolean;
  readonly ctrlEnter: boolean;
}

interface SendKeyHint {
  readonly key: string;
  readonly label: 'send' | 'newline';
}

const shortNames: Readonly<Record<SendKey, string>> = {
  Enter: 'Enter',
  'Alt-Enter': 'Alt-Enter',
  'Ctrl-Enter': 'Ctrl-Enter',
  'Shift-Enter': 'Shift-Enter',
  'Ctrl-J': '^J',
  'Ctrl-D': '^D',
};

/**
 * Returns what Enter does now, and a key that does the opposite. Derived from `sendOutcome`, so that the hint is
 * always right.
 */
export function sendHints(context: SendKeyContext, reported: ReportedKeys): readonly SendKeyHint[] {
  // A burst is over before the hint is painted.
  const withoutBurst = {...context, isBurst: false};
  const others: SendKey[] = [
    ...(reported.shiftEnter ? (['Shift-Enter'] as const) : []),
    ...(reported.ctrlEnter ? (['Ctrl-Enter'] as const) : []),
    'Ctrl-J',
    'Ctrl-D',
  ];
  const enter = labelOf('Enter', withoutBurst);
  const other = others.find((key) => labelOf(key, withoutBurst) !== enter) ?? 'Ctrl-D';
  return [
    {key: shortNames.Enter, label: enter},
    {key: shortNames[other], label: labelOf(other, withoutBurst)},
  ];
}

function labelOf(key: SendKey, context: SendKeyContext): SendKeyHint['label'] {
  return sendOutcome(key, context) === 'send' ? 'send' : 'newline';
}

/** Returns the text that the same keys type on a Latin keyboard: `вуздщн` becomes `deploy`. */
export function latinText(text: string): string {
  return Array.from(text, (sign) => commandKey(keyOf(sign)).name).join('');
}
