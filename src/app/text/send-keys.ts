/** What the keys around Enter do while a message is written, and the hint that says so. */

export type SendKey = 'Enter' | 'Alt-Enter' | 'Ctrl-Enter' | 'Shift-Enter' | 'Ctrl-J' | 'Ctrl-D';

export interface SendKeyContext {
  /** The account's setting: Enter sends. */
  readonly entersSends: boolean;
  readonly isInFence: boolean;
  readonly endsWithBackslash: boolean;
  /** Keys come faster than anybody types: a paste that the terminal did not mark as one. Those never send. */
  readonly isBurst: boolean;
}

export type SendOutcome = 'send' | 'newline' | 'newlineWithoutBackslash';

export function sendOutcome(key: SendKey, sending: SendKeyContext): SendOutcome {
  switch (key) {
    case 'Ctrl-D':
      return 'send';
    case 'Ctrl-J':
    case 'Shift-Enter':
      return 'newline';
    case 'Alt-Enter':
    case 'Ctrl-Enter':
      // The opposite of the setting. Inside a fence too: who is used to it for line breaks must not send half of a block.
      return sending.entersSends || sending.isBurst ? 'newline' : 'send';
    case 'Enter':
      if (!sending.entersSends || sending.isInFence || sending.isBurst) return 'newline';
      return sending.endsWithBackslash ? 'newlineWithoutBackslash' : 'send';
  }
}

/** Which keys the terminal tells apart from Enter. The others always arrive. */
export interface ReportedKeys {
  readonly shiftEnter: boolean;
  readonly ctrlEnter: boolean;
}

export interface SendKeyHint {
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

/** What Enter does now, and a key that does the other thing. Asked of the rules themselves, so that it cannot lie. */
export function sendHints(sending: SendKeyContext, reported: ReportedKeys): readonly SendKeyHint[] {
  // A burst is over before anybody reads of it.
  const calm = {...sending, isBurst: false};
  const others: SendKey[] = [
    ...(reported.shiftEnter ? (['Shift-Enter'] as const) : []),
    ...(reported.ctrlEnter ? (['Ctrl-Enter'] as const) : []),
    'Ctrl-J',
    'Ctrl-D',
  ];
  const enter = labelOf('Enter', calm);
  const other = others.find((key) => labelOf(key, calm) !== enter) ?? 'Ctrl-D';
  return [
    {key: shortNames.Enter, label: enter},
    {key: shortNames[other], label: labelOf(other, calm)},
  ];
}

function labelOf(key: SendKey, sending: SendKeyContext): SendKeyHint['label'] {
  return sendOutcome(key, sending) === 'send' ? 'send' : 'newline';
}
